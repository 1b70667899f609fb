package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// usual is the comparison with the same hours of earlier days.
type usual struct {
	on bool
	// asked is up to when the data ran when a resource was asked for.
	asked map[telemetry.ResourceID]time.Time
}

// askUsualEvery is how far the data run on before earlier days are asked for again. An
// answer reaches some hours ahead.
const askUsualEvery = time.Hour

// toggleUsual shows earlier days under the units used, or hides them.
func (m *model) toggleUsual() {
	m.usual.on = !m.usual.on && (m.opts.Compare != nil || len(m.earlierDays()) > 0)
	switch {
	case m.usual.on:
		delete(m.usual.asked, m.resource)
		m.open(heatPane)
		if m.layout().usual == 0 {
			m.say("a higher screen has room for the same hours of earlier days")
		}
	case m.opts.Compare == nil && len(m.earlierDays()) == 0:
		m.say("this recording holds no earlier days of %s: live, %s asks for them", m.clean(m.resource.String()), m.keys.names([]action{compareDays}))
	}
}

// askUsual asks for the earlier days of the shown table or index where they are wanted and
// weren't asked for lately. They come with the feed's next diagnosis, which comes sooner
// for it.
func (m *model) askUsual() tea.Cmd {
	newest, compare, id := m.history.newest(), m.opts.Compare, m.resource
	if !m.usual.on || compare == nil || newest == nil || id.Table == "" {
		return nil
	}
	if at, ok := m.usual.asked[id]; ok && newest.Window.End.Sub(at) < askUsualEvery {
		return nil
	}
	if m.usual.asked == nil {
		m.usual.asked = map[telemetry.ResourceID]time.Time{}
	}
	m.usual.asked[id] = newest.Window.End
	return func() tea.Msg {
		compare(id)
		return nil
	}
}

// earlierDays are those of the shown load, as the newest diagnosis tells them: what
// happened before the window isn't hindsight.
func (m *model) earlierDays() []analysis.Earlier {
	d := m.history.newest()
	if h := m.opts.Hindsight; h != nil && !m.opts.Live {
		d = h
	}
	if d == nil {
		return nil
	}
	if r := resourceOf(d, m.resource); r != nil {
		return r.Load(m.dir).Earlier
	}
	return nil
}

// on is a grid of an earlier day: one minute for each that has happened by now.
func (g grid) on(e analysis.Earlier) grid {
	minutes := make([]analysis.Minute, g.known)
	if len(e.Minutes) > 0 {
		offset := int(g.start.Add(-e.Ago).Sub(e.Minutes[0].Start) / g.period)
		for i := range minutes {
			if j := i + offset; j >= 0 && j < len(e.Minutes) {
				minutes[i] = e.Minutes[j]
			}
		}
	}
	g.minutes = minutes
	return g
}

// usualLines draw earlier days on the scale of the units used, a line each.
func (m *model) usualLines(l layout, g grid, win window) []string {
	if l.usual == 0 {
		return nil
	}
	days := m.earlierDays()
	if len(days) == 0 {
		text := "the same hours of yesterday and last week: asked for"
		if m.opts.Compare == nil {
			text = "the same hours of earlier days are not in this recording"
		}
		return fill(m.labelled(l, "earlier days", "", []string{m.styles.dim.Render(m.styles.cut(text, l.columns()))}), l.body.w, l.usual)
	}
	var out []string
	now := g.lastKnown()
	for _, e := range days[:min(l.usual, len(days))] {
		then := g.on(e)
		b := bars{height: 1, top: m.unitsTop(g), value: consumedIn}
		out = append(out, m.labelled(l, agoText(e.Ago), then.rateText(now), m.draw(then, win, b, m.styles.dim))...)
	}
	return fill(out, l.body.w, l.usual)
}

// consumedIn is a minute's rate.
func consumedIn(x analysis.Minute) (float64, bool) {
	return float64(x.Consumed), x.State == telemetry.Known
}

// unitsTop is what a full bar of units stands for: the capacity where there is one, else
// the most that was used, on the earlier days too where they are shown.
func (m *model) unitsTop(g grid) float64 {
	top := 0.0
	for i := range min(g.known, len(g.minutes)) {
		top = max(top, float64(g.minutes[i].Capacity))
	}
	if top > 0 || !m.usual.on {
		return top
	}
	shown := []grid{g}
	for _, e := range m.earlierDays() {
		shown = append(shown, g.on(e))
	}
	for _, x := range shown {
		for i := range min(x.known, len(x.minutes)) {
			if v, ok := consumedIn(x.minutes[i]); ok {
				top = max(top, v)
			}
		}
	}
	return top
}

// rateText is a minute's rate as a number; "?" where it isn't known.
func (g grid) rateText(minute int) string {
	if minute < 0 || minute >= len(g.minutes) || g.minutes[minute].State != telemetry.Known {
		return "?"
	}
	return compact(float64(g.minutes[minute].Consumed)) + "/s"
}

// usualAt tells a minute's rates of today and the earlier days, of the whole table or
// index; "" where they aren't shown.
func (m *model) usualAt(g grid, minute int) string {
	days := m.earlierDays()
	if !m.usual.on || len(days) == 0 {
		return ""
	}
	texts := []string{"in all " + g.rateText(minute)}
	for _, e := range days {
		texts = append(texts, agoText(e.Ago)+" "+g.on(e).rateText(minute))
	}
	return strings.Join(texts, ", ")
}

func agoText(ago time.Duration) string {
	switch days := int(ago / (24 * time.Hour)); days {
	case 1:
		return "a day ago"
	case 7:
		return "a week ago"
	default:
		return fmt.Sprintf("%d days ago", days)
	}
}
