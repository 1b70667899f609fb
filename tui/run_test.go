package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
)

// answer is what a feed gives, after a wait.
type answer struct {
	after     time.Duration
	diagnosis *analysis.Diagnosis
	err       error
}

// script is a feed that gives answers in order, then io.EOF, and a past that knows them
// all; it notes how many requests were in flight at once.
type script struct {
	answers        []answer
	asked          int
	recalled       []time.Time
	flying, atOnce atomic.Int32
}

func (s *script) Next(ctx context.Context) (*analysis.Diagnosis, error) {
	s.atOnce.Store(max(s.atOnce.Load(), s.flying.Add(1)))
	defer s.flying.Add(-1)
	if s.asked == len(s.answers) {
		return nil, io.EOF
	}
	a := s.answers[s.asked]
	s.asked++
	select {
	case <-time.After(a.after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return a.diagnosis, a.err
}

func (s *script) At(ctx context.Context, t time.Time) (*analysis.Diagnosis, time.Time, error) {
	s.atOnce.Store(max(s.atOnce.Load(), s.flying.Add(1)))
	defer s.flying.Add(-1)
	s.recalled = append(s.recalled, t)
	i := 0
	for i+1 < len(s.answers) && !s.answers[i+1].diagnosis.Window.End.After(t) {
		i++
	}
	var until time.Time
	if i+1 < len(s.answers) {
		until = s.answers[i+1].diagnosis.Window.End
	}
	select {
	case <-time.After(s.answers[i].after):
	case <-ctx.Done():
		return nil, until, ctx.Err()
	}
	return s.answers[i].diagnosis, until, s.answers[i].err
}

// stage runs a model as Bubble Tea would: commands beside, messages one by one.
type stage struct {
	m        *model
	messages chan tea.Msg
	done     chan struct{}
}

// perform starts a model in a synctest bubble.
func perform(t *testing.T, feed *script, o Options) *stage {
	ctx, cancel := context.WithCancel(t.Context())
	if !o.Live {
		o.Past = feed
	}
	s := &stage{newModel(ctx, feed, o), make(chan tea.Msg), make(chan struct{})}
	t.Cleanup(func() { // ticks under way must end within the bubble
		cancel()
		close(s.done)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
	})
	s.m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.start(s.m.Init())
	return s
}

func (s *stage) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				s.start(c)
			}
			return
		}
		select {
		case s.messages <- msg:
		case <-s.done:
		}
	}()
}

func (s *stage) update(msg tea.Msg) {
	_, cmd := s.m.Update(msg)
	s.start(cmd)
}

// play handles messages for a time.
func (s *stage) play(d time.Duration) {
	end := time.After(d)
	for {
		select {
		case msg := <-s.messages:
			s.update(msg)
		case <-end:
			return
		}
	}
}

// minutesOf are n bare minutes of a recording, a diagnosis each.
func minutesOf(n int) []answer {
	var out []answer
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for i := range n {
		d := &analysis.Diagnosis{}
		d.Window.Start, d.Window.End, d.Window.Period = start, start.Add(time.Duration(i+1)*time.Minute), time.Minute
		out = append(out, answer{diagnosis: d})
	}
	return out
}

// minute is how many minutes after the recording's first the screen stands.
func (m *model) minute() int {
	return int(m.view().Window.End.Sub(m.history.origin) / time.Minute)
}

func TestReplayKeepsRecordedTimeByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &script{answers: minutesOf(700)}
		s := perform(t, feed, Options{Speed: 60})
		s.play(10 * time.Minute)
		if n := s.m.minute(); n < 599 || n > 600 {
			t.Errorf("after ten minutes at 60x: %d recorded minutes have passed, want 600", n)
		}
		if n := feed.atOnce.Load(); n != 1 {
			t.Errorf("%d requests were in flight at once", n)
		}
	})
}

