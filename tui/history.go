package tui

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis"
)

// history is what was known at each step that was asked for, oldest first. There may be
// steps between them that weren't.
type history struct {
	steps []step
	at    int // the step shown
	cells int // of all the steps that still have their tables
	// origin is the end of the first step there is; zero while that isn't known.
	origin time.Time
	// refetched is set where a step that lost its loads can be asked for again.
	refetched bool
}

// step is one diagnosis. Where light is set the loads were dropped to save memory, and
// only what was concluded is left.
type step struct {
	diagnosis *analysis.Diagnosis
	// until is when something newer was known; zero while nothing is.
	until time.Time
	cells int
	light bool
}

// maxSteps bounds the steps that one can go back, a day and more of minutes; maxCells
// bounds the loads that are kept with them, at about 60 bytes a cell.
const (
	maxSteps = 3000
	maxCells = 2_000_000
)

// add puts a diagnosis where it belongs, in the place of one of the same moment. The step
// that is shown stays. It returns the step.
func (h *history) add(d *analysis.Diagnosis, until time.Time) int {
	s := step{diagnosis: d, until: until, cells: cellsOf(d)}
	i, met := slices.BinarySearchFunc(h.steps, d.Window.End, func(s step, t time.Time) int { return s.diagnosis.Window.End.Compare(t) })
	h.cells += s.cells
	if met {
		h.cells -= h.steps[i].cells
		h.steps[i] = s
	} else {
		if i <= h.at && len(h.steps) > 0 {
			h.at++
		}
		h.steps = slices.Insert(h.steps, i, s)
	}
	if i > 0 && h.steps[i-1].until.IsZero() {
		h.steps[i-1].until = d.Window.End
	}
	return h.bound(i)
}

// bound drops the loads of steps far from the one that was added, and whole steps where
// there are too many. It returns where the added step is then.
func (h *history) bound(added int) int {
	for h.cells > maxCells && h.lightenFarthest(added) {
	}
	for len(h.steps) > maxSteps {
		last := h.last()
		if h.refetched && added < last/2 {
			h.lighten(last)
			h.steps = h.steps[:last]
			h.at = min(h.at, last-1)
			continue
		}
		h.lighten(0)
		h.steps = slices.Delete(h.steps, 0, 1)
		h.at, added = max(0, h.at-1), max(0, added-1)
	}
	return added
}

// lightenFarthest drops the loads of the step farthest from one, the newest, which others
// may need, and the one shown apart; false where no other has any.
func (h *history) lightenFarthest(from int) bool {
	farthest, far := -1, 0
	for i, s := range h.steps {
		if away := max(i-from, from-i); away > far && !s.light && i != h.last() && i != h.at {
			farthest, far = i, away
		}
	}
	if farthest < 0 {
		return false
	}
	h.lighten(farthest)
	return true
}

func (h *history) lighten(i int) {
	if s := &h.steps[i]; !s.light {
		light := *s.diagnosis
		light.Tables = nil
		h.cells -= s.cells
		s.diagnosis, s.light, s.cells = &light, true, 0
	}
}

// reach shows what was known at a time; false where that isn't here.
func (h *history) reach(t time.Time) bool {
	if len(h.steps) == 0 {
		return false
	}
	i := h.before(t)
	s := h.steps[i]
	end := s.diagnosis.Window.End
	switch {
	case t.Before(end) && !end.Equal(h.origin):
		return false
	case !t.Before(end) && !s.until.IsZero() && !t.Before(s.until):
		return false
	case s.light && h.refetched:
		return false
	}
	h.at = i
	return true
}

// before is the newest step that ends by a time; the first where none does.
func (h *history) before(t time.Time) int {
	i, met := slices.BinarySearchFunc(h.steps, t, func(s step, t time.Time) int { return s.diagnosis.Window.End.Compare(t) })
	if met {
		return i
	}
	return max(0, i-1)
}

// newest is the latest diagnosis; nil before the first.
func (h *history) newest() *analysis.Diagnosis {
	if len(h.steps) == 0 {
		return nil
	}
	return h.steps[h.last()].diagnosis
}

// step is what was concluded at the step shown; nil before the first. Loads that were
// dropped are not in it.
func (h *history) step() *analysis.Diagnosis {
	if len(h.steps) == 0 {
		return nil
	}
	return h.steps[max(0, min(h.at, h.last()))].diagnosis
}

func (h *history) last() int { return len(h.steps) - 1 }

// shown is the diagnosis on screen. Where its loads were dropped it has those of the
// oldest step that still has them.
func (h *history) shown() *analysis.Diagnosis {
	if len(h.steps) == 0 {
		return nil
	}
	s := h.steps[max(0, min(h.at, h.last()))]
	if !s.light {
		return s.diagnosis
	}
	d := *s.diagnosis
	for _, later := range h.steps[h.at:] {
		if !later.light {
			d.Tables = later.diagnosis.Tables
			break
		}
	}
	return &d
}

// cellsOf measures a diagnosis's loads.
func cellsOf(d *analysis.Diagnosis) int {
	n := 0
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, l := range []*analysis.Load{r.Read, r.Write} {
				n += len(l.Minutes) * (2 + len(l.Rows) + len(l.Keys))
			}
		}
	}
	return n
}
