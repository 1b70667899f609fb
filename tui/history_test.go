package tui

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestGoingBackShowsTheLoadsKnownThen(t *testing.T) {
	var h history
	early := table(5, map[string][]telemetry.Rate{"a": steady(5, 100)})
	late := table(6, map[string][]telemetry.Rate{"a": steady(6, 900)})
	h.add(early)
	h.add(late)
	h.at = 0
	if got := h.shown(); got != early {
		t.Errorf("the first step shows %v rows", got.Tables[0].Resources[0].Write.Rows[0].Peak)
	}
	h.at = 1
	if got := h.shown(); got != late {
		t.Error("the last step doesn't show the last diagnosis")
	}
}

func TestHistoryDropsOldLoadsBeforeItGrowsTooLarge(t *testing.T) {
	var h history
	d := table(2000, map[string][]telemetry.Rate{"a": steady(2000, 100), "b": steady(2000, 50)})
	steps := 2*maxCells/cellsOf(d) + 2
	for range steps {
		h.add(d)
	}
	if h.cells > maxCells {
		t.Errorf("%d cells are kept, over %d", h.cells, maxCells)
	}
	if len(h.steps) != steps {
		t.Errorf("%d steps are kept of %d", len(h.steps), steps)
	}
	h.at = 0
	if got := h.shown(); len(got.Tables) == 0 || got.Window != d.Window {
		t.Error("an old step shows no tables")
	}
	if d.Tables == nil {
		t.Error("the diagnosis given was written to")
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h history
	d := table(1, map[string][]telemetry.Rate{"a": steady(1, 100)})
	for range maxSteps + 10 {
		h.add(d)
		h.at = h.last()
	}
	if len(h.steps) != maxSteps || h.at != maxSteps-1 {
		t.Errorf("%d steps, at %d", len(h.steps), h.at)
	}
}