func TestReplayCatchesUpWhenTheScreenStoodStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &script{answers: minutesOf(700)}
		s := perform(t, feed, Options{Speed: 60})
		s.play(time.Second)
		time.Sleep(10 * time.Minute) // nobody handles messages, so no tick is counted
		s.play(time.Second)
		if n := s.m.minute(); n < 600 || n > 602 {
			t.Errorf("%d recorded minutes have passed, want 602", n)
		}
	})
}

func TestPauseStopsAndSpeedChangesRecordedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := perform(t, &script{answers: minutesOf(700)}, Options{Speed: 60})
		s.play(30 * time.Second)
		s.update(pressed("space"))
		before := s.m.minute()
		s.play(time.Hour)
		if s.m.minute() != before {
			t.Errorf("paused at minute %d, now at %d", before, s.m.minute())
		}
		s.update(pressed("space"))
		s.update(pressed(">")) // 120x
		s.play(30 * time.Second)
		if n := s.m.minute() - before; n < 59 || n > 61 {
			t.Errorf("30 s at 120x are %d minutes, want 60", n)
		}
	})
}

func TestOneRequestIsInFlightWhateverIsPressed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &script{answers: minutesOf(300)}
		for i := range feed.answers {
			feed.answers[i].after = 700 * time.Millisecond
		}
		s := perform(t, feed, Options{Speed: 60})
		for i := range 200 {
			for _, k := range []string{"t", "}", "]", "Z", "r", "space", ">", "{"}[i%8:] {
				s.update(pressed(k))
			}
			s.play(100 * time.Millisecond)
		}
		if n := feed.atOnce.Load(); n != 1 {
			t.Errorf("%d requests were in flight at once", n)
		}
	})
}

func TestGoingBackShowsTheVerdictThen(t *testing.T) {
	whole := fixtures(t)["hot-key-tenant"]
	synctest.Test(t, func(t *testing.T) {
		feed := &script{}
		a := analysis.New()
		for _, b := range incident(t, "hot-key-tenant") {
			feed.answers = append(feed.answers, answer{diagnosis: a.Observe(b)})
		}
		s := perform(t, feed, Options{Speed: 600, Hindsight: whole})
		s.play(time.Minute)
		if !strings.Contains(s.m.plain(), "HOT KEY") || !s.m.atEnd() {
			t.Fatalf("not at the end:\n%s", s.m.plain())
		}
		s.update(pressed("r"))
		if got := s.m.plain(); strings.Contains(got, "HOT KEY") || !s.m.position().Before(whole.Leading().Start) {
			t.Errorf("the start tells of what came later:\n%s", got)
		}
		s.update(pressed("space"))
		s.update(pressed("]"))
		if got, want := s.m.position(), whole.Leading().Start.Add(time.Minute); !got.Equal(want) {
			t.Errorf("] leads to %v, want %v", got, want)
		}
	})
}

func TestGoingFarAsksForNothingBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &script{answers: minutesOf(1440)}
		for i := range feed.answers {
			feed.answers[i].after = 300 * time.Millisecond
		}
		end := feed.answers[1439].diagnosis
		s := perform(t, feed, Options{Speed: 60, Hindsight: end})
		s.play(time.Second)
		s.update(pressed("Z"))
		if got := s.m.plain(); !strings.Contains(got, "going to 10:00") {
			t.Errorf("nothing says what is waited for:\n%s", got)
		}
		s.play(time.Second)
		if !s.m.atEnd() || s.m.view() != end {
			t.Errorf("Z leads to %v", s.m.position())
		}
		for range 3 { // faster than answers come
			s.update(pressed("T"))
		}
		s.play(time.Second)
		if want := end.Window.End.Add(-3 * time.Minute); !s.m.position().Equal(want) || !s.m.view().Window.End.Equal(want) {
			t.Errorf("three minutes back from the end is %v, want %v", s.m.position(), want)
		}
		s.update(pressed("b"))
		for _, k := range "15:30" {
			s.update(pressed(string(k)))
		}
		s.update(pressed("enter"))
		s.play(time.Second)
		s.update(pressed("space"))
		s.play(2 * time.Second)
		if n := s.m.minute(); n < 330 || n > 332 {
			t.Errorf("two seconds after 15:30, minute %d is shown, want 331", n)
		}
		s.update(pressed("r"))
		s.play(time.Second)
		if n := s.m.minute(); n > 1 {
			t.Errorf("r leads to minute %d", n)
		}
		if n := len(feed.recalled); n > 20 {
			t.Errorf("%d moments were asked for", n)
		}
	})
}

