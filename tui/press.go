package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// press does what a key asks for.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.said, m.fresh = "", false
	if msg.String() == "ctrl+c" {
		m.interrupted = true
		return tea.Interrupt
	}
	if msg.String() == "ctrl+z" {
		return tea.Suspend
	}
	if m.prompt.kind != noPrompt {
		return m.promptKey(msg)
	}
	a := m.keys.action(msg)
	if p, ok := paneOf[a]; ok {
		m.open(p)
		return nil
	}
	if cmd, done := m.pressTime(a); done {
		return cmd
	}
	return m.pressOther(a)
}

var paneOf = map[action]pane{
	showHelp: helpPane, showHeat: heatPane, showKeys: keysPane, showEvents: eventsPane,
	showAdvice: advicePane, showEvidence: evidencePane, showRunbook: runbookPane, showTables: tablesPane,
}

// open shows a pane. Help again shows the words of the pane before it, and then that pane.
func (m *model) open(p pane) {
	switch {
	case p == helpPane && m.pane == helpPane && len(m.opts.Terms) > 0:
		m.cursor, m.scroll, m.word = 0, 0, ""
		m.openWords()
		return
	case p == helpPane && m.helping():
		p = m.before
	}
	if p == m.pane {
		return
	}
	if !m.helping() {
		m.before = m.pane
	}
	m.pane, m.cursor, m.scroll = p, 0, 0
}

// helping reports whether help or words cover the pane that one looked at.
func (m *model) helping() bool { return m.pane == helpPane || m.pane == wordsPane }

// pressTime handles the transport keys; done is false for the others.
func (m *model) pressTime(a action) (cmd tea.Cmd, done bool) {
	minute := time.Minute
	if v := m.view(); v != nil && v.Window.Period > 0 {
		minute = v.Window.Period
	}
	win := m.window(m.grid(), m.layout().columns())
	from, to := win.span()
	half := minute * time.Duration(max(1, (to-from)/2))
	switch a {
	case pause:
		if m.opts.Live {
			m.say("live goes on; %s goes back in time, %s returns", m.keys.names([]action{lastMinute}), m.keys.names([]action{toLive}))
			return nil, true
		}
		m.clock.pause(m.now())
		return m.tick(), true
	case nextMinute, lastMinute:
		if m.clock.running && !m.opts.Live {
			m.clock.pause(m.now())
		}
		if a == lastMinute {
			minute = -minute
		}
		return m.seek(m.position().Add(minute)), true
	case forward:
		return m.seek(m.position().Add(half)), true
	case backward:
		return m.seek(m.position().Add(-half)), true
	case nextEvent, lastEvent:
		return m.seekEdge(a == nextEvent), true
	case toStart:
		return m.seek(time.Time{}), true
	case toEnd:
		return m.seekEnd(), true
	case toLive:
		if m.opts.Live {
			return m.seekEnd(), true
		}
		m.say("this is a recording; %s goes to its end", m.keys.names([]action{toEnd}))
		return nil, true
	case faster, slower:
		m.clock.setSpeed(m.clock.faster(a == faster), m.now())
		m.say("speed %gx", m.clock.speed)
		return m.tick(), true
	case goToTime:
		m.prompt = prompt{kind: timePrompt}
		return nil, true
	}
	return nil, false
}

func (m *model) seekEnd() tea.Cmd {
	end := m.position()
	if h := m.history.newest(); h != nil {
		end = h.Window.End
	}
	if d := m.opts.Hindsight; d != nil && !m.opts.Live {
		end = d.Window.End
	}
	return m.seek(end)
}

// seekEdge goes to the next or previous start or end of an event, by hindsight where
// there is one.
func (m *model) seekEdge(next bool) tea.Cmd {
	events := m.hindsightEvents()
	if m.opts.Hindsight == nil && m.history.newest() != nil {
		events = m.history.newest().Events
	}
	var edges []time.Time
	for _, e := range events {
		if !e.Note() {
			edges = append(edges, e.Start, e.End)
		}
	}
	at, best := m.position(), time.Time{}
	for _, t := range edges {
		t = t.Add(time.Minute) // an edge shows once its minute is over
		if next && t.After(at) && (best.IsZero() || t.Before(best)) || !next && t.Before(at) && t.After(best) {
			best = t
		}
	}
	if m.drill {
		m.say("a drill hides when events begin and end")
		return nil
	}
	if best.IsZero() {
		m.say("no further event edge that way")
		return nil
	}
	return m.seek(best)
}

