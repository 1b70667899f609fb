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

// asker asks the feed, one request at a time, and not once ctx has ended.
type asker struct {
	feed Feed
	busy sync.Mutex
}

func (a *asker) next(ctx context.Context) diagnosisMsg {
	a.busy.Lock()
	defer a.busy.Unlock()
	if err := ctx.Err(); err != nil {
		return diagnosisMsg{nil, err}
	}
	d, err := a.feed.Next(ctx)
	return diagnosisMsg{d, err}
}

// wait returns when no request is in flight.
func (a *asker) wait() {
	a.busy.Lock()
	defer a.busy.Unlock()
}

// ask requests the next diagnosis, unless a request is in flight or the feed has ended.
func (m *model) ask() tea.Cmd {
	if m.asking || m.ended || m.asker == nil {
		return nil
	}
	m.asking = true
	asker, ctx := m.asker, m.ctx
	return func() tea.Msg { return asker.next(ctx) }
}

// retryAfter is how long a failed feed is left alone.
const retryAfter = 5 * time.Second

func retryLater() tea.Cmd {
	return tea.Tick(retryAfter, func(time.Time) tea.Msg { return retryMsg{} })
}