func TestReplayThatBeginsLateKnowsWhatCameBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := &script{answers: minutesOf(300)}
		s := perform(t, feed, Options{Speed: 60, At: begin.Add(2 * time.Hour), Paused: true})
		s.play(time.Second)
		if got, want := s.m.position(), begin.Add(2*time.Hour); !got.Equal(want) || len(feed.recalled) != 1 {
			t.Errorf("it begins at %v after %d requests, want %v after one", got, len(feed.recalled), want)
		}
		s.update(pressed("T"))
		s.play(time.Second)
		if got, want := s.m.view().Window.End, begin.Add(2*time.Hour-time.Minute); !got.Equal(want) {
			t.Errorf("a minute back is %v, want %v", got, want)
		}
	})
}

func TestLiveGoesBackBeforeItsFirstPollInHindsight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := minutesOf(62)
		feed := &script{answers: []answer{{diagnosis: all[59].diagnosis}, {after: time.Minute, diagnosis: all[60].diagnosis}, {after: time.Hour, diagnosis: all[61].diagnosis}}}
		past := &script{answers: all[:60]}
		s := perform(t, feed, Options{Live: true, Past: past})
		s.play(2 * time.Minute)
		s.update(pressed("T"))
		if got := s.m.plain(); strings.Contains(got, "told later") || !strings.Contains(got, "1 min behind live") {
			t.Errorf("what was polled is called hindsight:\n%s", got)
		}
		s.update(pressed("{"))
		s.play(time.Second)
		got := s.m.plain()
		if !strings.Contains(got, "behind live, told later, L returns") {
			t.Errorf("hindsight isn't said:\n%s", got)
		}
		at := s.m.view().Window.End
		s.play(time.Minute)
		if s.m.view().Window.End != at {
			t.Error("the view moved by itself")
		}
		s.update(pressed("L"))
		if s.m.view() != s.m.history.newest() {
			t.Error("L doesn't return to live")
		}
	})
}

func TestLiveErrorKeepsTheLastDataAndTellsItsAge(t *testing.T) {
	d := fixtures(t)["hot-key-tenant"]
	synctest.Test(t, func(t *testing.T) {
		fails := errors.New("get metric data: token expired\nhint: aws sso login")
		s := perform(t, &script{answers: []answer{
			{after: time.Second, diagnosis: d},
			{after: time.Minute, err: fails},
			{after: time.Minute, err: fails},
			{after: time.Minute, diagnosis: d},
			{after: time.Hour, diagnosis: d},
		}}, Options{Live: true})
		wants := func(when string, yes bool, texts ...string) {
			t.Helper()
			for _, text := range texts {
				if got := s.m.plain(); strings.Contains(got, text) != yes {
					t.Errorf("%s: %q shown is not %v:\n%s", when, text, yes, got)
				}
			}
		}
		wants("before the first data", true, "waiting for the first data")
		s.play(2 * time.Second)
		wants("with data", true, "HOT KEY", "live")
		s.play(100 * time.Second)
		wants("after an error", true, "HOT KEY", "token expired", "aws sso login", " s; the data above stay")
		s.play(100 * time.Second)
		wants("once it works again", false, "token expired")
		wants("once it works again", true, "HOT KEY")
	})
}

func TestFirstErrorSaysWhatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := perform(t, &script{answers: []answer{{err: errors.New(`describe table "orders": access denied`)}}}, Options{Live: true})
		s.play(time.Second)
		if got := s.m.plain(); !strings.Contains(got, `describe table "orders": access denied`) {
			t.Errorf("got\n%s", got)
		}
	})
}
