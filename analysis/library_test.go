package analysis_test

import (
	"slices"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/replay/scenario"
)

// TestLibraryIsDiagnosedRight plays every built-in scenario and holds the diagnosis
// against what the simulation knows: each event found at its place and time with a right
// cause and limit, and nothing reported on what is healthy.
func TestLibraryIsDiagnosedRight(t *testing.T) {
	for _, name := range scenario.Names() {
		t.Run(name, func(t *testing.T) {
			checkTruth(t, library()[name].d, library()[name].truth)
		})
	}
}

func checkTruth(t *testing.T, d *analysis.Diagnosis, truth scenario.Truth) {
	t.Helper()
	events := slices.DeleteFunc(slices.Clone(d.Events), (*analysis.Event).Note)
	for _, w := range truth.Events {
		i := slices.IndexFunc(events, func(e *analysis.Event) bool {
			return e.Resource.Index == w.Index && e.Direction == w.Operation && e.Start.Before(w.End) && w.Start.Before(e.End)
		})
		if i < 0 {
			if !w.Minor {
				t.Errorf("%s of %q from %v: no event", w.Operation, w.Index, w.Start)
			}
			continue
		}
		e := events[i]
		events = slices.Delete(events, i, i+1)
		if !slices.Contains(w.Causes, string(e.Cause)) {
			t.Errorf("cause %s (%.2f), want one of %v", e.Cause, e.Confidence, w.Causes)
		}
		if e.Limit != w.Limit && !slices.Contains(w.LimitAlso, e.Limit) {
			t.Errorf("limit %s, want %s or one of %v", e.Limit, w.Limit, w.LimitAlso)
		}
		if off := e.Start.Sub(w.Start).Abs().Minutes(); off > 1 {
			t.Errorf("start is %.0f minutes off", off)
		}
	}
	for _, e := range events {
		t.Errorf("surplus event: %s of %q, %s, from %v (%.2f)", e.Direction, e.Resource.Index, e.Cause, e.Start, e.Confidence)
	}
}
