package tui

import (
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// line is one row of the map: a partition, several alike, or a key.
type line struct {
	id    string // what the row is told apart by
	label string // cleaned
	cells []analysis.Cell
	peak  telemetry.Rate
	count int // partitions behind it
	// modelled marks partitions; keys are measured.
	modelled bool
	ceiling  telemetry.Rate // what is 100 % of the line
	key      telemetry.Key  // the foremost key; zero for none
}

// grid is what the map shows: lines by minutes, before zoom.
type grid struct {
	lines   []line
	start   time.Time
	period  time.Duration
	total   int // minutes of the whole map
	known   int // minutes that have happened
	ceiling telemetry.Rate
	minutes []analysis.Minute
}

// at is when a minute of the map begins.
func (g grid) at(minute int) time.Time { return g.start.Add(g.period * time.Duration(minute)) }

// grid collects the lines of the chosen resource and direction.
func (m *model) grid() grid {
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
	load := m.load()
	if load == nil {
		return g
	}
	g.ceiling, g.minutes = load.Ceiling, load.Minutes
	g.lines = m.linesOf(load)
	m.order.apply(g.lines)
	if all, ok := m.limitLine(load); ok && !m.byKey && m.filter == "" {
		g.lines = append([]line{all}, g.lines...)
	}
	return g
}

// The ids of lines that stand for no key; no key's text is like them.
const (
	limitLineID = "\x00limit"
	restLineID  = "\x00merged"
)

// linesOf are the partitions or keys of a load.
func (m *model) linesOf(load *analysis.Load) []line {
	if m.byKey {
		return m.keyLines(load)
	}
	return m.partitionLines(load)
}

// limitLine is the whole resource against its own limit, provisioned or the on-demand
// maximum; false where there is no limit. Each minute is measured against the limit then
// in force, which counts as 1.
func (m *model) limitLine(load *analysis.Load) (line, bool) {
	l := line{id: limitLineID, count: 1, ceiling: 1, cells: make([]analysis.Cell, len(load.Minutes))}
	var newest telemetry.Rate
	for i, x := range load.Minutes {
		if x.Capacity <= 0 {
			continue
		}
		newest = x.Capacity
		rate := x.Consumed / x.Capacity
		l.cells[i] = analysis.Cell{State: x.State, Likely: rate, Low: rate, High: rate}
		if x.ByLimit.Provisioned+x.ByLimit.MaxOnDemand > 0 {
			l.cells[i].Throttled = x.ByLimit.Provisioned + x.ByLimit.MaxOnDemand
		}
		l.peak = max(l.peak, rate)
	}
	l.label = "all of " + compact(float64(newest)) + " " + m.dir.Unit() + "/s"
	return l, newest > 0
}

func (m *model) partitionLines(load *analysis.Load) []line {
	var out []line
	n := 1
	for _, r := range load.Rows {
		l := line{cells: r.Cells, peak: r.Peak, count: r.Count, modelled: true, ceiling: load.Ceiling}
		place := telemetry.Thousands(n)
		if r.Count > 1 {
			place += m.styles.dash() + telemetry.Thousands(n+r.Count-1)
		}
		n += r.Count
		switch {
		case len(r.Keys) > 0:
			l.key = r.Keys[0]
			l.id = r.Keys[0].Partition
			l.label = "~p" + place + " " + m.cleanKey(l.id)
			for _, k := range r.Keys[1:] {
				l.label += " " + m.cleanKey(k.Partition)
			}
		case r.Count > 1:
			l.id, l.label = "\x00rest", "~p"+place+" the rest"
		default:
			l.id, l.label = "\x00unnamed", "~p"+place+" no key known"
		}
		if !m.matches(l.label) {
			continue
		}
		out = append(out, l)
	}
	return out
}

func (m *model) keyLines(load *analysis.Load) []line {
	var out []line
	for _, k := range load.Keys {
		l := line{id: k.Key.Partition, label: m.cleanKey(k.Key.Partition), cells: k.Cells, peak: k.Peak, count: 1, key: k.Key, ceiling: load.Ceiling}
		if m.matches(l.label) {
			out = append(out, l)
		}
	}
	return out
}

// order keeps lines where they were while one looks; lines not met before come at the
// end. The zero value keeps the order given.
type order struct{ rank map[string]int }

func (o *order) apply(lines []line) {
	if o.rank == nil {
		o.rank = map[string]int{}
	}
	for _, l := range lines {
		if _, met := o.rank[l.id]; !met {
			o.rank[l.id] = len(o.rank)
		}
	}
	// Insertion sort: short, stable, and nearly sorted already.
	for i := 1; i < len(lines); i++ {
		for j := i; j > 0 && o.rank[lines[j].id] < o.rank[lines[j-1].id]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
}

// cellAt is a line's cell in a minute; unknown outside what the line has.
func (l line) cellAt(minute int) analysis.Cell {
	if minute < 0 || minute >= len(l.cells) {
		return analysis.Cell{}
	}
	return l.cells[minute]
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
	share := float64(c.Likely) / float64(ceiling)
	switch {
	case share >= 0.995:
		return full
	case share >= 0.8:
		return hot
	case share >= 0.5:
		return warm
	case share >= 0.05:
		return cool
	}
	return idle
}

// columnLevel is the worst level of the minutes a column stands for. Refused beats full
// and so on; unknown shows only where nothing is known.
func (g grid) columnLevel(l line, from, to int) level {
	worst := later
	for i := from; i < min(to, g.known); i++ {
		worst = max(worst, levelOf(l.cellAt(i), l.ceiling))
	}
	return worst
}
