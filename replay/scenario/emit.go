package scenario

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// emitter turns simulated minutes into CloudWatch series.
type emitter struct {
	w      *world
	rng    *rand.Rand
	tails  *rand.Rand // of percentiles
	stray  map[strayAt]float64
	series []telemetry.Series
}

// strayAt places a stray refusal.
type strayAt struct {
	second, direction int
}

// add appends a series; points are dropped where keep says so.
func (e *emitter) add(id telemetry.SeriesID, period time.Duration, points []telemetry.Point) {
	if points == nil {
		points = []telemetry.Point{}
	}
	e.series = append(e.series, telemetry.Series{ID: id, Period: period, Status: telemetry.Complete, Points: points})
}

// points asks for each minute's value; ok false leaves the minute out.
func (e *emitter) points(u *unit, value func(*minute) (v float64, ok bool)) []telemetry.Point {
	points := make([]telemetry.Point, 0, len(u.minutes))
	for _, m := range u.minutes {
		if v, ok := value(m); ok {
			points = append(points, telemetry.Point{Time: e.w.s.Start.Add(seconds(m.second)), Value: v})
		}
	}
	return points
}

// positive reports counters only where something happened.
func positive(v float64) (float64, bool) {
	v = math.Round(v)
	return v, v >= 1
}

func (e *emitter) all() []telemetry.Series {
	for _, u := range e.w.units() {
		for _, d := range telemetry.Directions {
			e.consumed(u, d)
			e.throttled(u, d)
			e.capacity(u, d)
		}
	}
	e.operations()
	e.account()
	return e.series
}

// consumed are the units of a resource, each minute, even an idle one (Developer
// Guide, "DynamoDB metrics and dimensions").
func (e *emitter) consumed(u *unit, d telemetry.Direction) {
	i, missing := dir(d), e.gaps(u)
	stat := func(s telemetry.Statistic, value func(*minute) float64) {
		id := telemetry.SeriesID{Resource: e.w.s.id(u.name), Metric: telemetry.Consumed(d), Stat: s}
		e.add(id, time.Minute, e.points(u, func(m *minute) (float64, bool) {
			return value(m), !slices.Contains(missing, m.second)
		}))
		if len(missing) > 0 {
			e.series[len(e.series)-1].Status = telemetry.PartialData
		}
	}
	const idleSamples = 5
	samples := func(m *minute) float64 { return max(idleSamples, math.Round(m.requests[i])) }
	stat(telemetry.Sum, func(m *minute) float64 { return math.Round(2*m.units[i]) / 2 })
	stat(telemetry.Maximum, func(m *minute) float64 { return m.most[i] })
	stat(telemetry.Average, func(m *minute) float64 { return m.units[i] / samples(m) })
	stat(telemetry.SampleCount, samples)
	if u.name == "" && d == telemetry.Write && len(e.w.s.Table.Replicas) > 0 {
		for _, source := range []string{"Customer", "GlobalTable"} {
			id := telemetry.SeriesID{
				Resource: e.w.s.id(""), Metric: telemetry.Consumed(d), Stat: telemetry.Sum, Traffic: source,
			}
			e.add(id, time.Minute, e.points(u, func(m *minute) (float64, bool) {
				if source == "GlobalTable" {
					return math.Round(m.replicated), true
				}
				return math.Round(m.units[1] - m.replicated), true
			}))
		}
	}
}

// gaps draws the minutes whose consumed points got lost.
func (e *emitter) gaps(u *unit) []int {
	rng := rand.New(rand.NewPCG(uint64(len(u.name)), uint64(e.w.s.Gaps)))
	var out []int
	for range e.w.s.Gaps {
		out = append(out, u.minutes[rng.IntN(len(u.minutes))].second)
	}
	return out
}

// throttled are the refusals of a resource, in all and by cause.
func (e *emitter) throttled(u *unit, d telemetry.Direction) {
	i := dir(d)
	stray := func(m *minute) float64 {
		if u.name != "" {
			return 0
		}
		return e.stray[strayAt{m.second, i}]
	}
	sum := func(l telemetry.Limit, value func(*minute) float64) {
		id := telemetry.SeriesID{Resource: e.w.s.id(u.name), Metric: telemetry.ThrottleEvents(d, l), Stat: telemetry.Sum}
		e.add(id, time.Minute, e.points(u, func(m *minute) (float64, bool) { return positive(value(m)) }))
	}
	sum(telemetry.UnknownLimit, func(m *minute) float64 {
		total := stray(m)
		for _, n := range m.events[i] {
			total += math.Round(n)
		}
		return total
	})
	if e.w.s.Legacy {
		return
	}
	for j, l := range telemetry.Limits {
		sum(l, func(m *minute) float64 {
			if l == telemetry.KeyRangeLimit {
				return math.Round(m.events[i][j]) + stray(m)
			}
			return m.events[i][j]
		})
	}
}

