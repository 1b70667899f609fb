package collectors

import (
	"fmt"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// How long CloudWatch keeps points of a period (GetMetricData, "Retention").
const (
	minutesKept     = 15 * 24 * time.Hour
	fiveMinutesKept = 63 * 24 * time.Hour
	hoursKept       = 455 * 24 * time.Hour
)

// retainedPeriod is the finest period that CloudWatch still has for all of a
// window that begins at start.
func retainedPeriod(start, now time.Time) time.Duration {
	switch age := now.Sub(start); {
	case age <= minutesKept:
		return time.Minute
	case age <= fiveMinutesKept:
		return 5 * time.Minute
	}
	return time.Hour
}

// align gives a window the period that is still to be had, and bounds on that
// period's grid: the start rounded down, the end up.
func align(w telemetry.Window, now time.Time) telemetry.Window {
	w.Period = max(w.Period.Truncate(time.Minute), retainedPeriod(w.Start, now))
	w.Start = w.Start.UTC().Truncate(w.Period)
	end := w.End.UTC().Truncate(w.Period)
	if end.Before(w.End) {
		end = end.Add(w.Period)
	}
	w.End = end
	return w
}

// warnOfCoarsePeriod says what is lost where minutes aren't kept any more.
func warnOfCoarsePeriod(w telemetry.Window) []telemetry.Warning {
	if w.Period <= time.Minute {
		return nil
	}
	return []telemetry.Warning{{
		Code: telemetry.CoarsePeriod,
		Text: fmt.Sprintf("CloudWatch keeps minutes for 15 days: these points are %.0f minutes apart, and shorter peaks can't be seen", w.Period.Minutes()),
	}}
}
