package tui

import (
	"cmp"
	"slices"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// drawnLines are the lines of the map that are drawn on some rows, for the minutes from
// from to to. Where there are more lines than rows, those around the crosshair are drawn,
// and without one the hottest; all others are merged into one line at the end.
func (m *model) drawnLines(g grid, rows, from, to int) []line {
	n := len(g.lines)
	switch {
	case n <= rows:
		return g.lines
	case rows < 2:
		at := g.lineOf(m.cross.id)
		return g.lines[at : at+rows]
	}
	shown := make([]bool, n)
	if m.cross.on {
		room, pinned := rows-1, 0
		if g.lines[0].id == limitLineID && room > 1 {
			room, pinned, shown[0] = room-1, 1, true
		}
		first := max(pinned, min(g.lineOf(m.cross.id)-room/2, n-room))
		for i := range room {
			shown[first+i] = true
		}
	} else {
		for _, i := range g.merging.hottest(g.lines)[:rows-1] {
			shown[i] = true
		}
	}
	out := make([]line, 0, rows)
	for i, l := range g.lines {
		if shown[i] {
			out = append(out, l)
		}
	}
	return append(out, g.mergedLine(shown, from, min(to, g.known), g.lastKnown()))
}

// mergedLine stands for all lines that aren't shown: a cell tells what the one of theirs
// does that says most. Only the minutes from from to to, and now, are worked out.
func (g grid) mergedLine(shown []bool, from, to, now int) line {
	x := g.merging
	if x.asked.is(shown, from, to, now) {
		return x.merged
	}
	out := line{id: mergedLineID, cells: make([]analysis.Cell, max(to, now+1))}
	hidden := 0
	for i, l := range g.lines {
		if !shown[i] {
			hidden++
			out.count += l.count
			out.peak, out.ceiling = max(out.peak, l.peak), l.ceiling
			out.modelled = out.modelled || l.modelled
		}
	}
	for i, w := range x.window.over(g.lines, shown, from, to) {
		out.cells[from+i] = w.cell()
	}
	for _, w := range x.now.over(g.lines, shown, max(0, now), now+1) {
		out.cells[now] = w.cell()
	}
	out.text = telemetry.Thousands(hidden) + " lines merged"
	if out.count > hidden {
		out.text += ", " + telemetry.Thousands(out.count) + " partitions"
	}
	if out.modelled {
		out.text = "~" + out.text
	}
	x.asked, x.merged = question{shown, from, to, now}, out
	return out
}

// merging remembers what is costly to find of many lines: their order by heat, what whole
// bundles of them tell together, and the last merged line with what was asked for.
type merging struct {
	byHeat      []int
	window, now bundles
	asked       question
	merged      line
}

// question is what a merged line answers.
type question struct {
	shown         []bool
	from, to, now int
}

func (q question) is(shown []bool, from, to, now int) bool {
	return q.from == from && q.to == to && q.now == now && slices.Equal(q.shown, shown)
}

func newMerging(lines []line) *merging {
	if len(lines) == 0 {
		return nil
	}
	return &merging{window: newBundles(len(lines)), now: newBundles(len(lines))}
}

// hottest are the places of the lines, the hottest first. The whole resource is never
// merged into its parts, nor the ordinary partitions with those of named keys while there
// is room for more than one line.
func (x *merging) hottest(lines []line) []int {
	if x.byHeat == nil {
		x.byHeat = make([]int, len(lines))
		for i := range lines {
			x.byHeat[i] = i
		}
		slices.SortStableFunc(x.byHeat, func(a, b int) int { return cmp.Compare(lines[b].heat(), lines[a].heat()) })
	}
	return x.byHeat
}

// heat is a line's peak as a share of its ceiling.
func (l line) heat() telemetry.Rate {
	const never = 1e9 // never merged
	switch l.id {
	case limitLineID:
		return 2 * never
	case restLineID, unnamedLineID:
		return never
	}
	return l.peak / l.ceiling
}

// weight is what a cell tells in one number, so that of several the greatest tells most:
// what told says of its level, then its load.
type weight float64

// perLevel is more than any load.
const perLevel = 1e12

func weightOf(c *analysis.Cell, ceiling telemetry.Rate) weight {
	return weight(told[levelOf(*c, ceiling)])*perLevel + weight(c.Likely)
}

// cell is a cell that tells as much. Of refusals it says only that there are some.
func (w weight) cell() analysis.Cell {
	rank := int(w / perLevel)
	c := analysis.Cell{State: telemetry.Known, Likely: telemetry.Rate(w - weight(rank)*perLevel)}
	switch rank {
	case told[unknown], told[later]:
		return analysis.Cell{}
	case told[pending]:
		return analysis.Cell{State: telemetry.Pending}
	case told[throttled]:
		c.Throttled = 1
	}
	return c
}

// bundleLines is how many lines make a bundle.
const bundleLines = 16

// bundles are what lines tell together, a bundle of them at a time, over the minutes low
// to high. Other minutes aren't worked out until they are drawn.
type bundles struct {
	low, high int
	tells     [][]weight // of each bundle; the first minute is low
}

func newBundles(lines int) bundles {
	return bundles{tells: make([][]weight, (lines+bundleLines-1)/bundleLines)}
}

// over is what all lines that aren't shown tell, over the minutes from from to to.
func (b *bundles) over(lines []line, shown []bool, from, to int) []weight {
	if from >= to {
		return nil
	}
	b.reach(lines, from, to)
	out := make([]weight, to-from)
	for i, tells := range b.tells {
		at, end := i*bundleLines, min((i+1)*bundleLines, len(lines))
		if slices.Contains(shown[at:end], true) {
			for j := at; j < end; j++ {
				if !shown[j] {
					lines[j].tell(out, from)
				}
			}
			continue
		}
		for k, w := range tells[from-b.low : to-b.low] {
			out[k] = max(out[k], w)
		}
	}
	return out
}

// reach works out the minutes from from to to where they aren't yet.
func (b *bundles) reach(lines []line, from, to int) {
	if b.low == b.high || from > b.high || to < b.low {
		b.low, b.high = from, from
		clear(b.tells)
	}
	low, high := min(from, b.low), max(to, b.high)
	if low == b.low && high == b.high {
		return
	}
	for i, tells := range b.tells {
		all := make([]weight, high-low)
		copy(all[b.low-low:], tells)
		for _, l := range lines[i*bundleLines : min((i+1)*bundleLines, len(lines))] {
			l.tell(all[:b.low-low], low)
			l.tell(all[b.high-low:], b.high)
		}
		b.tells[i] = all
	}
	b.low, b.high = low, high
}

// tell raises weights, of the minutes from from on, to those of the line's cells. Beyond
// its end a line is unknown.
func (l line) tell(out []weight, from int) {
	have := l.cells[min(from, len(l.cells)):]
	for i := range out {
		if i >= len(have) {
			out[i] = max(out[i], weightOf(&analysis.Cell{}, l.ceiling))
			continue
		}
		out[i] = max(out[i], weightOf(&have[i], l.ceiling))
	}
}
