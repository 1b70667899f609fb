package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

type tester interface {
	Helper()
	Fatal(...any)
}

// record writes batches, compressed.
func record(t tester, batches ...telemetry.Batch) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Tool: "test", PeriodSeconds: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// play reads all batches.
func play(t tester, recording []byte) []telemetry.Batch {
	t.Helper()
	r, err := NewReader(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	var batches []telemetry.Batch
	for {
		b, err := r.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return batches
		}
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, b)
	}
}

func minutes(from, to int) []telemetry.Batch {
	var batches []telemetry.Batch
	for n := from; n < to; n++ {
		batches = append(batches, minute(n))
	}
	return batches
}

func TestBatchesComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Custom(drawBatch), 0, 4).Draw(t, "batches")
		if diff := cmp.Diff(in, play(t, record(t, in...)), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("compressed (-in +out):\n%s", diff)
		}
		var text bytes.Buffer
		w := NewTextWriter(&text, Header{})
		for _, b := range in {
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in, play(t, text.Bytes()), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("plain text (-in +out):\n%s", diff)
		}
	})
}

// TestEveryFieldOfABatchIsDrawn fails when telemetry gains a field that the
// round trip above doesn't cover.
func TestEveryFieldOfABatchIsDrawn(t *testing.T) {
	want := map[reflect.Type]int{
		reflect.TypeFor[telemetry.Batch]():           14,
		reflect.TypeFor[telemetry.Table]():           14,
		reflect.TypeFor[telemetry.Index]():           8,
		reflect.TypeFor[telemetry.LocalIndex]():      3,
		reflect.TypeFor[telemetry.Capacity]():        6,
		reflect.TypeFor[telemetry.Insights]():        6,
		reflect.TypeFor[telemetry.Quotas]():          4,
		reflect.TypeFor[telemetry.Shards]():          4,
		reflect.TypeFor[telemetry.Shard]():           4,
		reflect.TypeFor[telemetry.ScalingTarget]():   6,
		reflect.TypeFor[telemetry.ScalingActivity](): 8,
		reflect.TypeFor[telemetry.Mark]():            4,
		reflect.TypeFor[telemetry.Earlier]():         4,
		reflect.TypeFor[telemetry.Series]():          4,
		reflect.TypeFor[telemetry.SeriesID]():        5,
		reflect.TypeFor[telemetry.Ranking]():         9,
		reflect.TypeFor[telemetry.Contributor]():     2,
		reflect.TypeFor[telemetry.Warning]():         3,
		reflect.TypeFor[telemetry.Window]():          3,
	}
	for typ, fields := range want {
		if typ.NumField() != fields {
			t.Errorf("%v has %d fields, the generators know %d", typ, typ.NumField(), fields)
		}
	}
}

func TestSameBatchesGiveTheSameBytes(t *testing.T) {
	if !bytes.Equal(record(t, minutes(0, 90)...), record(t, minutes(0, 90)...)) {
		t.Error("two recordings of the same batches differ")
	}
}

func TestWriteIsReadableBeforeClose(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := w.Write(minute(n)); err != nil {
			t.Fatal(err)
		}
		got := play(t, out.Bytes())
		if len(got) != n+2 {
			t.Fatalf("after %d writes %d batches are read, want one more for the missing end", n+1, len(got))
		}
		if text := got[n+1].Warnings[0].Text; !strings.Contains(text, "unexpected EOF; it could be read to 2026-03-02 10:0") {
			t.Errorf("warning %q", text)
		}
	}
}

func TestAWriterThatCannotGoOnLeavesAWholeRecordingWithItsEnding(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	next := record(t, minutes(100, 101)...)
	for n := range 70 { // three members
		if err := w.Write(minute(n)); err != nil {
			t.Fatal(err)
		}
		ended := slices.Concat(out.Bytes(), w.Ending())
		if got := play(t, ended); len(got) != n+1 {
			t.Fatalf("after %d writes %d batches are read", n+1, len(got))
		}
		if got := play(t, slices.Concat(ended, next)); len(got) != n+2 {
			t.Fatalf("after %d writes and another recording %d batches are read", n+1, len(got))
		}
	}
	if ending := NewTextWriter(&out, Header{}).Ending(); len(ending) > 0 {
		t.Errorf("plain text ends with %q", ending)
	}
}

func TestUnchangedDescriptionsAreWrittenOnceAMember(t *testing.T) {
	plain := gunzip(t, record(t, minutes(0, 60)...))
	if n := strings.Count(plain, `"what":"tables"`); n != 2 {
		t.Errorf("%d definitions of tables in an hour, want one for each of two members", n)
	}
	if n := strings.Count(plain, `"format":"hotpart.recording"`); n != 2 {
		t.Errorf("%d headers in an hour, want 2", n)
	}
	if !strings.Contains(plain, `"TENANT#<1>"`) {
		t.Error("a key cannot be found by grep")
	}
}

func TestJoinedRecordingsAreARecording(t *testing.T) {
	joined := append(record(t, minutes(0, 5)...), record(t, minutes(5, 9)...)...)
	if diff := cmp.Diff(minutes(0, 9), play(t, joined), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestPointsThatAreNoNumbersAreDropped(t *testing.T) {
	b := minute(0)
	start := b.Window.Start
	b.Series[0].Points = []telemetry.Point{{Time: start, Value: math.NaN()}, {Time: start.Add(time.Minute), Value: 1}, {Time: start.Add(2 * time.Minute), Value: math.Inf(1)}}
	got := play(t, record(t, b))[0].Series[0].Points
	if want := []telemetry.Point{{Time: start.Add(time.Minute), Value: 1}}; !cmp.Equal(want, got) {
		t.Errorf("points %v", got)
	}
}

func TestUnknownLinesAndFieldsAreIgnored(t *testing.T) {
	plain := gunzip(t, record(t, minutes(0, 2)...))
	plain = strings.Replace(plain, "\n", "\n{\"kind\":\"note\",\"text\":\"later\"}\n{\"kind\":\"define\",\"what\":\"weather\",\"n\":1,\"value\":[]}\n", 1)
	plain = strings.ReplaceAll(plain, `{"kind":"batch",`, `{"kind":"batch","mood":{"x":[1]},`)
	if diff := cmp.Diff(minutes(0, 2), play(t, []byte(plain)), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

type failing struct{ room int }

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestWriterKeepsReportingAFullDisk(t *testing.T) {
	w, err := NewWriter(&failing{room: 2000}, Header{})
	if err != nil {
		t.Fatal(err)
	}
	var first error
	for n := 0; first == nil && n < 1000; n++ {
		first = w.Write(minute(n))
	}
	if first == nil || !strings.Contains(first.Error(), "write recording: no space left") {
		t.Errorf("error %v", first)
	}
	if err := w.Write(minute(0)); err == nil {
		t.Error("a write after the error succeeds")
	}
}

func gunzip(t tester, recording []byte) string {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(gz)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