// capacity are the five-minute series of what is allowed.
func (e *emitter) capacity(u *unit, d telemetry.Direction) {
	fives := func(value func(*minute) float64, mean bool) []telemetry.Point {
		var points []telemetry.Point
		total, n := 0.0, 0.0
		for k, m := range u.minutes {
			total, n = total+value(m), n+1
			at := e.w.s.Start.Add(seconds(m.second))
			if end := at.Add(time.Minute); end.Truncate(5*time.Minute).Equal(end) || k == len(u.minutes)-1 {
				v := value(m)
				if mean {
					v = total / n
				}
				if from := at.Truncate(5 * time.Minute); v > 0 && !from.Before(e.w.s.Start) {
					points = append(points, telemetry.Point{Time: from, Value: v})
				}
				total, n = 0, 0
			}
		}
		return points
	}
	i, id := dir(d), e.w.s.id(u.name)
	e.add(telemetry.SeriesID{Resource: id, Metric: telemetry.Provisioned(d), Stat: telemetry.Average}, 5*time.Minute,
		fives(func(m *minute) float64 { return float64(m.provisioned[i]) }, true))
	e.add(telemetry.SeriesID{Resource: id, Metric: telemetry.OnDemandMax(d), Stat: telemetry.Maximum}, 5*time.Minute,
		fives(func(m *minute) float64 { return float64(m.maximum[i]) }, false))
}

// batchSize is how many items the simulated clients put into a batch request.
const batchSize = 20

// operations are the series with the dimension Operation.
func (e *emitter) operations() {
	u, table := e.w.table, e.w.s.id("")
	byOperation := func(name string) func(*minute) *operationMinute {
		return func(m *minute) *operationMinute {
			total := &operationMinute{}
			for _, from := range e.sameMinute(m) {
				if o := from.operations[name]; o != nil {
					total.served += o.served
					total.refused += o.refused
				}
			}
			return total
		}
	}
	for _, name := range e.operationNames() {
		of := byOperation(name)
		batch := name == "BatchWriteItem" || name == "BatchGetItem"
		add := func(metric telemetry.Metric, stat telemetry.Statistic, value func(*minute) (float64, bool)) {
			e.add(telemetry.SeriesID{Resource: table, Metric: metric, Stat: stat, Operation: name}, time.Minute, e.points(u, value))
		}
		add(telemetry.SuccessfulRequestLatency, telemetry.SampleCount, func(m *minute) (float64, bool) {
			n := of(m).served
			if batch {
				n /= batchSize
			}
			return positive(n)
		})
		add(telemetry.SuccessfulRequestLatency, telemetry.Average, func(m *minute) (float64, bool) {
			return latency(name) * (1 + 0.05*e.rng.NormFloat64()), math.Round(of(m).served) >= 1
		})
		add(telemetry.SuccessfulRequestLatency, telemetry.P99, func(m *minute) (float64, bool) {
			const tail = 3.5 // times the mean, as a rule
			return tail * latency(name) * math.Exp(0.2*e.tails.NormFloat64()), math.Round(of(m).served) >= 1
		})
		add(telemetry.SystemErrors, telemetry.Sum, func(*minute) (float64, bool) { return 0, false })
		add(telemetry.ThrottledRequests, telemetry.Sum, func(m *minute) (float64, bool) {
			if batch {
				// A batch counts only if all its items were refused.
				return 0, false
			}
			return positive(of(m).refused + e.strayRequests(m, name))
		})
	}
	for _, metric := range []telemetry.Metric{telemetry.ConditionalCheckFailedRequests, telemetry.TransactionConflict} {
		e.add(telemetry.SeriesID{Resource: table, Metric: metric, Stat: telemetry.Sum}, time.Minute, nil)
	}
}

// strayRequests are the stray refusals that fall to an operation: the first one
// of their direction.
func (e *emitter) strayRequests(m *minute, name string) float64 {
	d, ok := telemetry.OperationDirection(name)
	if !ok {
		return 0
	}
	for _, other := range e.operationNames() {
		if od, _ := telemetry.OperationDirection(other); od == d {
			if other != name {
				return 0
			}
			break
		}
	}
	return e.stray[strayAt{m.second, dir(d)}]
}

// sameMinute are the minutes of the table and all indexes at one time: requests
// to an index carry the table's name and the operation alone.
func (e *emitter) sameMinute(m *minute) []*minute {
	out := []*minute{}
	for _, u := range e.w.units() {
		if i := m.second / 60; i < len(u.minutes) {
			out = append(out, u.minutes[i])
		}
	}
	return out
}

func (e *emitter) operationNames() []string {
	var names []string
	for _, known := range telemetry.APIOperations {
		for i := range e.w.s.Loads {
			used := slices.ContainsFunc(e.w.s.Loads[i].Operations, func(o Operation) bool { return o.Name == known })
			if used && !slices.Contains(names, known) {
				names = append(names, known)
			}
		}
	}
	return names
}

// latency is a usual server-side mean in milliseconds.
func latency(operation string) float64 {
	switch operation {
	case "GetItem":
		return 2.4
	case "Query", "BatchGetItem":
		return 6
	case "Scan":
		return 40
	case "TransactWriteItems", "TransactGetItems":
		return 12
	}
	return 4.2
}

func (e *emitter) account() {
	id := telemetry.ResourceID{TableID: telemetry.TableID{Account: e.w.s.Account, Region: e.w.s.Region}}
	for _, d := range telemetry.Directions {
		var points []telemetry.Point
		for t := e.w.s.Start.Truncate(5 * time.Minute); t.Before(e.w.s.end()); t = t.Add(5 * time.Minute) {
			if !t.Before(e.w.s.Start) {
				points = append(points, telemetry.Point{Time: t, Value: float64(e.w.s.Quota)})
			}
		}
		e.add(telemetry.SeriesID{Resource: id, Metric: telemetry.AccountTableMax(d), Stat: telemetry.Maximum}, 5*time.Minute, points)
	}
}

func (s *Scenario) end() time.Time { return s.Start.Add(s.Length) }
