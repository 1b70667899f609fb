package tui

import (
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// line is one row of the map: a partition, several alike, or a key.
type line struct {
	id string // what the row is told apart by
	// text is the label of a line that stands for no key; the others' labels are made
	// from their keys, raw here, where they are drawn.
	text string
	keys []telemetry.Key
	// first is the number of the first partition behind it, count how many there are.
	first, count int
	cells        []analysis.Cell
	peak         telemetry.Rate
	// modelled marks partitions; keys are measured.
	modelled bool
	ceiling  telemetry.Rate // what is 100 % of the line
}

// The ids of lines that stand for no key; no key's text is like them.
const (
	limitLineID   = "\x00limit"
	mergedLineID  = "\x00merged"
	restLineID    = "\x00rest"
	unnamedLineID = "\x00unnamed"
)

// key is the foremost key of a line; "" for none.
func (l line) key() string {
	if len(l.keys) == 0 {
		return ""
	}
	return l.keys[0].Partition
}

// label names a line, cleaned.
func (m *model) label(l line) string {
	switch {
	case l.id == limitLineID || l.id == mergedLineID:
		return l.text
	case !l.modelled:
		return m.cleanKey(l.key())
	}
	place := telemetry.Thousands(l.first)
	if l.count > 1 {
		place += m.styles.dash() + telemetry.Thousands(l.first+l.count-1)
	}
	parts := []string{"~p" + place}
	if l.text != "" {
		parts = append(parts, l.text)
	}
	for _, k := range l.keys {
		parts = append(parts, m.cleanKey(k.Partition))
	}
	return strings.Join(parts, " ")
}

// linesOf are the partitions or keys of a load that pass the filter.
func (m *model) linesOf(load *analysis.Load) []line {
	lines := partitionLines(load)
	if m.byKey {
		lines = keyLines(load)
	}
	if m.filter == "" {
		return lines
	}
	var out []line
	for _, l := range lines {
		if m.matches(m.label(l)) {
			out = append(out, l)
		}
	}
	return out
}

func partitionLines(load *analysis.Load) []line {
	out := make([]line, 0, len(load.Rows))
	n := 1
	for _, r := range load.Rows {
		l := line{
			keys: r.Keys, first: n, count: r.Count,
			cells: r.Cells, peak: r.Peak, modelled: true, ceiling: load.Ceiling,
		}
		n += r.Count
		switch {
		case len(r.Keys) > 0:
			l.id = r.Keys[0].Partition
		case r.Count > 1:
			l.id, l.text = restLineID, "the rest"
		default:
			l.id, l.text = unnamedLineID, "no key known"
		}
		out = append(out, l)
	}
	return out
}

func keyLines(load *analysis.Load) []line {
	out := make([]line, 0, len(load.Keys))
	for _, k := range load.Keys {
		out = append(out, line{
			id: k.Key.Partition, keys: []telemetry.Key{k.Key}, count: 1,
			cells: k.Cells, peak: k.Peak, ceiling: load.Ceiling,
		})
	}
	return out
}

// limitLine is the whole resource against its own limit, provisioned or the on-demand
// maximum; false where there is no limit. Each minute is measured against the limit then
// in force, which counts as much as a partition's ceiling.
func (m *model) limitLine(load *analysis.Load) (line, bool) {
	l := line{id: limitLineID, count: 1, ceiling: load.Ceiling, cells: make([]analysis.Cell, len(load.Minutes))}
	var newest telemetry.Rate
	for i, x := range load.Minutes {
		if x.Capacity <= 0 {
			continue
		}
		newest = x.Capacity
		rate := x.Consumed / x.Capacity * load.Ceiling
		l.cells[i] = analysis.Cell{State: x.State, Likely: rate, Low: rate, High: rate}
		if x.ByLimit.Provisioned+x.ByLimit.MaxOnDemand > 0 {
			l.cells[i].Throttled = x.ByLimit.Provisioned + x.ByLimit.MaxOnDemand
		}
		l.peak = max(l.peak, rate)
	}
	l.text = "all of " + compact(float64(newest)) + " " + m.dir.Unit() + "/s"
	return l, newest > 0
}

// cellAt is a line's cell in a minute; unknown outside what the line has.
func (l line) cellAt(minute int) analysis.Cell {
	if minute < 0 || minute >= len(l.cells) {
		return analysis.Cell{}
	}
	return l.cells[minute]
}
