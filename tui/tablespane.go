package tui

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// place is one direction of a resource in the fleet.
type place struct {
	resource *analysis.Resource
	dir      telemetry.Direction
	load     *analysis.Load
	event    *analysis.Event // the worst that is not a note; nil for none
}

// places lists the fleet, the worst first: events that still stand, events, then load.
func (m *model) places() []place {
	v := m.view()
	var out []place
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			for _, dir := range telemetry.Directions {
				p := place{resource: r, dir: dir, load: r.Load(dir)}
				for _, e := range v.Events {
					if e.Resource == r.ID && e.Direction == dir && !e.Note() && (p.event == nil || e.Ongoing) {
						p.event = e
					}
				}
				if m.matches(m.clean(r.ID.String())) {
					out = append(out, p)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.load.Throttled, a.load.Throttled),
			cmp.Compare(rateOr0(b.load.Peak)/b.load.Ceiling, rateOr0(a.load.Peak)/a.load.Ceiling))
	})
	return out
}

func (p place) rank() int {
	switch {
	case p.event == nil:
		return 0
	case p.event.Ongoing:
		return 2
	}
	return 1
}

// tablesSheet shows the fleet; Enter turns the map to the chosen line.
func (m *model) tablesSheet(w int) sheet {
	var s sheet
	name := max(14, min(50, w-58))
	s.head = []string{m.styles.dim.Render(fit(fmt.Sprintf(" %s %-6s %12s %9s  %-14s", fit("table or index", name), "", "peak/s", "refused", "partitions"), w))}
	for _, p := range m.places() {
		peak := "?"
		if p.load.RefusalsOnly {
			peak = "not asked"
		}
		if p.load.Peak != nil {
			peak = telemetry.Thousands(int(*p.load.Peak+0.5)) + " " + p.dir.Unit()
		}
		parts := p.resource.Partitions
		text := fmt.Sprintf(" %s %-6s %12s %9s  %-14s", fit(m.styles.cut(m.clean(p.resource.ID.String()), name), name), p.dir, peak,
			compact(p.load.Throttled), fmt.Sprintf("%d (%d-%d)", parts.Likely, parts.Low, parts.High))
		if p.event != nil && !m.drill {
			text += " " + m.view().VerdictOn(p.event).Title
		}
		s.item(fit(text, w))
	}
	s.add("")
	s.add(m.remark("Partitions are an estimate (likely, and its range); Enter shows the map.", w)...)
	return s
}
