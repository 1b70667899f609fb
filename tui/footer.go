package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// footerLine is the last line of the screen.
func (m *model) footerLine(w int) string {
	right := m.trafficText()
	return m.footerText(w-width(right)) + right
}

// footerText is, the most pressing first: a prompt, trouble, what the last key did, or
// which keys there are.
func (m *model) footerText(w int) string {
	switch {
	case m.prompt.kind == timePrompt:
		return fit(m.styles.bold.Render(" go to (HH:MM): ")+m.drawable(m.prompt.text)+m.cursorMark(), w)
	case m.prompt.kind == causePrompt:
		return fit(m.styles.bold.Render(" cause: ")+m.prompt.text+m.cursorMark()+m.styles.dim.Render("  "+callText()), w)
	case m.prompt.kind == keyPrompt:
		return fit(m.styles.bold.Render(" key: ")+m.prompt.text+m.cursorMark()+m.styles.dim.Render("   Enter calls it, empty for no one key"), w)
	case m.prompt.kind == findPrompt:
		return fit(m.styles.bold.Render(" find: ")+m.drawable(m.prompt.text)+m.cursorMark()+m.styles.dim.Render("   Enter keeps it, Esc ends"), w)
	case m.err != nil && m.view() != nil && (m.said == "" || m.wall.Sub(m.saidAt) > saidFor):
		return m.troubleLine(w)
	case m.said != "" && m.wall.Sub(m.saidAt) <= saidFor:
		return fit(" "+m.styles.cut(m.said, w-1), w)
	}
	if what, hint := m.pressing(); what != "" {
		return m.alarmLine(what, "", hint, w)
	}
	if m.said != "" {
		return fit(" "+m.styles.cut(m.said, w-1), w)
	}
	return m.hints(w)
}

// saidFor is how long what a key did hides trouble.
const saidFor = 4 * time.Second

// troubleLine says what failed, since when, and what to type; the last data stay on
// screen. Since when goes first where there is no room, for the title tells for how long
// nothing came; what to type is cut last.
func (m *model) troubleLine(w int) string {
	what, hint, _ := strings.Cut(m.err.Error(), "\n")
	hint = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(hint, "\n", " ")), "hint: ")
	age := ", for " + short(m.wall.Sub(m.errSince))
	room := w - width(m.sep()+m.clean(hint)) - len(" ! ")
	if stay := "; the data above stay"; width(m.clean(what)+age+stay) <= room {
		age += stay
	} else if m.silent() && w >= 60 && width(shortened(m.clean(what), 0)+age) > room {
		age = ""
	}
	return m.alarmLine(what, age, hint, w)
}

// alarmLine says what is wrong, for how long, and what to type.
func (m *model) alarmLine(what, age, hint string, w int) string {
	const lead = " ! "
	what = m.clean(what)
	if hint = m.clean(hint); hint != "" {
		hint = m.sep() + m.styles.bold.Render(m.styles.cut(hint, w/2))
	}
	room := max(0, w-width(age)-width(hint)-len(lead))
	return fit(m.styles.alarm.Render(lead)+m.styles.cut(shortened(what, room), room)+age+hint, w)
}

// shortened leaves out what failed, and then which call did, where there is no room for
// them and for why.
func shortened(what string, room int) string {
	if rest, found := strings.CutPrefix(what, "the account: "); found && width(what) > room {
		what = rest
	}
	for range 2 {
		lead, rest, found := strings.Cut(what, " ")
		named := strings.Contains(lead, ":")
		if !found || !named || width(what) <= room {
			break
		}
		what = rest
	}
	return what
}

// pressing is what a live screen must not keep to a pane: that a place tells nothing, or
// that what is shown isn't recorded; "" for neither.
func (m *model) pressing() (what, hint string) {
	v := m.history.newest()
	if v == nil || !m.opts.Live {
		return "", ""
	}
	for _, x := range v.Warnings {
		if x.Code == telemetry.Unanswered || x.Code == telemetry.Unrecorded {
			if i := strings.LastIndex(x.Text, "; "); i >= 0 {
				return x.Text[:i], x.Text[i+2:]
			}
			return x.Text, ""
		}
	}
	return "", ""
}

