package replay

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func cut(c *Cutter, in []telemetry.Batch) []telemetry.Batch {
	var out []telemetry.Batch
	for _, b := range in {
		if b, ok := c.Take(b); ok {
			out = append(out, b)
		}
	}
	return out
}

func at(minutes int) time.Time { return base.Add(time.Duration(minutes) * time.Minute) }

func TestCutterWithoutBoundsKeepsAll(t *testing.T) {
	in := minutes(0, 5)
	if diff := cmp.Diff(in, cut(&Cutter{}, in), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestCutterKeepsOnlyItsSpan(t *testing.T) {
	got := cut(&Cutter{From: at(2), To: at(4)}, minutes(0, 9))
	if diff := cmp.Diff(minutes(2, 4), got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestCutterClipsABatchThatReachesOver(t *testing.T) {
	b := minute(0)
	b.Window.End = at(10)
	for n := 1; n < 10; n++ {
		b.Series[0].Points = append(b.Series[0].Points, telemetry.Point{Time: at(n), Value: float64(n)})
	}
	b.Activities = []telemetry.ScalingActivity{{Start: at(-60)}, {Start: at(3)}, {Start: at(8)}}
	got := cut(&Cutter{From: at(4), To: at(6)}, []telemetry.Batch{b})[0]
	if want := (telemetry.Window{Start: at(4), End: at(6), Period: time.Minute}); got.Window != want {
		t.Errorf("window %v, want %v", got.Window, want)
	}
	if want := []telemetry.Point{{Time: at(4), Value: 4}, {Time: at(5), Value: 5}}; !cmp.Equal(want, got.Series[0].Points) {
		t.Errorf("points %v", got.Series[0].Points)
	}
	if n := len(got.Rankings[0].Contributors); n != 0 {
		t.Errorf("%d contributors that aren't ranked in the span", n)
	}
	if n := len(got.Activities); n != 2 {
		t.Errorf("%d activities, want the two from before the span's end", n)
	}
	if len(b.Series[0].Points) != 10 || len(b.Rankings[0].Contributors) != 1 || len(b.Activities) != 3 {
		t.Error("the batch that was given is changed")
	}
}

func TestCutterCarriesEarlierDescriptions(t *testing.T) {
	in := minutes(0, 6)
	other := telemetry.TableID{Table: "other"}
	in[1].Tables = []telemetry.Table{{ID: other, Items: new(int64)}}
	in[0].Warnings = []telemetry.Warning{{Code: telemetry.Denied, Text: "a"}}
	for n := 2; n < 6; n++ {
		in[n].Tables = nil
	}
	in[4].Tables = []telemetry.Table{{ID: table, Status: "UPDATING"}}
	got := cut(&Cutter{From: at(4)}, in)
	want := []telemetry.Table{{ID: table, Status: "UPDATING"}, {ID: other, Items: new(int64)}}
	if diff := cmp.Diff(want, got[0].Tables); diff != "" {
		t.Errorf("tables of the first batch (-want +got):\n%s", diff)
	}
	if len(got[0].Warnings) != 1 || len(got[1].Warnings) != 0 || got[1].Tables != nil {
		t.Error("what was told before the span must come once, with the first batch")
	}
}

func TestCopyWritesTheSpan(t *testing.T) {
	r, err := NewReader(bytes.NewReader(record(t, minutes(0, 90)...)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := NewWriter(&out, r.Header())
	if err != nil {
		t.Fatal(err)
	}
	n, err := Copy(context.Background(), w, r, &Cutter{From: at(20), To: at(70)})
	if err != nil || n != 50 {
		t.Fatalf("copied %d batches, error %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(minutes(20, 70), play(t, out.Bytes()), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestSummaryCountsWhatIsThere(t *testing.T) {
	in := minutes(0, 90)
	for _, n := range []int{5, 6, 7} { // one that is told three times, and another
		in[n].Marks = []telemetry.Mark{{At: at(5), Text: "deploy"}}
	}
	in[9].Marks = []telemetry.Mark{{At: at(9), Text: "deploy"}}
	r, err := NewReader(bytes.NewReader(record(t, in...)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Summarize(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{
		Header:    Header{Format: Format, Version: 1, Tool: "test", PeriodSeconds: 60},
		Sources:   []telemetry.Source{{Kind: telemetry.SourceLive, Name: "orders"}},
		Start:     at(0),
		End:       at(90),
		Batches:   90,
		Resources: []telemetry.ResourceID{table.Resource()},
		Marks:     2,
		Points:    90,
		Ranked:    90,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
