package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
)

// diagnosisMsg answers a request to the feed.
type diagnosisMsg struct {
	diagnosis *analysis.Diagnosis
	err       error // io.EOF at the feed's end
}

// tickMsg advances replay; ticks of an older generation are dropped.
type tickMsg struct {
	at         time.Time
	generation int
}

// retryMsg asks the feed again after an error.
type retryMsg struct{}

// ask requests the next diagnosis. It must not be called while one is in flight.
func (m *model) ask() tea.Cmd {
	if m.asking || m.ended || m.feed == nil {
		return nil
	}
	m.asking = true
	feed, ctx := m.feed, m.ctx
	return func() tea.Msg {
		d, err := feed.Next(ctx)
		return diagnosisMsg{d, err}
	}
}

// retryAfter is how long a failed feed is left alone.
const retryAfter = 5 * time.Second

func retryLater() tea.Cmd {
	return tea.Tick(retryAfter, func(time.Time) tea.Msg { return retryMsg{} })
}