func (m *model) cursorMark() string {
	if m.opts.ASCII {
		return "_"
	}
	return "█"
}

// hints name the panes and the most useful keys of the open one, as far as there is
// room.
func (m *model) hints(w int) string {
	var b strings.Builder
	const wide = 64
	if w < wide {
		b.WriteString(" " + m.styles.selected.Render(m.pane.name()) + " 1-7 ? ")
		if w < 60 {
			b.WriteString(" " + m.stateText(m.view()))
		}
	} else {
		for i, name := range Panes[:helpPane] {
			text := fmt.Sprintf("%d %s", i+1, name)
			if pane(i) == m.pane {
				text = m.styles.selected.Render(text)
			}
			b.WriteString(" " + text)
		}
	}
	line := b.String()
	if m.filter != "" {
		line += "  " + m.styles.alert.Render("only "+m.styles.cut(m.clean(m.filter), 12)+", Esc ends")
	}
	for _, h := range m.paneHints() {
		if width(line)+width(h)+2 <= w {
			line += "  " + m.styles.dim.Render(h)
		}
	}
	return fit(line, w)
}

// hint is a few actions in one word.
type hint struct {
	actions []action
	word    string
	// replay and live limit where it is shown.
	replay, live bool
}

var timeHints = []hint{
	{[]action{pause}, "pause", true, false},
	{[]action{lastEvent, nextEvent}, "event", true, true},
	{[]action{nextMinute, lastMinute}, "step", true, true},
	{[]action{toLive}, "live", false, true},
	{[]action{slower, faster}, "speed", true, false},
}

var hintsOf = map[pane][]hint{
	heatPane: {
		{[]action{swapDirection}, "read/write", true, true},
		{[]action{up}, "look", true, true},
		{[]action{corner}, "rectangle", true, true},
		{[]action{swapRows}, "keys", true, true},
		{[]action{copyThis}, "copy", true, true},
		{[]action{saveScreen}, "save", true, true},
		{[]action{writeReport}, "report", true, true},
		{[]action{quit}, "quit", true, true},
	},
	keysPane:     {{[]action{up}, "choose", true, true}, {[]action{copyThis}, "copy key", true, true}, {[]action{find}, "find", true, true}, {[]action{maskKeys}, "mask", true, true}},
	eventsPane:   {{[]action{up}, "choose", true, true}, {[]action{enter}, "go there", true, true}, {[]action{copyThis}, "copy report", true, true}},
	advicePane:   {{[]action{up}, "choose", true, true}, {[]action{copyThis}, "copy command", true, true}},
	evidencePane: {{[]action{up}, "scroll", true, true}, {[]action{copyThis}, "copy report", true, true}, {[]action{writeReport}, "write it", true, true}},
	runbookPane:  {{[]action{up}, "choose", true, true}, {[]action{enter}, "tick", true, true}, {[]action{copyThis}, "copy commands", true, true}},
	tablesPane:   {{[]action{up}, "choose", true, true}, {[]action{enter}, "show", true, true}, {[]action{find}, "find", true, true}},
	wordsPane:    {{[]action{up}, "scroll", true, true}, {[]action{find}, "find", true, true}, {[]action{back}, "close", true, true}},
	helpPane:     {{[]action{up}, "scroll", true, true}, {[]action{back}, "close", true, true}},
}

// paneHints are the open pane's keys, the most useful first.
func (m *model) paneHints() []string {
	all := append([]hint{}, hintsOf[m.pane]...)
	if m.pane == heatPane {
		all = append(timeHints, all...)
	} else {
		all = append(all, timeHints...)
	}
	var out []string
	if m.fresh {
		out = append(out, m.keys.names([]action{showHelp})+" explains")
	}
	for _, h := range all {
		if m.opts.Live && !h.live || !m.opts.Live && !h.replay {
			continue
		}
		out = append(out, m.keys.names(h.actions)+" "+h.word)
	}
	return out
}
