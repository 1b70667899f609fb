package tui

import (
	"math"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// timelineView draws throttles, consumed units against capacity, and changes, under the
// columns of the map.
func (m *model) timelineView(l layout) []string {
	w, h := l.timeline.w, l.timeline.h
	if h == 0 {
		return nil
	}
	g := m.grid()
	if g.minutes == nil {
		return fill(nil, w, h)
	}
	win := m.window(g, l.columns())
	throttles := m.spark(g, win, func(x analysis.Minute) (float64, bool) {
		return x.Throttled, x.ThrottleState == telemetry.Known
	}, 0)
	lines := []string{m.labelled(l, "throttles", m.styles.alert.Render(throttles), m.total(g))}
	if h >= 3 {
		lines = append(lines, m.consumedLine(l, g, win))
	}
	if h >= 2 {
		lines = append(lines, m.changesLine(l, g, win))
	}
	return fill(lines, w, h)
}

func (m *model) labelled(l layout, label, body, right string) string {
	return fit(" "+m.styles.cut(label, l.label-2), l.label) + body + fit(right, l.numbers)
}

// total is the sum of refusals up to now.
func (m *model) total(g grid) string {
	var sum float64
	for i := range min(g.known, len(g.minutes)) {
		sum += g.minutes[i].Throttled
	}
	return " " + compact(sum)
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
	return number(int(x + 0.5))
}

func trim(x float64) string {
	if x >= 100 {
		return number(int(x + 0.5))
	}
	whole := int(x*10 + 0.5)
	if whole%10 == 0 {
		return number(whole / 10)
	}
	return number(whole/10) + "." + string(rune('0'+whole%10))
}

func (m *model) consumedLine(l layout, g grid, win window) string {
	var limit telemetry.Rate
	for i := range min(g.known, len(g.minutes)) {
		limit = max(limit, g.minutes[i].Capacity)
	}
	label := "consumed " + unit(m.dir)
	right := ""
	if i := m.lastKnown(g); i >= 0 && i < len(g.minutes) && g.minutes[i].State == telemetry.Known {
		right = " " + compact(float64(g.minutes[i].Consumed)) + "/s"
		if c := g.minutes[i].Capacity; c > 0 {
			label = "of " + compact(float64(c)) + " " + unit(m.dir) + "/s"
			right = " " + compact(float64(g.minutes[i].Consumed)) + "/s"
		}
	}
	body := m.spark(g, win, func(x analysis.Minute) (float64, bool) {
		return float64(x.Consumed), x.State == telemetry.Known
	}, float64(limit))
	return m.labelled(l, label, body, right)
}

// spark draws the greatest value of each column as a bar; top is the value of a full
// one, at least the greatest of all.
func (m *model) spark(g grid, win window, value func(analysis.Minute) (float64, bool), top float64) string {
	for _, x := range g.minutes {
		if v, ok := value(x); ok {
			top = math.Max(top, v)
		}
	}
	var b strings.Builder
	for c := range win.columns {
		from, to := win.minutes(c)
		b.WriteString(m.bar(g, from, min(to, g.known), value, top))
	}
	return b.String()
}

func (m *model) bar(g grid, from, to int, value func(analysis.Minute) (float64, bool), top float64) string {
	best, known := 0.0, false
	for i := from; i < min(to, len(g.minutes)); i++ {
		if v, ok := value(g.minutes[i]); ok {
			best, known = math.Max(best, v), true
		}
	}
	switch {
	case from >= to || from >= len(g.minutes):
		return " "
	case !known:
		return m.styles.glyph[unknown]
	case best <= 0 || top <= 0:
		return m.styles.bars[0]
	}
	n := len(m.styles.bars) - 1
	return m.styles.bars[max(1, min(n, int(math.Ceil(best/top*float64(n)))))]
}

// changesLine marks capacity changes, splits and, in replay, the events to come; the
// newest change is told in words where there is room.
func (m *model) changesLine(l layout, g grid, win window) string {
	cells := []rune(strings.Repeat(" ", win.columns))
	put := func(t time.Time, glyph string) int {
		c := win.column(int(t.Sub(g.start) / g.period))
		if c >= 0 && c < len(cells) && !t.Before(g.start) {
			cells[c] = []rune(glyph)[0]
			return c
		}
		return -1
	}
	for _, e := range m.marks() {
		put(e, m.styles.edge)
	}
	last, text := -1, ""
	v := m.view()
	for _, t := range v.Tables {
		if t.ID != m.resource.TableID {
			continue
		}
		for _, ch := range t.Changes {
			if ch.At.Before(v.Window.End) {
				if c := put(ch.At, m.styles.mark); c >= 0 {
					last, text = c, m.clockText(ch.At)+" "+m.clean(ch.Text)
				}
			}
		}
	}
	if last >= 0 {
		room := len(cells) - last - 2
		if r := []rune(text); room >= len(r) {
			copy(cells[last+2:], r)
		} else if last > len(r)+1 {
			copy(cells[last-len(r)-1:], r)
		}
	}
	label := "changes"
	if m.opts.Hindsight != nil {
		label = "changes, events (hindsight)"
		if l.label < 30 {
			label = "changes, events"
		}
	}
	return m.labelled(l, label, string(cells), "")
}

// marks are the starts and ends of the events that hindsight knows.
func (m *model) marks() []time.Time {
	d := m.opts.Hindsight
	if d == nil || m.drill {
		return nil
	}
	var out []time.Time
	for _, e := range d.Events {
		if !e.Note() {
			out = append(out, e.Start, e.End)
		}
	}
	return out
}
