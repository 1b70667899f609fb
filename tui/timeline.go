package tui

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// timelineView draws throttles, consumed units against capacity and earlier days, and
// changes, under the columns of the map.
func (m *model) timelineView(l layout) []string {
	w, h := l.timeline.w, l.timeline.h
	if h == 0 || m.view() == nil {
		return fill(nil, w, h)
	}
	g := m.grid()
	if g.minutes == nil {
		return fill(nil, w, h)
	}
	win := m.window(g, l.columns())
	throttles := bars{height: l.throttles, value: func(x analysis.Minute) (float64, bool) {
		return x.Throttled, x.ThrottleState == telemetry.Known
	}}
	lines := m.labelled(l, "throttles", m.total(g), m.draw(g, win, throttles, m.styles.alert))
	if l.consumed > 0 {
		lines = append(lines, m.consumedLines(l, g, win)...)
		lines = append(lines, m.usualLines(l, g, win)...)
	}
	lines = append(lines, m.changesLine(l, g, win))
	return fill(lines, w, h)
}

// labelled puts a label left of the first of some lines and a number right of it.
func (m *model) labelled(l layout, label, right string, lines []string) []string {
	for i, body := range lines {
		if i > 0 {
			label, right = "", ""
		}
		lines[i] = fit(" "+m.styles.cut(label, l.label-2), l.label) + fit(body, l.columns()) + fit(" "+right, l.numbers)
	}
	return lines
}

// total is the sum of refusals up to now.
func (m *model) total(g grid) string {
	var sum float64
	for i := range min(g.known, len(g.minutes)) {
		sum += g.minutes[i].Throttled
	}
	return compact(sum)
}

// compact writes a large number in five characters.
func compact(x float64) string {
	switch {
	case x >= 1e9:
		return trim(x/1e9) + "G"
	case x >= 1e6:
		return trim(x/1e6) + "M"
	case x >= 1e4:
		return trim(x/1e3) + "k"
	}
	return telemetry.Thousands(int(x + 0.5))
}

func trim(x float64) string {
	if x >= 100 {
		return telemetry.Thousands(int(x + 0.5))
	}
	whole := int(x*10 + 0.5)
	if whole%10 == 0 {
		return telemetry.Thousands(whole / 10)
	}
	return telemetry.Thousands(whole/10) + "." + string(rune('0'+whole%10))
}

// consumedLines are the units served, a full bar being the capacity where there is one.
func (m *model) consumedLines(l layout, g grid, win window) []string {
	b := bars{height: l.consumed, top: m.unitsTop(g), value: consumedIn}
	label, now := "used "+m.dir.Unit()+"/s", g.lastKnown()
	if right := g.rateText(now); right != "?" && g.minutes[now].Capacity > 0 {
		label = "used of " + compact(float64(g.minutes[now].Capacity)) + " " + m.dir.Unit()
	}
	return m.labelled(l, label, g.rateText(now), m.draw(g, win, b, m.styles.dim))
}

// bars is a series to draw as bars of some lines. A full one is top or more; 0 takes the
// greatest value for top.
type bars struct {
	height int
	top    float64
	value  func(analysis.Minute) (v float64, known bool)
}

// draw draws the greatest value of each column, the top line first.
func (m *model) draw(g grid, win window, b bars, look run) []string {
	if b.top <= 0 {
		for i := range min(g.known, len(g.minutes)) {
			if v, ok := b.value(g.minutes[i]); ok {
				b.top = math.Max(b.top, v)
			}
		}
	}
	eighths := len(m.styles.bars) - 1
	lines := make([]strings.Builder, b.height)
	for c := range win.columns {
		from, to := win.minutes(c)
		height, known := b.column(g, from, to, eighths)
		for r := range lines {
			glyph := m.styles.bars[max(0, min(eighths, height-(b.height-1-r)*eighths))]
			if !known && r == b.height-1 && from < g.known {
				glyph = m.styles.glyph[unknown]
			}
			lines[r].WriteString(strings.Repeat(glyph, win.cells))
		}
	}
	out := make([]string, b.height)
	for r := range lines {
		out[r] = look.Render(lines[r].String())
	}
	return out
}

