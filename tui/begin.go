package tui

import (
	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// beginWith turns the map to what the dashboard was told to begin with, if that is there.
func (m *model) beginWith(d *analysis.Diagnosis) {
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			if m.opts.Open.Table == "" || r.ID.Table != m.opts.Open.Table || r.ID.Index != m.opts.Open.Index {
				continue
			}
			dir := m.opts.OpenDirection
			if dir == "" {
				dir = troubled(d, r.ID)
			}
			m.chosen = true
			m.show(r.ID, dir)
		}
	}
}

// troubled is the direction of a table's or index's first event; writes where there is
// none.
func troubled(d *analysis.Diagnosis, id telemetry.ResourceID) telemetry.Direction {
	for _, e := range d.Events {
		if e.Resource == id {
			return e.Direction
		}
	}
	return telemetry.Write
}
