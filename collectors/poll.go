package collectors

import (
	"context"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// When to ask. CloudWatch fills a minute in over the minutes after it (no delay
// is documented; practitioners see one to three minutes, sums growing for longer),
// so that each poll asks for the last quarter of an hour again.
const (
	pollEvery    = time.Minute
	pollAt       = 20 * time.Second // past the minute
	trailing     = 15 * time.Minute
	surveyEvery  = 5 * time.Minute
	longestPause = 2 * time.Minute
	// longestEvery bounds how far apart a budget may put polls.
	longestEvery = 15 * time.Minute
	// longestCatchUp bounds what one poll asks for after an outage.
	longestCatchUp = 3 * time.Hour
)

// Next is the next poll. The first call returns at once with the time from
// Config.Since ago, later ones wait for the next poll's time and return the last
// minutes, or all since the last answer after an outage. An error says that
// nothing was told; the next call tries again, later each time. Only the
// context's end, or Compare, makes it return before that.
func (l *Live) Next(ctx context.Context) (telemetry.Batch, error) {
	if !l.attempted.IsZero() {
		wish, err := l.wished.rest(ctx, l.pause())
		if err != nil {
			return telemetry.Batch{}, err
		}
		if wish != nil && !l.last.End.IsZero() {
			return l.compare(ctx, *wish)
		}
	}
	b, err := l.once(ctx, time.Time{})
	if err == nil {
		b.Warnings = append(b.Warnings, warnOfBudget(l.Meter(), l.cfg.Budget)...)
	}
	return b, err
}

// once polls now: what is due, and from start on where that isn't zero and is earlier.
func (l *Live) once(ctx context.Context, start time.Time) (telemetry.Batch, error) {
	l.attempted = l.cfg.Now()
	before := l.meter.metrics.Load()
	b, err := l.withChanges(ctx, l.due(), func() (telemetry.Batch, error) { return l.poll(ctx, start) })
	if err != nil {
		l.failures++
		return telemetry.Batch{}, err
	}
	l.failures, l.last = 0, b.Window
	if l.begun.IsZero() {
		l.begun = b.Window.Start
	}
	l.spend(l.meter.metrics.Load() - before)
	return b, nil
}

// pause is how long it is to the next poll's time. Polls that would come sooner
// than half their spacing after the last are left out; after failures they come
// at one and then at two minutes. The second poll of a fleet that is swept by halves
// comes midway to the third, whatever the budget, so that no table is out of sight for
// more than two minutes.
func (l *Live) pause() time.Duration {
	apart := l.pollsEvery()
	if l.failures > 1 {
		apart = max(apart, min(pollEvery<<min(l.failures-1, 8), longestPause))
	}
	apart -= pollEvery / 2
	now := l.now()
	if !l.fleet.begun() {
		began := l.attempted.Add(l.skew)
		return began.Add(third(began).Sub(began) / 2).Sub(now)
	}
	at := now.Truncate(pollEvery).Add(pollAt)
	for at.Before(now) || at.Before(l.attempted.Add(l.skew).Add(apart)) {
		at = at.Add(pollEvery)
	}
	return at.Sub(now)
}

// third is when a fleet's third poll is due: at the last time for polls within two
// minutes of the first.
func third(first time.Time) time.Time {
	return first.Add(2*pollEvery - pollAt).Truncate(pollEvery).Add(pollAt)
}

func (l *Live) poll(ctx context.Context, start time.Time) (telemetry.Batch, error) {
	if len(l.cfg.Tables) == 0 {
		return l.pollFleet(ctx, &l.fleet, l.dueFrom(start))
	}
	s, fresh := l.known, false
	if s == nil || l.now().Sub(s.at) >= surveyEvery-pollEvery/2 {
		latest, err := l.survey(ctx)
		switch {
		case ctx.Err() != nil:
			return telemetry.Batch{}, ctx.Err()
		case err == nil && (s == nil || len(latest.tables) > 0 || len(s.tables) == 0):
			s, fresh = latest, true
		case s == nil:
			return telemetry.Batch{}, err
		case err != nil:
			s = s.stale(telemetry.Warning{Code: telemetry.StaleDescription, Text: firstLine(err) + ": what was known of the tables before is used"})
		default:
			s = s.stale(latest.warnings...)
		}
	}
	b, err := l.ask(ctx, s, l.dueFrom(start), fresh)
	if err == nil {
		l.known = s
	}
	return b, err
}

// stale is what was known before, with the reasons why it isn't newer.
func (s *survey) stale(reasons ...telemetry.Warning) *survey {
	old := *s
	old.warnings = reasons
	return &old
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// dueFrom is what is due, and from start on where that isn't zero and is earlier. The
// survey before it may have set our clock right.
func (l *Live) dueFrom(start time.Time) telemetry.Window {
	w := l.due()
	if !start.IsZero() && start.Before(w.Start) {
		w.Start = start
	}
	return w
}

// due is the window that is to be asked for now. It ends with the minute under
// way, which AWS hasn't published yet.
func (l *Live) due() telemetry.Window {
	end := l.now().Truncate(time.Minute)
	if l.last.End.IsZero() {
		return telemetry.Window{Start: end.Add(-l.cfg.Since), End: end, Period: time.Minute}
	}
	start := l.last.End.Add(-trailing)
	if oldest := end.Add(-longestCatchUp); start.Before(oldest) {
		start = oldest
	}
	return telemetry.Window{Start: start, End: end, Period: time.Minute}
}
