package tui

import (
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Update routes a message, then asks for what the open pane lacks. It waits for nothing
// and does no I/O; what takes time is in the commands it returns.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	if more := m.forecast(); more != nil {
		cmd = tea.Batch(cmd, more)
	}
	return m, tea.Batch(cmd, m.askUsual())
}

func (m *model) route(msg tea.Msg) tea.Cmd {
	m.wall = m.now()
	if m.meter != nil {
		m.traffic = m.meter.read()
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.restyle()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.restyle()
	case diagnosisMsg:
		return m.receive(msg)
	case pastMsg:
		return m.remember(msg)
	case tickMsg:
		if msg.generation == m.generation {
			return tea.Batch(m.catchUp(), m.tick())
		}
	case retryMsg:
		return m.ask()
	case forecastsMsg:
		m.forecasting, m.forecasts = false, msg.forecasts
	case tea.EnvMsg:
		m.inTmux = msg.Getenv("TMUX") != ""
	case handedMsg:
		return m.handed(msg)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		m.prompt.paste(msg.Content)
	}
	return nil
}

// receive takes in what a live feed gave, and asks for more.
func (m *model) receive(msg diagnosisMsg) tea.Cmd {
	m.asking = false
	if errors.Is(msg.err, io.EOF) {
		m.ended = true
		return nil
	}
	if cmd, failed := m.fails(msg.err); failed {
		return cmd
	}
	first := len(m.history.steps) == 0
	if first {
		m.liveFrom = msg.diagnosis.Window.End
	}
	if first || msg.diagnosis.FetchedAt.After(m.history.newest().FetchedAt) {
		m.heard = m.wall
	}
	following := m.history.at >= m.history.last()
	m.mask.Learn(msg.diagnosis)
	m.history.add(msg.diagnosis, time.Time{})
	if following {
		m.history.at = m.history.last()
	}
	if first {
		m.beginWith(msg.diagnosis)
	}
	m.follow()
	return m.ask()
}

// fails notes trouble, and asks again later where the dashboard goes on.
func (m *model) fails(err error) (cmd tea.Cmd, failed bool) {
	switch {
	case err == nil:
		m.err = nil
		return nil, false
	case m.ctx.Err() != nil:
		return nil, true
	case m.err == nil:
		m.errSince = m.wall
	}
	m.err = err
	return retryLater(), true
}

// remember takes in what was known at a time, and shows it where it is still wanted.
func (m *model) remember(msg pastMsg) tea.Cmd {
	m.recalling = false
	if cmd, failed := m.fails(msg.err); failed {
		return cmd
	}
	m.mask.Learn(msg.diagnosis)
	end := msg.diagnosis.Window.End
	first := len(m.history.steps) == 0
	m.history.add(msg.diagnosis, msg.until)
	if end.After(msg.asked) {
		m.history.origin = end
	}
	if m.opts.Live {
		if m.wanted.Before(m.liveFrom) {
			return m.seekLive(m.wanted)
		}
		return nil
	}
	if first || m.clock.now(m.now()).Before(m.history.origin) {
		from := m.clock.from
		if from.Before(end) {
			from = end
		}
		m.clock.set(from, m.now())
		return tea.Batch(m.catchUp(), m.tick())
	}
	return m.catchUp()
}

// catchUp shows the newest step that is due at the replay clock's time, or asks for it.
func (m *model) catchUp() tea.Cmd {
	if m.opts.Live || len(m.history.steps) == 0 {
		return nil
	}
	due := m.clock.now(m.now())
	if !m.history.reach(due) {
		return m.recall(due)
	}
	m.follow()
	if end := m.view().Window.End; m.atEnd() && due.After(end) {
		m.clock.set(end, m.now())
	}
	return nil
}

// seek moves replay, or the view of a live history, to a recorded time.
func (m *model) seek(t time.Time) tea.Cmd {
	if len(m.history.steps) == 0 {
		return nil
	}
	if t.Before(m.history.origin) {
		t = m.history.origin
	}
	if m.opts.Live {
		return m.seekLive(t)
	}
	if d := m.opts.Hindsight; d != nil && t.After(d.Window.End) {
		t = d.Window.End
	}
	m.clock.set(t, m.now())
	return tea.Batch(m.catchUp(), m.tick())
}

// seekLive shows what was known at a time; before the first poll as it was told later,
// where that is to be had.
func (m *model) seekLive(t time.Time) tea.Cmd {
	m.wanted = t
	if !m.history.reach(t) {
		if t.Before(m.liveFrom) && m.opts.Past != nil {
			return m.recall(t)
		}
		m.history.at = m.history.before(t)
	}
	m.follow()
	return nil
}

// position is the recorded time on screen, or the one that is about to be.
func (m *model) position() time.Time {
	v := m.view()
	switch {
	case v == nil:
		return m.clock.from
	case m.recalling && m.opts.Live:
		return m.wanted
	case m.recalling:
		return m.clock.now(m.now())
	}
	return v.Window.End
}
