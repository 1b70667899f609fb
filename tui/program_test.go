package tui

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hotpart/hotpart/analysis"
)

// The runtime's own watch over signals must begin outside of any synctest bubble.
func TestMain(m *testing.M) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	os.Exit(m.Run())
}

// counter counts what a terminal would be sent.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// A step that redrew the whole screen would send six kilobytes and more; over a slow SSH
// connection that is what makes a dashboard lag.
func TestAReplayStepSendsLittle(t *testing.T) {
	const most = 1500 // bytes a step, on average
	whole := fixtures(t)["hot-key-tenant"]
	synctest.Test(t, func(t *testing.T) {
		feed := &script{}
		a := analysis.New()
		for _, b := range incident(t, "hot-key-tenant") {
			feed.answers = append(feed.answers, answer{diagnosis: a.Observe(b)})
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := newModel(ctx, nil, Options{Speed: 60, Hindsight: whole, Past: feed})
		out := &counter{}
		p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(out), tea.WithoutSignals(),
			tea.WithWindowSize(120, 40), tea.WithColorProfile(colorprofile.ANSI256))
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = p.Run() // its error is that the context ended
		}()
		time.Sleep(5 * time.Second)
		before, steps := out.n.Load(), len(feed.answers)-10
		time.Sleep(time.Duration(steps) * time.Second)
		each := int(out.n.Load()-before) / steps
		if each == 0 || each > most {
			t.Errorf("a step sends %d bytes on average, want 1 to %d", each, most)
		}
		p.Quit()
		<-done
		time.Sleep(2 * time.Minute) // ticks under way must end within the bubble
	})
}
