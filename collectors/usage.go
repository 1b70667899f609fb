package collectors

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// use is an operation on a table.
type use struct {
	table     telemetry.TableID
	operation string
}

// felt are the series that tell what callers felt of an operation beside its mean
// latency. Most tables use a few of the operations, so that they are asked for only of
// those that are used.
func (u use) felt(period time.Duration) []question {
	id := telemetry.SeriesID{Resource: u.table.Resource(), Operation: u.operation}
	tail, broken := id, id
	tail.Metric, tail.Stat = telemetry.SuccessfulRequestLatency, telemetry.P99
	broken.Metric, broken.Stat = telemetry.SystemErrors, telemetry.Sum
	return []question{{tail, period}, {broken, period}}
}

// usage are the operations that are known to be used: that succeeded or were refused in
// a minute that was asked for. What was used once is asked for from then on, so that
// there is no gap in what is known of it.
type usage map[use]bool

// learn notes the operations that the series show to be used, and returns the questions
// about those that weren't known to be.
func (u usage) learn(series []telemetry.Series, period time.Duration) []question {
	var out []question
	for _, s := range series {
		x := use{s.ID.Resource.TableID, s.ID.Operation}
		if x.operation == "" || len(s.Points) == 0 || u[x] {
			continue
		}
		u[x] = true
		out = append(out, x.felt(period)...)
	}
	return out
}
