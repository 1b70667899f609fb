package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// pane is what the body shows.
type pane int

const (
	heatPane pane = iota
	keysPane
	eventsPane
	advicePane
	evidencePane
	runbookPane
	tablesPane
	helpPane
	wordsPane
)

// name is what the pane is called.
func (p pane) name() string {
	if p == wordsPane {
		return "words"
	}
	return Panes[p]
}

// model is the whole screen. Update routes to it; View reads it.
type model struct {
	ctx  context.Context
	feed Feed // nil in a replay and for a single frame
	// meter is nil where bytes aren't counted.
	meter *meter
	opts  Options
	now   func() time.Time
	// wall is the wall clock at the last message, for ages.
	wall time.Time

	width, height int
	styles        styles
	keys          keyMap
	profile       colorprofile.Profile
	dark          bool

	history history
	// asking is set while a request to the feed is in flight, recalling while one to the
	// past is; at most one request passes each gate.
	asking, recalling  bool
	feedGate, pastGate *gate
	ended              bool // the live feed
	err                error
	errSince           time.Time
	interrupted        bool

	clock clock
	// wanted is the recorded time that was gone to on a live screen, liveFrom the end of
	// the feed's first diagnosis.
	wanted, liveFrom time.Time
	// heard is the wall time at which the feed last told something new; zero for never.
	heard      time.Time
	generation int

	pane, before pane
	resource     telemetry.ResourceID
	dir          telemetry.Direction
	chosen       bool // the resource was chosen by hand
	byKey        bool
	zoom         zoom
	order        order
	leading      string // id of the event the order was made for
	cross        crosshair
	usual        usual
	memo         memo
	keysMemo     keysMemo
	// labels is the widest label of a whole recording's map.
	labels struct {
		subject subject
		width   int
	}
	scroll      int
	cursor      int // selected line of a list pane
	event       string
	filter      string
	forecasts   forecasts
	forecasting bool   // a request for forecasts is in flight
	words       []Term // as the words pane lists them
	wordsHere   int    // how many of them are on the screen that one comes from
	word        string // what is looked for among them
	fresh       bool   // no key has been pressed yet
	prompt      prompt
	mask        analysis.Mask
	masking     bool
	local       bool
	drill       bool // the answer is still hidden
	drillBegan  time.Time
	calling     call   // what the drill was answered with
	said        string // what the last key did
	saidAt      time.Time
	inTmux      bool
	traffic     traffic
	// walks are what was chosen in the runbooks of events, by their ids, oldest first.
	walks map[string][]analysis.Choice
}

func newModel(ctx context.Context, feed Feed, o Options) *model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Speed <= 0 {
		o.Speed = 60
	}
	m := &model{
		ctx: ctx, opts: o, now: o.Now, wall: o.Now(),
		profile: colorprofile.ANSI256, dark: true, dir: telemetry.Write, drill: o.Drill, drillBegan: o.Now(),
		feed: feed, feedGate: &gate{}, pastGate: &gate{},
	}
	m.history.refetched = o.Past != nil && !o.Live
	m.masking = o.Mask
	m.clock = clock{speed: o.Speed, running: !o.Paused && !o.Live, from: o.At, started: o.Now()}
	m.keys = newKeyMap()
	m.restyle()
	return m
}

func (m *model) restyle() { m.styles = newStyles(m.profile, m.dark, m.opts.ASCII) }

// Init asks for the first diagnosis, and for the background's colour without waiting.
func (m *model) Init() tea.Cmd { return tea.Batch(m.ask(), m.tick(), tea.RequestBackgroundColor) }

// view is the diagnosis on screen: what was known at the step shown; nil before the
// first.
func (m *model) view() *analysis.Diagnosis { return m.history.shown() }

// load is the load on the map; nil where there is none.
func (m *model) load() *analysis.Load {
	if r := m.shownResource(); r != nil {
		return r.Load(m.dir)
	}
	return nil
}

func (m *model) shownResource() *analysis.Resource {
	if v := m.view(); v != nil {
		return resourceOf(v, m.resource)
	}
	return nil
}

// resourceOf finds a table or index in a diagnosis; nil where it isn't.
func resourceOf(d *analysis.Diagnosis, id telemetry.ResourceID) *analysis.Resource {
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			if r.ID == id {
				return r
			}
		}
	}
	return nil
}

// follow turns the map to what the verdict is about, unless the user chose otherwise.
func (m *model) follow() {
	v := m.view()
	if v == nil {
		return
	}
	leading := ""
	if e := v.Leading(); e != nil {
		leading = e.ID
		if !m.chosen {
			m.show(e.Resource, e.Direction)
		}
	} else if m.shownResource() == nil {
		m.showBusiest(v)
	}
	if leading != m.leading {
		m.leading, m.order = leading, order{}
	}
}

func (m *model) show(r telemetry.ResourceID, dir telemetry.Direction) {
	if r != m.resource || dir != m.dir {
		m.resource, m.dir, m.order = r, dir, order{}
	}
}

func (m *model) showBusiest(v *analysis.Diagnosis) {
	var most telemetry.Rate = -2
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			for _, dir := range telemetry.Directions {
				l := r.Load(dir)
				share := telemetry.Rate(-1)
				if l.Peak != nil {
					share = *l.Peak / l.Ceiling
				}
				if share > most {
					most = share
					m.show(r.ID, dir)
				}
			}
		}
	}
}

// shownEvent is the event that the panes speak of: the one chosen, else the leading one,
// else the first; nil where there is none.
func (m *model) shownEvent() *analysis.Event {
	v := m.view()
	if v == nil {
		return nil
	}
	for _, e := range v.Events {
		if e.ID == m.event {
			return e
		}
	}
	if e := v.Leading(); e != nil {
		return e
	}
	if len(v.Events) > 0 {
		return v.Events[0]
	}
	return nil
}

// matches reports whether a label passes the filter.
func (m *model) matches(label string) bool {
	return m.filter == "" || strings.Contains(strings.ToLower(label), strings.ToLower(m.filter))
}

// zoned is a time in the zone that the user wants.
func (m *model) zoned(t time.Time) time.Time {
	if m.local {
		return t.Local()
	}
	return t.UTC()
}

// clockText is a time of day as the user wants it.
func (m *model) clockText(t time.Time) string { return m.zoned(t).Format("15:04") }

func rateOr0(r *telemetry.Rate) telemetry.Rate {
	if r == nil {
		return 0
	}
	return *r
}
