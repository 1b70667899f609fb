package collectors

import (
	"sync/atomic"
	"time"
)

// The price of metrics that are asked for, with GetMetricData or in a report of
// Contributor Insights, in US dollars (Amazon CloudWatch pricing, US East,
// November 2026: $0.01 per 1,000 metrics requested, no free tier). That a report
// counts as one metric is an assumption.
const dollarsPerMetric = 0.01 / 1000

// Meter counts what was asked of AWS. Only metrics cost money; calls that
// describe are free.
type Meter struct {
	Calls   int64
	Metrics int64
	// MetricsAPoll is what a poll asks for, by the last ones; zero before the first.
	MetricsAPoll int64
	// Every is how far apart polls are: a minute, or more to stay within a budget.
	Every time.Duration
}

// Dollars is what the metrics so far cost.
func (m Meter) Dollars() float64 { return float64(m.Metrics) * dollarsPerMetric }

// DollarsAnHour is what polling at this rate costs.
func (m Meter) DollarsAnHour() float64 {
	return float64(m.MetricsAPoll) * dollarsPerMetric * float64(time.Hour) / float64(m.Every)
}

// meter is a Meter that is being counted; every is in nanoseconds, zero for a
// minute.
type meter struct{ calls, metrics, poll, every atomic.Int64 }

func (m *meter) call(metrics int) {
	m.calls.Add(1)
	m.metrics.Add(int64(metrics))
}

// Meter is what was asked so far. It may be called at any time.
func (l *Live) Meter() Meter {
	return Meter{Calls: l.meter.calls.Load(), Metrics: l.meter.metrics.Load(), MetricsAPoll: l.meter.poll.Load(), Every: l.pollsEvery()}
}
