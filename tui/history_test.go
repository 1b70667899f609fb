package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// ending is a diagnosis as it is but for its end, some minutes after begin.
func ending(d *analysis.Diagnosis, minutes int) *analysis.Diagnosis {
	out := *d
	out.Window.End = begin.Add(time.Duration(minutes) * time.Minute)
	return &out
}

func TestGoingBackShowsTheLoadsKnownThen(t *testing.T) {
	var h history
	early := table(5, map[string][]telemetry.Rate{"a": steady(5, 100)})
	late := table(6, map[string][]telemetry.Rate{"a": steady(6, 900)})
	h.add(early, time.Time{})
	h.add(late, time.Time{})
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
	for i := range steps {
		h.add(ending(d, i), time.Time{})
		h.at = h.last()
	}
	if h.cells > maxCells {
		t.Errorf("%d cells are kept, over %d", h.cells, maxCells)
	}
	if len(h.steps) != steps {
		t.Errorf("%d steps are kept of %d", len(h.steps), steps)
	}
	h.at = 0
	if got := h.shown(); len(got.Tables) == 0 || !h.steps[0].light || !got.Window.End.Equal(begin) {
		t.Error("an old step shows no tables")
	}
	if d.Tables == nil {
		t.Error("the diagnosis given was written to")
	}
	if !h.reach(begin) {
		t.Error("an old step can't be gone to")
	}
	if h.refetched = true; h.reach(begin) {
		t.Error("an old step is shown without its loads although they can be had")
	}
	if i := h.add(ending(d, 0), begin.Add(time.Minute)); !h.reach(begin) || h.steps[i].light || h.cells > maxCells {
		t.Errorf("a step that was asked for again has no loads, with %d cells", h.cells)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h history
	d := table(1, map[string][]telemetry.Rate{"a": steady(1, 100)})
	for i := range maxSteps + 10 {
		h.add(ending(d, i), time.Time{})
		h.at = h.last()
	}
	if len(h.steps) != maxSteps || h.at != maxSteps-1 {
		t.Errorf("%d steps, at %d", len(h.steps), h.at)
	}
	h.refetched = true
	early := h.add(ending(d, -5), begin)
	if len(h.steps) != maxSteps || early != 0 || !h.reach(begin.Add(-5*time.Minute)) {
		t.Errorf("a step before the first is dropped at once: %d steps, it is at %d", len(h.steps), early)
	}
}

func TestOnlyWhatWasKnownAtATimeIsShownForIt(t *testing.T) {
	d := table(1, map[string][]telemetry.Rate{"a": steady(1, 100)})
	var h history
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	h.add(ending(d, 10), at(11))
	h.add(ending(d, 90), time.Time{})
	h.at = 1
	h.add(ending(d, 50), at(51))
	if got := h.step().Window.End; !got.Equal(at(90)) {
		t.Errorf("after something earlier was added, %v is shown", got)
	}
	for _, c := range []struct {
		name    string
		minutes int
		shown   int // -1: it isn't known
	}{
		{"before what is thought to be the first", 9, -1},
		{"a step", 10, 10},
		{"where nothing was asked for", 11, -1},
		{"before a step that was asked for", 49, -1},
		{"another step", 50, 50},
		{"right after it", 51, -1},
		{"the last step", 90, 90},
		{"after the last", 500, 90},
	} {
		before := h.at
		ok := h.reach(at(c.minutes))
		if ok != (c.shown >= 0) || ok && !h.step().Window.End.Equal(at(c.shown)) || !ok && h.at != before {
			t.Errorf("%s: reached is %v, at %v", c.name, ok, h.step().Window.End)
		}
	}
	h.origin = at(10)
	if !h.reach(at(3)) || h.at != 0 {
		t.Error("before the first step the first isn't shown")
	}
}

func TestNothingMovesLeftOfTheNameWhileAReplayRunsAndPauses(t *testing.T) {
	d := fixtures(t)["scaling-too-late"]
	for w := 60; w <= 130; w++ {
		m := still(Options{Hindsight: d, Past: &script{}}, w, 24, d)
		at := func() int {
			title, _, _ := strings.Cut(m.plain(), "\n")
			return strings.Index(title, "eu-")
		}
		m.history.steps[m.history.at].until = d.Window.End.Add(time.Minute)
		m.clock.running = true
		running := at()
		m.clock.running = false
		if paused := at(); paused != running {
			t.Errorf("at %d columns the name moves from %d to %d", w, running, paused)
		}
	}
}
