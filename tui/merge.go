package tui

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// drawnLines are the lines of the map that are drawn on some rows. Where there are more
// lines, those around the crosshair are drawn, and without one the coldest are merged.
func (m *model) drawnLines(g grid, rows int) []line {
	switch {
	case len(g.lines) <= rows:
		return g.lines
	case m.cross.on || rows < 2:
		first := max(0, min(g.lineOf(m.cross.id)-rows/2, len(g.lines)-rows))
		return g.lines[first : first+rows]
	}
	return merged(g.lines, rows)
}

// merged makes lines fit on rows: the coldest become one line at the end whose cells are
// the greatest of theirs. The others stay where they are.
func merged(lines []line, rows int) []line {
	byHeat := slices.Clone(lines)
	slices.SortStableFunc(byHeat, func(a, b line) int { return cmp.Compare(b.heat(), a.heat()) })
	warm := map[string]bool{}
	for _, l := range byHeat[:rows-1] {
		warm[l.id] = true
	}
	rest := line{id: restLineID}
	var out []line
	n := 0
	for _, l := range lines {
		if warm[l.id] {
			out = append(out, l)
			continue
		}
		n++
		rest.absorb(l)
	}
	rest.label = fmt.Sprintf("%d lines merged", n)
	if rest.modelled {
		rest.label = "~" + rest.label
	}
	return append(out, rest)
}

// heat is a line's peak as a share of its ceiling. The whole resource is never merged
// into its parts.
func (l line) heat() telemetry.Rate {
	if l.id == limitLineID {
		const hottest = 1e9
		return hottest
	}
	return l.peak / l.ceiling
}

// absorb takes another line's cells where they are hotter.
func (l *line) absorb(other line) {
	l.ceiling, l.modelled, l.peak = other.ceiling, other.modelled, max(l.peak, other.peak)
	l.count += other.count
	if l.cells == nil {
		l.cells = slices.Clone(other.cells)
		return
	}
	for i := range min(len(l.cells), len(other.cells)) {
		if hotter(other.cells[i], l.cells[i], l.ceiling) {
			l.cells[i] = other.cells[i]
		}
	}
}

// hotter reports whether a cell says more than another: a higher level, or more load at
// the same.
func hotter(a, b analysis.Cell, ceiling telemetry.Rate) bool {
	return cmp.Or(cmp.Compare(levelOf(a, ceiling), levelOf(b, ceiling)), cmp.Compare(a.Likely, b.Likely)) > 0
}
