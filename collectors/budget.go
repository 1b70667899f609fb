package collectors

import (
	"fmt"
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// pollsEvery is how far apart polls are.
func (l *Live) pollsEvery() time.Duration {
	return max(pollEvery, time.Duration(l.meter.every.Load()))
}

// spend takes note of what a poll asked for, and puts the next ones so far apart
// that they stay within the budget.
func (l *Live) spend(metrics int64) {
	if len(l.cfg.Tables) == 0 {
		metrics = l.fleet.typical(metrics, l.meter.poll.Load())
	}
	l.meter.poll.Store(metrics)
	if l.cfg.Budget <= 0 {
		return
	}
	minutes := math.Ceil(float64(metrics) * dollarsPerMetric * float64(time.Hour/time.Minute) / l.cfg.Budget)
	every := time.Duration(min(minutes, longestEvery.Minutes())) * time.Minute
	l.meter.every.Store(int64(max(pollEvery, every)))
}

// typical is what a poll of a fleet asks for: the mean of the last two, whose slices
// differ.
func (f *fleet) typical(last, before int64) int64 {
	if before == 0 || f.turns == 1 {
		return last
	}
	return (last + before) / 2
}

// warnOfBudget says that the budget makes polls rarer, or doesn't suffice.
func (l *Live) warnOfBudget() []telemetry.Warning {
	m := l.Meter()
	switch cost := m.DollarsAnHour(); {
	case l.cfg.Budget <= 0 || m.Every <= pollEvery && cost <= l.cfg.Budget:
		return nil
	case cost > l.cfg.Budget:
		return []telemetry.Warning{{
			Code: telemetry.Budget,
			Text: fmt.Sprintf("even a poll every %.0f minutes costs about $%.2f an hour, more than the budget of $%.2f", m.Every.Minutes(), cost, l.cfg.Budget),
		}}
	}
	return []telemetry.Warning{{
		Code: telemetry.Budget,
		Text: fmt.Sprintf("AWS is asked every %.0f minutes, not every minute, to stay within the budget of $%.2f an hour: what is new is seen later", m.Every.Minutes(), l.cfg.Budget),
	}}
}