// column is how many eighths of a line a column's bar is high; at least one for what
// isn't zero.
func (b bars) column(g grid, from, to, eighths int) (height int, known bool) {
	best := 0.0
	for i := from; i < min(to, g.known, len(g.minutes)); i++ {
		if v, ok := b.value(g.minutes[i]); ok {
			best, known = math.Max(best, v), true
		}
	}
	if best <= 0 || b.top <= 0 {
		return 0, known
	}
	full := b.height * eighths
	return max(1, min(full, int(math.Round(best/b.top*float64(full))))), known
}

// happening is a change of the shown table, or a mark that concerns it.
type happening struct {
	at          time.Time
	glyph, text string
}

// happenings are what is known by now to have happened, oldest first.
func (m *model) happenings() []happening {
	var out []happening
	v := m.view()
	for _, t := range v.Tables {
		if t.ID != m.resource.TableID {
			continue
		}
		for _, c := range t.Changes {
			if c.At.Before(v.Window.End) {
				out = append(out, happening{c.At, m.styles.mark, c.Text})
			}
		}
	}
	for _, x := range v.Marks {
		if x.Concerns(m.resource.TableID) {
			out = append(out, happening{x.At, m.styles.note, x.Text})
		}
	}
	slices.SortStableFunc(out, func(a, b happening) int { return a.at.Compare(b.at) })
	return out
}

// happenedAt tells in words what happened in the column of the map that holds a minute; ""
// for nothing.
func (m *model) happenedAt(g grid, minute int) string {
	win := m.window(g, m.layout().columns())
	from, to := win.minutes(max(0, win.column(minute)))
	var texts []string
	for _, x := range m.happenings() {
		if !x.at.Before(g.at(from)) && x.at.Before(g.at(to)) {
			texts = append(texts, m.clockText(x.at)+" "+m.clean(x.text))
		}
	}
	return strings.Join(texts, "; ")
}

// changesLine marks capacity changes, splits, marks and the events that hindsight knows;
// the newest change or mark is told in words where there is room.
func (m *model) changesLine(l layout, g grid, win window) string {
	cells := []rune(strings.Repeat(" ", win.columns*win.cells))
	put := func(t time.Time, glyph string) int {
		c := win.column(int(t.Sub(g.start)/g.period)) * win.cells
		if c < 0 || c >= len(cells) || t.Before(g.start) {
			return -1
		}
		cells[c] = []rune(glyph)[0]
		return c
	}
	for _, e := range m.hindsightEvents() {
		put(e.Start, "[")
		put(e.End, "]")
	}
	last, text := -1, ""
	for _, x := range m.happenings() {
		if c := put(x.at, x.glyph); c >= 0 {
			last, text = c, m.clockText(x.at)+" "+m.clean(x.text)
		}
	}
	if last >= 0 {
		m.tell(cells, last, text)
	}
	label := "changes"
	if len(m.hindsightEvents()) > 0 {
		label = "[events] changes"
		if l.label >= 28 {
			label = "[events] in hindsight"
		}
	}
	return m.labelled(l, label, "", []string{string(cells)})[0]
}

// hindsightEvents are the events that the whole recording shows, notes aside.
func (m *model) hindsightEvents() []*analysis.Event {
	d := m.opts.Hindsight
	if d == nil || m.drill {
		return nil
	}
	var out []*analysis.Event
	for _, e := range d.Events {
		if !e.Note() {
			out = append(out, e)
		}
	}
	return out
}

// tell writes what a mark stands for beside it, where that covers no other mark, or before
// all marks; cut where there is room for no more than its beginning.
func (m *model) tell(cells []rune, mark int, text string) {
	r := []rune(text)
	if width(text) != len(r) {
		return
	}
	const least = 12 // cells
	right := cells[min(mark+2, len(cells)):]
	room := blanks(right)
	before := cells[:mark]
	slices.Reverse(before)
	left := blanks(before)
	slices.Reverse(before)
	switch {
	case room >= len(r):
		copy(right, r)
	case left > len(r):
		copy(before[mark-len(r)-1:], r)
	case blanks(cells) > len(r):
		copy(cells[blanks(cells)-len(r):], r) // it begins with its time, so left of all marks will do
	case room >= least:
		copy(right, []rune(m.styles.cut(text, room)))
	}
}

// blanks counts the free cells that cells begin with, less one before the next mark.
func blanks(cells []rune) int {
	n := slices.IndexFunc(cells, func(r rune) bool { return r != ' ' })
	if n < 0 {
		return len(cells)
	}
	return max(0, n-1)
}
