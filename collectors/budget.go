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
	l.meter.every.Store(int64(spacing(metrics, l.cfg.Budget)))
}

// spacing is how far apart polls of so many metrics have to be within a budget in
// dollars an hour; zero is no bound.
func spacing(metrics int64, budget float64) time.Duration {
	if budget <= 0 {
		return pollEvery
	}
	minutes := math.Ceil(float64(metrics) * dollarsPerMetric * float64(time.Hour/time.Minute) / budget)
	return max(pollEvery, time.Duration(min(minutes, longestEvery.Minutes()))*time.Minute)
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
func warnOfBudget(m Meter, budget float64) []telemetry.Warning {
	switch cost := m.DollarsAnHour(); {
	case budget <= 0 || m.Every <= pollEvery && cost <= budget:
		return nil
	case cost > budget:
		return []telemetry.Warning{{
			Code: telemetry.Budget,
			Text: fmt.Sprintf("even a poll every %.0f minutes costs about $%.2f an hour, more than the budget of $%.2f", m.Every.Minutes(), cost, budget),
		}}
	}
	return []telemetry.Warning{{
		Code: telemetry.Budget,
		Text: fmt.Sprintf("AWS is asked every %.0f minutes, not every minute, to stay within the budget of $%.2f an hour: what is new is seen later", m.Every.Minutes(), budget),
	}}
}
