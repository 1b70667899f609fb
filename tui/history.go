package tui

import "github.com/hotpart/hotpart/analysis"

// history is what was known at each step, oldest first.
type history struct {
	steps []step
	at    int // the step shown
	cells int // of all the steps that still have their tables
}

// step is one diagnosis. Where light is set the loads were dropped to save memory, and
// only what was concluded is left.
type step struct {
	diagnosis *analysis.Diagnosis
	cells     int
	light     bool
}

// maxSteps bounds the steps that one can go back, a day and more of minutes; maxCells
// bounds the loads that are kept with them, at about 60 bytes a cell.
const (
	maxSteps = 3000
	maxCells = 2_000_000
)

func (h *history) add(d *analysis.Diagnosis) {
	s := step{diagnosis: d, cells: cellsOf(d)}
	h.steps = append(h.steps, s)
	h.cells += s.cells
	for i := 0; h.cells > maxCells && i < len(h.steps)-1; i++ {
		h.lighten(i)
	}
	if over := len(h.steps) - maxSteps; over > 0 {
		for i := range over {
			h.lighten(i)
		}
		h.steps = append([]step(nil), h.steps[over:]...)
		h.at = max(0, h.at-over)
	}
}

func (h *history) lighten(i int) {
	if s := &h.steps[i]; !s.light {
		light := *s.diagnosis
		light.Tables = nil
		h.cells -= s.cells
		s.diagnosis, s.light, s.cells = &light, true, 0
	}
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

// cellsOf measures a diagnosis's loads. Quiet tables of a fleet share their minutes.
func cellsOf(d *analysis.Diagnosis) int {
	n := 0
	met := map[*analysis.Minute]bool{}
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, l := range []*analysis.Load{r.Read, r.Write} {
				if len(l.Minutes) == 0 || met[&l.Minutes[0]] {
					continue
				}
				met[&l.Minutes[0]] = true
				n += len(l.Minutes) * (2 + len(l.Rows) + len(l.Keys))
			}
		}
	}
	return n
}
