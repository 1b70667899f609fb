package tui

import (
	"github.com/hotpart/hotpart/analysis"
)

// rect is a part of the screen in cells.
type rect struct{ x, y, w, h int }

// has reports whether a cell lies in the rectangle.
func (r rect) has(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// layout names the parts of a frame. They tile it from top to bottom; a part that has
// no room has height 0.
type layout struct {
	title, verdict, body, timeline, why, footer rect
	// label and numbers are the widths left and right of the heat.
	label, numbers int
	// throttles and consumed are the heights of the time line's bars.
	throttles, consumed int
	// usual is how many earlier days there is room for.
	usual int
}

// shape is what besides the size decides how a screen is divided.
type shape struct {
	// heat is set where the body is the map; lines is then how many it would show,
	// header and crosshair included.
	heat  bool
	lines int
	// usual is set where earlier days are wanted.
	usual bool
	// verdict is how many lines the verdict takes in full.
	verdict int
}

// A map has at least these lines on a low and on a high screen where there is room, so
// that what is below doesn't move with every key that turns up.
const (
	leastLow  = 5
	leastHigh = 7
)

// leastWhy is the least room in which reasons are worth their line.
const leastWhy = 4

// arrange divides a screen. The verdict comes before anything else: on a screen too low
// for more, only it remains.
func arrange(w, h int, s shape) layout {
	l := layout{}
	l.label, l.numbers = margins(w)
	at := 0
	take := func(n int) rect {
		n = max(0, min(n, h-at))
		r := rect{0, at, w, n}
		at += n
		return r
	}
	title, footer := 1, 1
	if h < 10 {
		title, footer = 0, 0
	}
	if h < 6 {
		l.verdict = take(h)
		return l
	}
	l.title = take(title)
	l.verdict = take(verdictLines(w, h, s.verdict))
	timeline := l.bars(h, s)
	room := max(0, h-at-footer-timeline)
	body := room
	least := leastHigh
	if h < 30 {
		least = leastLow
	}
	if wanted := max(least, s.lines); s.heat && room-wanted >= leastWhy {
		body = wanted
	}
	l.body = take(body)
	l.timeline = take(timeline)
	l.why = take(h - at - footer)
	l.footer = take(footer)
	return l
}

// margins are the widths left and right of the heat.
func margins(w int) (label, numbers int) {
	switch {
	case w >= 160:
		return 40, 13
	case w >= 100:
		return 28, 13
	case w >= 60:
		return 18, 13
	case w >= 30:
		return 12, 6
	}
	return 6, 0
}

// bars sets the heights of the time line's bars and returns the whole time line's.
func (l *layout) bars(h int, s shape) int {
	switch {
	case h < 16 || !s.heat && h < 30:
		return 0
	case h < 20:
		l.throttles = 1
	case h < 32 || !s.heat:
		l.throttles, l.consumed = 1, 1
	case h < 44:
		l.throttles, l.consumed = 2, 2
	default:
		l.throttles, l.consumed = 3, 3
	}
	if s.usual && s.heat && l.consumed > 0 {
		l.usual = 2
	}
	return l.throttles + l.consumed + l.usual + 1
}

// verdictLines is how many lines the verdict gets: more where they are short, and some more
// than usual where it would be cut and the screen isn't low.
func verdictLines(w, h, wanted int) int {
	usual := 5
	switch {
	case w >= 160, w >= 100 && h < 24:
		usual = 3
	case w >= 100 || h < 22:
		usual = 4
	}
	more := 0
	if h >= 18 {
		more = 1
	}
	if h >= 18 && w < 80 {
		more = 2
	}
	return max(usual, min(wanted, usual+more))
}

// columns is the width of the heat.
func (l layout) columns() int { return max(0, l.body.w-l.label-l.numbers) }

// layout divides the model's screen.
func (m *model) layout() layout {
	s := shape{heat: m.pane == heatPane, usual: m.usual.on}
	if s.heat && m.view() != nil {
		s.lines = 1 + len(m.grid().lines) + m.crossHeight()
	}
	s.verdict = m.verdictWanted(m.width)
	l := arrange(m.width, m.height, s)
	if h := m.opts.Hindsight; l.numbers > 0 && h != nil && !m.opts.Live {
		l.widen(m.labelWidth(h), m.spare(l))
	}
	return l
}

// widen gives labels room that the heat leaves unused.
func (l *layout) widen(wanted, spare int) {
	if more := min(wanted-l.label, spare); more > 0 {
		l.label += more
	}
}

// spare is how many cells of the heat's width are for labels to take: those that stay
// empty when all of a replay is shown, or a few where its minutes share any width.
func (m *model) spare(l layout) int {
	g := m.grid()
	win := m.window(g, l.columns())
	if win.all > 0 {
		return m.width / 8
	}
	return l.columns() - win.used(g.total)*win.cells
}

// labelWidth is the width that the longest label of a whole recording's map takes, its
// margins included. Taken from hindsight it stays the same for all of a replay.
func (m *model) labelWidth(whole *analysis.Diagnosis) int {
	s := subject{resource: m.resource, dir: m.dir, byKey: m.byKey, masking: m.masking, filter: m.filter}
	if m.labels.subject != s || m.labels.width == 0 {
		m.labels.subject, m.labels.width = s, m.longestLabel(whole)+2
	}
	return m.labels.width
}

func (m *model) longestLabel(whole *analysis.Diagnosis) int {
	r := resourceOf(whole, m.resource)
	if r == nil {
		return 0
	}
	load := r.Load(m.dir)
	longest := 0
	for _, x := range m.linesOf(load) {
		longest = max(longest, width(m.label(x)))
	}
	if all, ok := m.limitLine(load); ok {
		longest = max(longest, width(all.text))
	}
	return longest
}
