package tui

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// grid is what the map shows: lines by minutes, before zoom.
type grid struct {
	lines   []line
	start   time.Time
	period  time.Duration
	total   int // minutes of the whole map
	known   int // minutes that have happened
	ceiling telemetry.Rate
	minutes []analysis.Minute
	// merging holds what was found of merged lines; nil in a grid without lines.
	merging *merging
}

// at is when a minute of the map begins.
func (g grid) at(minute int) time.Time { return g.start.Add(g.period * time.Duration(minute)) }

// subject is what a grid is made of, besides the order of its lines.
type subject struct {
	step     *analysis.Diagnosis
	load     *analysis.Load
	resource telemetry.ResourceID
	dir      telemetry.Direction
	byKey    bool
	masking  bool
	filter   string
}

// memo keeps the last grid, so that a frame in which nothing but the view of it moved
// needs no other.
type memo struct {
	subject subject
	grid    grid
}

// grid collects the lines of the chosen resource and direction.
func (m *model) grid() grid {
	s := subject{m.history.step(), m.load(), m.resource, m.dir, m.byKey, m.masking, m.filter}
	if m.memo.subject != s || m.order.rank == nil {
		m.memo = memo{s, m.newGrid(s.load)}
	}
	return m.memo.grid
}

func (m *model) newGrid(load *analysis.Load) grid {
	g := grid{period: time.Minute}
	v := m.view()
	if v == nil {
		return g
	}
	g.start = v.Window.Start
	if v.Window.Period > 0 {
		g.period = v.Window.Period
	}
	g.known = max(0, int((v.Window.End.Sub(g.start)+g.period-1)/g.period))
	g.total = g.known
	if h := m.opts.Hindsight; h != nil && h.Window.End.After(v.Window.End) {
		g.total = int(h.Window.End.Sub(g.start) / g.period)
	}
	if load == nil {
		return g
	}
	g.ceiling, g.minutes = load.Ceiling, load.Minutes
	g.lines = m.linesOf(load)
	if len(g.minutes) > g.known {
		g.forgetLater()
	}
	m.order.apply(g.lines)
	if all, ok := m.limitLine(load); ok && !m.byKey && m.filter == "" {
		g.lines = append([]line{all}, g.lines...)
	}
	g.merging = newMerging(g.lines)
	return g
}

// forgetLater takes peaks from what has happened, where the loads are those of a later
// step.
func (g *grid) forgetLater() {
	for i, l := range g.lines {
		g.lines[i].peak = g.peakOf(l).Likely
	}
}

// peakOf is a line's busiest minute up to now; unknown where none is known.
func (g grid) peakOf(l line) analysis.Cell {
	var peak analysis.Cell
	for i := range min(g.known, len(l.cells)) {
		if c := l.cells[i]; c.State == telemetry.Known && (peak.State != telemetry.Known || c.Likely > peak.Likely) {
			peak = c
		}
	}
	return peak
}

// order keeps lines where they were while one looks; lines not met before come at the
// end. The zero value keeps the order given.
type order struct{ rank map[string]int }

func (o *order) apply(lines []line) {
	if o.rank == nil {
		o.rank = make(map[string]int, len(lines))
	}
	ranks := make([]int, len(lines))
	sorted := true
	for i, l := range lines {
		at, met := o.rank[l.id]
		if !met {
			at = len(o.rank)
			o.rank[l.id] = at
		}
		ranks[i] = at
		sorted = sorted && (i == 0 || ranks[i-1] <= at)
	}
	if sorted {
		return
	}
	places := make([]int, len(lines))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return ranks[a] - ranks[b] })
	was := slices.Clone(lines)
	for i, p := range places {
		lines[i] = was[p]
	}
}

// levelOf ranks a cell against the ceiling, always absolutely.
func levelOf(c analysis.Cell, ceiling telemetry.Rate) level {
	switch c.State {
	case telemetry.Unknown:
		return unknown
	case telemetry.Pending:
		return pending
	}
	if c.Throttled > 0 {
		return throttled
	}
	switch {
	case c.Likely >= 0.995*ceiling:
		return full
	case c.Likely >= 0.8*ceiling:
		return hot
	case c.Likely >= 0.5*ceiling:
		return warm
	case c.Likely >= 0.05*ceiling:
		return cool
	}
	return idle
}

// told ranks levels by which of several cells drawn as one shows. The hottest does; but
// what is unknown or pending gives way only to what is at least warm, for a known load
// below half of the ceiling must not stand for one that nobody knows.
var told = [levels]int{later: 0, idle: 1, cool: 2, pending: 3, unknown: 4, warm: 5, hot: 6, full: 7, throttled: 8}

// columnLevel is what a line's minutes tell that a column stands for.
func (g grid) columnLevel(l line, from, to int) level {
	tells := later
	for i := from; i < min(to, g.known); i++ {
		if lv := levelOf(l.cellAt(i), l.ceiling); told[lv] > told[tells] {
			tells = lv
		}
	}
	return tells
}
