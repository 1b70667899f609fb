package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
)

// diagnosisMsg answers a request to the feed.
type diagnosisMsg struct {
	diagnosis *analysis.Diagnosis
	err       error // io.EOF at the feed's end
}

// pastMsg answers a request for what was known at a time, and until when it was.
type pastMsg struct {
	asked, until time.Time
	diagnosis    *analysis.Diagnosis
	err          error
}

// tickMsg advances replay, or the ages on a live screen; ticks of an older generation
// are dropped.
type tickMsg struct{ generation int }

// handedMsg tells what became of something that was saved or is to be copied.
type handedMsg struct {
	said string
	copy string // for the clipboard; "" for nothing
}

// retryMsg asks the feed again after an error.
type retryMsg struct{}

// gate lets one request through at a time, and none once ctx has ended.
type gate struct{ busy sync.Mutex }

func (g *gate) pass(ctx context.Context, ask func() tea.Msg) tea.Msg {
	g.busy.Lock()
	defer g.busy.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	return ask()
}

// wait returns when no request is in flight.
func (g *gate) wait() {
	g.busy.Lock()
	defer g.busy.Unlock()
}

// ask requests what the screen needs next: of a live feed the next diagnosis, of a replay
// what was known at the time that it has reached. It does nothing while such a request is
// in flight.
func (m *model) ask() tea.Cmd {
	if !m.opts.Live {
		return m.recall(m.clock.now(m.now()))
	}
	if m.asking || m.ended || m.feed == nil {
		return nil
	}
	m.asking = true
	feed, gate, ctx := m.feed, m.feedGate, m.ctx
	return func() tea.Msg {
		return gate.pass(ctx, func() tea.Msg {
			d, err := feed.Next(ctx)
			return diagnosisMsg{d, err}
		})
	}
}

// recall requests what was known at a time.
func (m *model) recall(t time.Time) tea.Cmd {
	if m.recalling || m.opts.Past == nil {
		return nil
	}
	m.recalling = true
	past, gate, ctx := m.opts.Past, m.pastGate, m.ctx
	return func() tea.Msg {
		return gate.pass(ctx, func() tea.Msg {
			d, until, err := past.At(ctx, t)
			return pastMsg{t, until, d, err}
		})
	}
}

// retryAfter is how long a failed feed is left alone.
const retryAfter = 5 * time.Second

func retryLater() tea.Cmd {
	return tea.Tick(retryAfter, func(time.Time) tea.Msg { return retryMsg{} })
}
