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
	return m, cmd
}

func (m *model) route(msg tea.Msg) tea.Cmd {
	m.wall = m.now()
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

// receive takes in what the feed gave, and asks for more where more is due.
func (m *model) receive(msg diagnosisMsg) tea.Cmd {
	m.asking = false
	switch {
	case errors.Is(msg.err, io.EOF):
		m.ended = true
		return nil
	case m.ctx.Err() != nil:
		return nil
	case msg.err != nil:
		if m.err == nil {
			m.errSince = m.wall
		}
		m.err = msg.err
		return retryLater()
	}
	m.err = nil
	first := m.history.newest() == nil
	following := m.history.at >= m.history.last()
	m.mask.Learn(msg.diagnosis)
	m.history.add(msg.diagnosis)
	if first {
		m.begin()
	}
	if following && m.opts.Live {
		m.history.at = m.history.last()
	}
	if m.opts.Live {
		m.follow()
		return m.ask()
	}
	more := m.catchUp()
	if first {
		return tea.Batch(more, m.tick())
	}
	return more
}

// begin sets the replay clock to the first minute, or to where it was told to begin.
func (m *model) begin() {
	start := m.history.newest().Window.End
	if m.clock.from.Before(start) {
		m.clock.set(start, m.now())
	} else {
		m.clock.set(m.clock.from, m.now())
	}
	m.drillSince = start
}

// catchUp shows the newest step that is due at the replay clock's time and asks the feed
// for the next while it is behind.
func (m *model) catchUp() tea.Cmd {
	if m.opts.Live || m.history.newest() == nil {
		return nil
	}
	due := m.clock.now(m.now())
	h := &m.history
	h.at = 0
	for i, s := range h.steps {
		if !s.diagnosis.Window.End.After(due) {
			h.at = i
		}
	}
	m.follow()
	if m.ended && h.at == h.last() && due.After(h.newest().Window.End) {
		m.clock.set(h.newest().Window.End, m.now())
	}
	if !h.newest().Window.End.After(due) {
		return m.ask()
	}
	return nil
}

// seek moves replay, or the view of a live history, to a recorded time.
func (m *model) seek(t time.Time) tea.Cmd {
	h := &m.history
	if h.newest() == nil {
		return nil
	}
	if first := h.steps[0].diagnosis.Window.End; t.Before(first) {
		t = first
	}
	if !m.opts.Live {
		if d := m.opts.Hindsight; d != nil && t.After(d.Window.End) {
			t = d.Window.End
		}
		m.clock.set(t, m.now())
		return tea.Batch(m.catchUp(), m.tick())
	}
	h.at = 0
	for i, s := range h.steps {
		if !s.diagnosis.Window.End.After(t) {
			h.at = i
		}
	}
	m.follow()
	return nil
}

// position is the recorded time on screen.
func (m *model) position() time.Time {
	if v := m.view(); v != nil {
		return v.Window.End
	}
	return m.clock.from
}
