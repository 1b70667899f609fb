package tui

// rect is a part of the screen in cells.
type rect struct{ x, y, w, h int }

// layout names the parts of a frame. They tile it from top to bottom; a part that has
// no room has height 0.
type layout struct {
	title, verdict, body, timeline, footer rect
	// label and numbers are the widths left and right of the heat.
	label, numbers int
}

// arrange divides a screen. The verdict comes before anything else: on a screen too low
// for more, only it remains.
func arrange(w, h int) layout {
	l := layout{label: 18, numbers: 13}
	if w >= 100 {
		l.label = 26
	}
	if w >= 160 {
		l.label = 36
	}
	if w < 60 {
		l.label, l.numbers = 12, 5
	}
	if w < 30 {
		l.label, l.numbers = 6, 0
	}
	left := h
	take := func(n int) rect {
		n = max(0, min(n, left))
		r := rect{0, h - left, w, n}
		left -= n
		return r
	}
	title, verdict, timeline, footer := 1, verdictLines(w, h), 3, 1
	if h < 16 {
		timeline = 0
	} else if h < 20 {
		timeline = 2
	}
	if h < 10 {
		title, footer = 0, 0
	}
	if h < 6 {
		verdict = min(verdict, h)
	}
	l.title = take(title)
	l.verdict = take(verdict)
	l.body = take(left - timeline - footer)
	l.timeline = take(timeline)
	l.footer = take(footer)
	return l
}

// verdictLines is how many lines the verdict gets: more where they are short.
func verdictLines(w, h int) int {
	switch {
	case w >= 160:
		return 2
	case w >= 100:
		return 3
	case h >= 22:
		return 5
	}
	return 4
}

// columns is the width of the heat.
func (l layout) columns() int { return max(0, l.body.w-l.label-l.numbers) }
