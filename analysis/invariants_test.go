package analysis

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// caseBatches reads the telemetry of every text case.
func caseBatches(t *testing.T) map[string]telemetry.Batch {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]telemetry.Batch{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			if f.Name == "telemetry" {
				b := parseTelemetry(t, string(f.Data))
				for _, after := range []time.Duration{-time.Minute, 7 * time.Minute, 40 * time.Minute} {
					b.Marks = append(b.Marks, telemetry.Mark{At: b.Window.Start.Add(after), Kind: telemetry.NoteMark, Text: "deploy"})
				}
				if s := b.Series[0]; len(s.Points) > 0 {
					b.Earlier = []telemetry.Earlier{{ID: telemetry.SeriesID{Resource: s.ID.Resource, Metric: telemetry.Consumed(telemetry.Write), Stat: telemetry.Sum}, Ago: time.Hour, Period: time.Minute, Points: []telemetry.Point{{Time: b.Window.Start.Add(-58 * time.Minute), Value: 600}}}}
				}
				out[filepath.Base(file)] = b
			}
		}
	}
	return out
}

func TestMinuteByMinuteEndsWhereAllAtOnceDoes(t *testing.T) {
	for name, b := range caseBatches(t) {
		whole, steps := New(), New()
		whole.Add(b)
		for m := range telemetry.Minutes(b) {
			steps.Add(m)
		}
		if diff := cmp.Diff(whole.Diagnose(), steps.Diagnose()); diff != "" {
			t.Errorf("%s: the minutes give another diagnosis:\n%s", name, diff)
		}
	}
}

func TestReturnedDiagnosisNeverChanges(t *testing.T) {
	for name, b := range caseBatches(t) {
		a, twin := New(), New()
		var kept []*Diagnosis
		for m := range telemetry.Minutes(b) {
			kept = append(kept, a.Observe(m))
		}
		i := 0
		for m := range telemetry.Minutes(b) {
			if fresh := twin.Observe(m); !reflect.DeepEqual(fresh, kept[i]) {
				t.Errorf("%s: minute %d changed after it was returned:\n%s", name, i, cmp.Diff(fresh, kept[i]))
				break
			}
			i++
		}
	}
}

func TestEventKeepsItsIDWhenItsStartMoves(t *testing.T) {
	table := caseTable
	table.Table = "orders"
	id := telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.WriteKeyRangeThroughputThrottleEvents, Stat: telemetry.Sum}
	batch := func(values ...float64) telemetry.Batch {
		s := telemetry.Series{ID: id, Period: time.Minute, Status: telemetry.Complete}
		for i, v := range values {
			s.Points = append(s.Points, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: v})
		}
		return telemetry.Batch{
			Window: telemetry.Window{Start: caseStart, End: caseStart.Add(20 * time.Minute), Period: time.Minute},
			Series: []telemetry.Series{s},
		}
	}
	a := New()
	first := a.Observe(batch(0, 0, 0, 0, 0, 0, 900, 900, 900)).Events
	later := a.Observe(batch(0, 0, 0, 0, 800, 900, 900, 900, 900)).Events
	if len(first) != 1 || len(later) != 1 {
		t.Fatalf("events: %d, then %d; want one each", len(first), len(later))
	}
	if !later[0].Start.Before(first[0].Start) {
		t.Fatalf("start %v didn't move before %v", later[0].Start, first[0].Start)
	}
	if later[0].ID != first[0].ID {
		t.Errorf("id changed from %s to %s", first[0].ID, later[0].ID)
	}
}

// TestDiagnosisIsWellFormed feeds random telemetry and checks what every diagnosis
// promises: ordered ranges, cells for each minute, sane probabilities.
func TestDiagnosisIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := New()
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			a.Add(randomBatch(t))
		}
		d := a.Diagnose()
		for _, e := range d.Events {
			checkEvent(t, e, d.Window)
		}
		for _, tb := range d.Tables {
			for _, r := range tb.Resources {
				checkLoad(t, r.Read)
				checkLoad(t, r.Write)
			}
		}
	})
}

func checkEvent(t *rapid.T, e *Event, w telemetry.Window) {
	switch {
	case !e.Start.Before(e.End), e.Start.Before(w.Start), e.End.After(w.End.Add(time.Minute)):
		t.Fatalf("event from %v to %v in %v", e.Start, e.End, w)
	case e.Confidence < 0 || e.Confidence > 1:
		t.Fatalf("confidence %v", e.Confidence)
	case e.ThrottledEvents <= 0:
		t.Fatalf("an event of %v refusals", e.ThrottledEvents)
	case e.ID == "" || e.Cause == "" || e.Limit == "":
		t.Fatalf("unnamed event %+v", e)
	}
	if h := e.Hottest; h != nil && (h.Low > h.Rate || h.Rate > h.High) {
		t.Fatalf("hottest partition %+v", *h)
	}
	if x := e.Demand; x != nil && (x.Low > x.Likely || x.Likely > x.High) {
		t.Fatalf("demand %+v", *x)
	}
	if x := e.SecondsAtCeiling; x != nil && (x.Low > x.High || x.Low < 0) {
		t.Fatalf("seconds at the ceiling %+v", *x)
	}
	if x := e.Refused; x != nil && (x.Low > x.High || x.High > 1) {
		t.Fatalf("refused share %+v", *x)
	}
}

