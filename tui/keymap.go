package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// action is what a key does.
type action int

const (
	none action = iota
	quit
	back
	showHelp
	showHeat
	showKeys
	showEvents
	showAdvice
	showEvidence
	showRunbook
	showTables
	nextResource
	swapDirection
	swapRows
	resort
	up
	down
	left
	right
	pageUp
	pageDown
	enter
	corner
	compareRects
	compareDays
	zoomIn
	zoomOut
	zoomFit
	nextMinute
	lastMinute
	goToTime
	toStart
	toEnd
	pause
	nextEvent
	lastEvent
	forward
	backward
	faster
	slower
	toLive
	find
	copyThis
	saveScreen
	writeReport
	maskKeys
	localTime
)

// bound is a key's binding, what it does, and the group it is listed under.
type bound struct {
	action  action
	group   string
	binding key.Binding
}

// keyMap is every key of the dashboard. Help, the hint line and the README's table come
// from it.
type keyMap []bound

func bind(a action, group, help string, keys ...string) bound {
	shown := keys[0]
	if a == up {
		shown = "arrows"
	}
	return bound{a, group, key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))}
}

func newKeyMap() keyMap {
	return keyMap{
		bind(showHeat, "panes", "heat: partitions or keys over time", "1"),
		bind(showKeys, "panes", "keys", "2"),
		bind(showEvents, "panes", "events", "3"),
		bind(showAdvice, "panes", "advice", "4"),
		bind(showEvidence, "panes", "evidence", "5"),
		bind(showRunbook, "panes", "runbook", "6"),
		bind(showTables, "panes", "tables and indexes, worst first", "7"),
		bind(nextResource, "panes", "next table or index", "tab"),
		bind(swapDirection, "panes", "swap reads and writes", "x"),
		bind(swapRows, "panes", "rows are partitions, or keys", "K"),
		bind(resort, "panes", "sort the rows again, worst first", "s"),
		bind(up, "looking", "move the crosshair or the selection", "up", "k"),
		bind(down, "looking", "down", "down", "j"),
		bind(left, "looking", "left", "left", "h"),
		bind(right, "looking", "right", "right", "l"),
		bind(pageUp, "looking", "a page up", "pgup"),
		bind(pageDown, "looking", "a page down", "pgdown"),
		bind(enter, "looking", "go there, tick the step, call a drill", "enter"),
		bind(corner, "looking", "start a rectangle; again: explain it", "v"),
		bind(compareRects, "looking", "compare with the rectangle before", "d"),
		bind(compareDays, "looking", "yesterday and last week beside today", "w"),
		bind(zoomIn, "looking", "zoom in", "+", "="),
		bind(zoomOut, "looking", "zoom out", "-"),
		bind(zoomFit, "looking", "fit all of the time", "0"),
		bind(pause, "time", "pause or go on", "space", "z"),
		bind(nextMinute, "time", "a minute on", "t"),
		bind(lastMinute, "time", "a minute back", "T"),
		bind(forward, "time", "half a screen on", "}"),
		bind(backward, "time", "half a screen back", "{"),
		bind(nextEvent, "time", "next edge of an event", "]"),
		bind(lastEvent, "time", "previous edge of an event", "["),
		bind(goToTime, "time", "go to a time of day", "b"),
		bind(toStart, "time", "to the start", "r"),
		bind(toEnd, "time", "to the end", "Z"),
		bind(faster, "time", "faster", ">"),
		bind(slower, "time", "slower", "<"),
		bind(toLive, "time", "return to live", "L"),
		bind(find, "other", "find keys and tables", "/"),
		bind(copyThis, "other", "copy command, key or report (OSC 52)", "y"),
		bind(saveScreen, "other", "save the screen: text, SVG, ANSI", "S"),
		bind(writeReport, "other", "write the report (HTML), the runbook's log", "E"),
		bind(maskKeys, "other", "mask key values", "m"),
		bind(localTime, "other", "local time or UTC", "u"),
		bind(showHelp, "other", "help; again: words explained", "?"),
		bind(back, "other", "back one level", "esc"),
		bind(quit, "other", "back one level, then quit (Ctrl-C: at once)", "q"),
	}
}

// action is what a key does; none for keys that aren't bound.
func (k keyMap) action(msg interface{ String() string }) action {
	for _, b := range k {
		for _, name := range b.binding.Keys() {
			if name == msg.String() {
				return b.action
			}
		}
	}
	return none
}

// names are the keys of some actions, as they are shown.
func (k keyMap) names(actions []action) string {
	var out []string
	for _, a := range actions {
		for _, b := range k {
			if b.action == a {
				out = append(out, b.binding.Help().Key)
			}
		}
	}
	return strings.Join(out, " ")
}

// groups are the headings of help, in order.
var groups = []string{"panes", "looking", "time", "other"}

// KeyTable is the table of keys in Markdown, as the README has it.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| key | what it does |\n| --- | --- |\n")
	keys := newKeyMap()
	for _, g := range groups {
		for _, x := range keys {
			if x.group != g || x.action == down || x.action == left || x.action == right {
				continue
			}
			names := x.binding.Keys()
			if x.action == up {
				names = []string{"arrows", "h j k l"}
			}
			b.WriteString("| `" + strings.Join(names, "`, `") + "` | " + x.binding.Help().Desc + " |\n")
		}
	}
	return b.String()
}

// helpSheet lists the keys in as many columns as fit.
func (m *model) helpSheet(w int) sheet {
	var s sheet
	again := ""
	if len(m.opts.Terms) > 0 {
		again = "   ? again explains the words on the screen"
	}
	s.head = []string{m.styles.bold.Render(" keys") + m.styles.dim.Render(again+"   Esc or q goes back")}
	s.add(" " + m.styles.accent.Render("the map"))
	s.add(m.legend(w)...)
	for _, g := range groups {
		s.add(" " + m.styles.accent.Render(g))
		var cells []string
		for _, x := range m.keys {
			if x.group != g || x.action == down || x.action == left || x.action == right {
				continue
			}
			name := strings.Join(x.binding.Keys(), " ")
			if x.action == up {
				name = "arrows hjkl"
			}
			cells = append(cells, "  "+m.styles.bold.Render(fit(name, 12))+x.binding.Help().Desc)
		}
		columns := 1
		const each = 58 // cells that the longest takes
		if w >= 2*each {
			columns = 2
		}
		rows := (len(cells) + columns - 1) / columns
		for r := range rows {
			var line strings.Builder
			for c := range columns {
				if i := c*rows + r; i < len(cells) {
					line.WriteString(fit(cells[i], w/columns))
				}
			}
			s.add(line.String())
		}
	}
	return s
}

// legend explains the cells.
func (m *model) legend(w int) []string {
	names := [levels]string{"not yet", "unknown", "not yet published", "nearly idle", "below half of the ceiling", "to 80 %", "to 100 %", "at the ceiling", "refused"}
	var out []string
	line := "  "
	for lv := unknown; lv < levels; lv++ {
		cell := m.styles.heat[lv].open + strings.Repeat(m.styles.glyph[lv], 2) + m.styles.heat[lv].close + " " + names[lv] + "   "
		if width(line)+width(cell) > w {
			out, line = append(out, line), "  "
		}
		line += cell
	}
	return append(out, line)
}
