package analysis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// marksOn gives a case's batch marks so many minutes after its first event's start.
func marksOn(b telemetry.Batch, e *Event, marks map[int]telemetry.Mark) telemetry.Batch {
	for minutes, m := range marks {
		m.At, m.Kind = e.Start.Add(time.Duration(minutes)*time.Minute), telemetry.NoteMark
		b.Marks = append(b.Marks, m)
	}
	return b
}

func TestMarksBeforeAnEventAreItsContextAndNothingElse(t *testing.T) {
	b := caseBatches(t)["hot_key_write.txtar"]
	b.Marks = nil
	plain := New().Observe(b)
	e := plain.Leading()
	other := e.Resource.TableID
	other.Table = "another"
	marked := New().Observe(marksOn(b, e, map[int]telemetry.Mark{
		-16: {Text: "too long before"}, -3: {Text: "deploy v42"}, -1: {Text: "of another table", Resource: other.Resource()},
		0: {Text: "feature on", Resource: e.Resource}, 1: {Text: "after it began"}, 10000: {Text: "to come"},
	}))
	got := marked.Leading()
	start := e.Start.UTC()
	want := []string{
		start.Format("15:04") + ", as it began: feature on",
		start.Add(-3*time.Minute).Format("15:04") + ", 3 min before: deploy v42",
	}
	if diff := cmp.Diff(want, got.Context); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	for _, m := range marked.Marks {
		if m.Text == "to come" {
			t.Error("a mark is told before its time")
		}
	}
	// Marks change nothing else of an event.
	got.Context = nil
	for _, d := range []*Diagnosis{plain, marked} {
		d.Marks = nil
		for _, e := range d.Events {
			e.Context = nil
		}
	}
	if diff := cmp.Diff(plain, marked); diff != "" {
		t.Errorf("marks change the diagnosis (-without +with):\n%s", diff)
	}
}