func checkLoad(t *rapid.T, l *Load) {
	for _, r := range l.Rows {
		if r.Count < 1 || len(r.Cells) != len(l.Minutes) {
			t.Fatalf("row of %d partitions with %d cells for %d minutes", r.Count, len(r.Cells), len(l.Minutes))
		}
		for i, c := range r.Cells {
			if c.Low > c.Likely || c.Likely > c.High || c.Low < 0 {
				t.Fatalf("cell %d: %+v", i, c)
			}
		}
	}
	for _, k := range l.Keys {
		if len(k.Cells) != len(l.Minutes) {
			t.Fatalf("key with %d cells for %d minutes", len(k.Cells), len(l.Minutes))
		}
	}
}

func randomBatch(t *rapid.T) telemetry.Batch {
	table := telemetry.TableID{Account: "1", Region: "r", Table: "t"}
	steps := rapid.IntRange(1, 40).Draw(t, "steps")
	b := telemetry.Batch{Window: telemetry.Window{Start: caseStart, End: caseStart.Add(time.Duration(steps) * time.Minute), Period: time.Minute}}
	if rapid.Bool().Draw(t, "fetched") {
		b.FetchedAt = b.Window.End.Add(time.Duration(rapid.IntRange(0, 10).Draw(t, "delay")) * time.Minute)
	}
	// Points come from one seed: drawing each would take most of the test's time.
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	points := func() []telemetry.Point {
		var out []telemetry.Point
		large := random.IntN(2) == 0
		for i := range steps {
			v := 10 * random.Float64()
			if large {
				v = 4e6 * random.Float64()
			}
			if random.IntN(4) > 0 {
				out = append(out, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: v})
			}
		}
		return out
	}
	resource := table.WithIndex(rapid.SampledFrom([]string{"", "i"}).Draw(t, "index"))
	for _, m := range telemetry.Metrics {
		if rapid.Bool().Draw(t, "asked") {
			b.Series = append(b.Series, telemetry.Series{
				ID:     telemetry.SeriesID{Resource: resource, Metric: m, Stat: rapid.SampledFrom([]telemetry.Statistic{telemetry.Sum, telemetry.Sum, telemetry.Maximum, telemetry.Average}).Draw(t, "stat")},
				Period: time.Minute, Status: rapid.SampledFrom([]telemetry.Status{telemetry.Complete, telemetry.PartialData}).Draw(t, "status"), Points: points(),
			})
		}
	}
	for _, kind := range telemetry.RuleKinds {
		r := telemetry.Ranking{Resource: resource, Kind: kind}
		for _, k := range rapid.SliceOfN(rapid.StringN(0, 3, 8), 0, 4).Draw(t, "keys") {
			r.Contributors = append(r.Contributors, telemetry.Contributor{Key: telemetry.Key{Partition: k}, Points: points()})
		}
		b.Rankings = append(b.Rankings, r)
	}
	if rapid.Bool().Draw(t, "described") {
		rate := telemetry.Rate(rapid.Float64Range(0, 1e5).Draw(t, "rate"))
		b.Tables = append(b.Tables, telemetry.Table{
			ID: table, Mode: rapid.SampledFrom([]telemetry.Mode{telemetry.ModeOnDemand, telemetry.ModeProvisioned}).Draw(t, "mode"),
			Capacity: telemetry.Capacity{Provisioned: telemetry.Throughput{Read: &rate, Write: &rate}},
			Indexes:  []telemetry.Index{{Name: "i"}},
		})
	}
	return b
}

// TestSilentRulesAreNotEvidence loses Contributor Insights before the trouble starts:
// earlier empty reports must not count as "no key stands out".
func TestSilentRulesAreNotEvidence(t *testing.T) {
	table := caseTable
	table.Table = "orders"
	series := func(m telemetry.Metric, value func(i int) float64) telemetry.Series {
		s := telemetry.Series{ID: telemetry.SeriesID{Resource: table.Resource(), Metric: m, Stat: telemetry.Sum}, Period: time.Minute, Status: telemetry.Complete}
		for i := range 60 {
			if v := value(i); v > 0 {
				s.Points = append(s.Points, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: v})
			}
		}
		return s
	}
	after := func(quiet, loud float64) func(int) float64 {
		return func(i int) float64 {
			if i < 20 {
				return quiet
			}
			return loud
		}
	}
	early := telemetry.Batch{Window: telemetry.Window{Start: caseStart, End: caseStart.Add(15 * time.Minute), Period: time.Minute}}
	for _, kind := range telemetry.RuleKinds {
		early.Rankings = append(early.Rankings, telemetry.Ranking{Resource: table.Resource(), Kind: kind})
	}
	whole := telemetry.Batch{
		Window: telemetry.Window{Start: caseStart, End: caseStart.Add(time.Hour), Period: time.Minute},
		Tables: []telemetry.Table{{ID: table, Mode: telemetry.ModeOnDemand}},
		Series: []telemetry.Series{
			series(telemetry.ConsumedWriteCapacityUnits, after(24000, 84000)),
			series(telemetry.WriteKeyRangeThroughputThrottleEvents, after(0, 30000)),
		},
	}
	a := New()
	a.Add(early)
	a.Add(whole)
	events := a.Diagnose().Events
	if len(events) != 1 || events[0].Cause != Undetermined {
		t.Fatalf("want one undetermined event, got %s", describe(a.Diagnose()))
	}
	if len(events[0].Missing) == 0 {
		t.Error("nothing is said of the missing keys")
	}
}
