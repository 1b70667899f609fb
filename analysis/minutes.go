package analysis

import (
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// provisionalAfter is how old a minute must be before its values count as settled.
// AWS publishes no figure for the one-minute DynamoDB metrics; the newest two or
// three minutes are often partial (exporters' maintainers, Netflix Atlas).
const provisionalAfter = 3 * time.Minute

// reading is one value of a series with what its presence or absence means.
type reading struct {
	value float64
	state telemetry.State
}

// known reports whether the value can be used.
func (r reading) known() bool { return r.state == telemetry.Known }

// readings lays a series out over the window, one reading for each step, which nobody
// writes. A series that nobody asked for is unknown throughout.
func (f *facts) readings(id telemetry.SeriesID) []reading {
	t := f.series[id]
	if t == nil {
		if len(f.blank) != f.steps() {
			f.blank = make([]reading, f.steps())
		}
		return f.blank
	}
	out := make([]reading, f.steps())
	f.fillAbsent(out, t, id.Metric)
	for _, p := range t.points {
		if i := f.step(p.Time); i >= 0 && i < len(out) {
			out[i] = reading{p.Value, telemetry.Known}
		}
	}
	return out
}

// fillAbsent says of each step what it means that no point is there.
func (f *facts) fillAbsent(out []reading, t *track, m telemetry.Metric) {
	zero := m.AbsentMeansZero() && !t.partial && (t.period == 0 || t.period <= f.period())
	for i := range out {
		start := f.at(i)
		switch {
		case start.Before(t.from) || !start.Before(t.to):
		case f.provisional(i):
			out[i].state = telemetry.Pending
		case zero:
			out[i].state = telemetry.Known
		}
	}
}

// provisional reports whether a step is so new that AWS may still revise it.
func (f *facts) provisional(step int) bool {
	return !f.fetchedAt.IsZero() && f.fetchedAt.Sub(f.at(step+1)) < provisionalAfter
}

// minutes lays out what CloudWatch said of one direction of a resource.
func (f *facts) minutes(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) []Minute {
	out := make([]Minute, f.steps())
	for i := range out {
		out[i].Start = f.at(i)
		out[i].Provisional = f.provisional(i)
		out[i].Requests = -1
	}
	sum := f.readings(telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(dir), Stat: telemetry.Sum})
	largest := f.readings(telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(dir), Stat: telemetry.Maximum})
	for i := range out {
		out[i].State = sum[i].state
		out[i].Consumed = telemetry.Units(sum[i].value).Per(f.period())
		out[i].Largest = telemetry.Units(largest[i].value)
	}
	f.fillThrottles(out, id, dir)
	f.fillRequests(out, id.TableID, dir)
	for i, c := range f.capacity(id, dir, mode) {
		out[i].Capacity, out[i].CapacityAge = c.rate, c.age
	}
	return out
}

// fillThrottles sets the counts of refusals, in all and by limit. Where all four
// parts read zero and the total does not, the parts were not published (they exist
// since 14 August 2025), so they are unknown. Where only parts are known, the total
// is their sum.
func (f *facts) fillThrottles(out []Minute, id telemetry.ResourceID, dir telemetry.Direction) {
	total := f.readings(telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(dir, telemetry.UnknownLimit), Stat: telemetry.Sum})
	part := func(l telemetry.Limit) []reading {
		return f.readings(telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(dir, l), Stat: telemetry.Sum})
	}
	keyRange, provisioned := part(telemetry.KeyRangeLimit), part(telemetry.ProvisionedLimit)
	onDemand, account := part(telemetry.MaxOnDemandLimit), part(telemetry.AccountLimit)
	for i := range out {
		m := &out[i]
		m.ByLimit = LimitCounts{
			KeyRange: keyRange[i].value, Provisioned: provisioned[i].value,
			MaxOnDemand: onDemand[i].value, Account: account[i].value,
		}
		sum := m.ByLimit.KeyRange + m.ByLimit.Provisioned + m.ByLimit.MaxOnDemand + m.ByLimit.Account
		m.LimitState = max(keyRange[i].state, provisioned[i].state, onDemand[i].state, account[i].state)
		m.Throttled, m.ThrottleState = math.Max(total[i].value, sum), max(total[i].state, m.LimitState)
		if m.Throttled > 0 && sum == 0 {
			m.LimitState = telemetry.Unknown
		}
	}
}

// fillRequests adds up the successful requests of the operations that go in this
// direction. They are published for the table with its indexes together. PartiQL
// operations may go either way and are left out. An operation without a point counts as
// not used, unless its newest points are evidently late: then the minute's requests are
// unknown.
func (f *facts) fillRequests(out []Minute, id telemetry.TableID, dir telemetry.Direction) {
	late := make([]bool, len(out))
	for _, op := range telemetry.APIOperations {
		if d, ok := telemetry.OperationDirection(op); !ok || d != dir || f.series[requestSeries(id, op)] == nil {
			continue
		}
		r := f.readings(requestSeries(id, op))
		for i := range r {
			if r[i].known() {
				out[i].Requests = math.Max(out[i].Requests, 0) + r[i].value
			}
		}
		markLate(late, r, out)
	}
	for i := range out {
		if late[i] {
			out[i].Requests = -1
		}
	}
}

// markLate finds the steps at the window's end in which a busy operation has no points
// yet although the load goes on as it was when the last came.
func markLate(late []bool, r []reading, minutes []Minute) {
	last := -1
	for i := range r {
		if r[i].known() {
			last = i
		}
	}
	const few = 10 // minutes, AWS's points having been seen to come as late
	if last < 0 || len(r)-1-last > few {
		return
	}
	for i := last + 1; i < len(r); i++ {
		if minutes[i].State != telemetry.Known || float64(minutes[i].Consumed) >= 0.8*float64(minutes[last].Consumed) {
			late[i] = true
		}
	}
}

// requestSeries counts an operation's successful requests.
func requestSeries(id telemetry.TableID, operation string) telemetry.SeriesID {
	return telemetry.SeriesID{
		Resource: id.Resource(), Metric: telemetry.SuccessfulRequestLatency,
		Stat: telemetry.SampleCount, Operation: operation,
	}
}

// refusedSeries counts an operation's refused requests.
func refusedSeries(id telemetry.TableID, operation string) telemetry.SeriesID {
	return telemetry.SeriesID{
		Resource: id.Resource(), Metric: telemetry.ThrottledRequests,
		Stat: telemetry.Sum, Operation: operation,
	}
}

// meanReading is the mean of the known values of a series from one step to another; 0
// where none is known.
func meanReading(r []reading, from, to int) float64 {
	var sum float64
	n := 0
	for _, x := range r[from:to] {
		if x.known() {
			sum += x.value
			n++
		}
	}
	return sum / math.Max(1, float64(n))
}

// sumReadings adds up the known values of a series from one step to another.
func sumReadings(r []reading, from, to int) float64 {
	var sum float64
	for _, x := range r[from:to] {
		sum += x.value
	}
	return sum
}