// pressOther handles the keys that look around.
func (m *model) pressOther(a action) tea.Cmd {
	switch a {
	case quit, back:
		return m.goBack(a == quit)
	case swapDirection:
		m.chosen = true
		m.show(m.resource, opposite(m.dir))
		m.cross = crosshair{}
	case swapRows:
		m.byKey = !m.byKey
		m.order, m.cross = order{}, crosshair{}
	case resort:
		m.order = order{}
		m.say("sorted, worst first")
	case nextResource:
		m.cycle()
	case up, down, left, right, pageUp, pageDown:
		m.arrow(a)
	case enter:
		return m.pressEnter()
	case corner:
		m.setCorner()
	case compareRects:
		m.compareRects()
	case compareDays:
		m.toggleUsual()
	case zoomIn, zoomOut, zoomFit:
		m.rezoom(a)
	case find:
		m.prompt = prompt{kind: findPrompt, text: m.filter}
		if m.pane == wordsPane {
			m.prompt.text = m.word
		}
	case copyThis:
		return m.copy()
	case saveScreen:
		return m.saveScreen()
	case writeReport:
		return m.writeReport()
	case maskKeys:
		m.masking = !m.masking
		m.order = order{}
	case localTime:
		m.local = !m.local
		m.say("times are %s", map[bool]string{true: "local", false: "UTC"}[m.local])
	}
	return nil
}

// goBack closes what is open, and with nothing open and q quits.
func (m *model) goBack(mayQuit bool) tea.Cmd {
	switch {
	case m.pane == wordsPane && m.word != "":
		m.word, m.cursor, m.scroll = "", 0, 0
	case m.helping():
		m.open(m.before)
	case m.cross.on:
		m.cross = crosshair{}
	case m.filter != "":
		m.filter = ""
	case m.pane != heatPane:
		m.open(heatPane)
	case mayQuit:
		return tea.Quit
	case m.chosen:
		m.chosen, m.event = false, ""
		m.follow()
		m.say("the map follows the verdict again")
		return m.look(telemetry.TableID{})
	}
	return nil
}

func (m *model) arrow(a action) {
	if m.pane != heatPane {
		m.scrollList(a)
		return
	}
	page := max(1, m.layout().body.h-2)
	switch a {
	case up:
		m.move(-1, 0)
	case down:
		m.move(1, 0)
	case pageUp:
		m.move(-page, 0)
	case pageDown:
		m.move(page, 0)
	case left:
		m.move(0, -1)
	case right:
		m.move(0, 1)
	}
}

func (m *model) pressEnter() tea.Cmd {
	if m.drill {
		m.prompt = prompt{kind: causePrompt}
		return nil
	}
	switch m.pane {
	case eventsPane:
		events := m.listedEvents()
		if m.cursor >= len(events) {
			return nil
		}
		e := events[m.cursor]
		m.event, m.chosen = e.ID, true
		m.show(e.Resource, e.Direction)
		m.open(heatPane)
		return m.seek(e.Start.Add(time.Minute))
	case runbookPane:
		m.pickStep()
	case tablesPane:
		if places, _, _ := m.places(); m.cursor < len(places) {
			return m.openPlace(places[m.cursor])
		}
	}
	return nil
}

// cycle turns the map to the next table or index.
func (m *model) cycle() {
	v := m.view()
	if v == nil {
		return
	}
	var all []telemetry.ResourceID
	at := 0
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			if r.ID == m.resource {
				at = len(all)
			}
			all = append(all, r.ID)
		}
	}
	if len(all) > 0 {
		m.chosen = true
		m.show(all[(at+1)%len(all)], m.dir)
		m.cross = crosshair{}
		m.say("%s", m.clean(v.Namer()(m.resource)))
	}
}

func (m *model) rezoom(a action) {
	if a == zoomFit {
		m.zoom = zoom{}
		return
	}
	win := m.window(m.grid(), m.layout().columns())
	at := slices.Index(zooms, zoom{win.step, win.cells})
	if a == zoomIn {
		at--
	} else {
		at++
	}
	m.zoom = zooms[max(0, min(at, len(zooms)-1))]
	if m.zoom.minutes == 1 {
		m.say("a minute is %d wide (0 fits all)", m.zoom.cells)
	} else {
		m.say("a column is %d min (0 fits all)", m.zoom.minutes)
	}
}

func (m *model) say(format string, a ...any) { m.said, m.saidAt = fmt.Sprintf(format, a...), m.wall }

func opposite(d telemetry.Direction) telemetry.Direction {
	if d == telemetry.Read {
		return telemetry.Write
	}
	return telemetry.Read
}
