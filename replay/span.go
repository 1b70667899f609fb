package replay

import (
	"errors"
	"fmt"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// maxSpan is how far windows may lie apart, minPeriod how close points, and
// maxSteps how many of the shortest periods all windows together may span: 500
// days of minutes. Without them a forged recording of a few bytes could ask its
// reader for an endless time line. CloudWatch keeps values for 455 days
// (GetMetricData, "Retention").
const (
	maxSpan   = 500 * 24 * time.Hour
	minPeriod = time.Second
	maxSteps  = int64(maxSpan / time.Minute)
)

// span is the time that a recording's windows take up.
type span struct {
	// first is when the first window starts; all are within maxSpan of it.
	first    time.Time
	from, to time.Time
	period   time.Duration // the shortest so far; 0 where none was told
}

// add checks a window, by itself and beside those before it. One that makes no
// sense is not added.
func (s *span) add(w telemetry.Window) error {
	if w == (telemetry.Window{}) {
		return nil
	}
	next := *s
	if next.first.IsZero() {
		next.first, next.from, next.to = w.Start, w.Start, w.End
	}
	switch {
	case w.End.Before(w.Start):
		return errors.New("a batch's window ends before it starts")
	case w.Period < 0, w.Period > 0 && w.Period < minPeriod:
		return fmt.Errorf("a batch's period of %v is too short", w.Period)
	case w.Start.Sub(next.first).Abs() > maxSpan, w.End.Sub(next.first).Abs() > maxSpan:
		return fmt.Errorf("a batch lies more than %d days from the first", maxSpan/(24*time.Hour))
	}
	if w.Start.Before(next.from) {
		next.from = w.Start
	}
	if w.End.After(next.to) {
		next.to = w.End
	}
	if w.Period > 0 && (next.period == 0 || w.Period < next.period) {
		next.period = w.Period
	}
	if next.period > 0 && int64(next.to.Sub(next.from)/next.period) > maxSteps {
		return fmt.Errorf("with a batch the recording spans more than %d periods of %v", maxSteps, next.period)
	}
	*s = next
	return nil
}
