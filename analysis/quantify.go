package analysis

import (
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Attempts an operation may count for in the throttle metrics: SDKs try 3, 4, 9, 10 or
// 11 times by default, and some clients only once (AWS Developer Tools Blog, "Updated
// default retry behavior for AWS SDKs and tools").
const (
	fewestAttempts = 1
	mostAttempts   = 11
)

// quantify sets the numbers of an event: hottest partition, demand, seconds at the
// ceiling, the share of the users' work refused, and whether a split will cure it.
func (s *scene) quantify(e *Event, f *features) {
	if e.Limit == telemetry.KeyRangeLimit || e.Limit == telemetry.UnknownLimit && s.keyed(e) {
		e.Hottest = s.hottest(e, f)
		e.SecondsAtCeiling = s.secondsAtCeiling(e, f)
		e.Splitting = s.splitting(e, f)
	}
	e.Demand = s.demand(e, f)
	e.Eventual = s.eventual(f)
	e.Refused = s.refusedShare(f)
}

func (s *scene) keyed(e *Event) bool {
	return e.Cause == HotKey || e.Cause == HotPartition || e.Cause == LargeItem || e.Cause == Undetermined
}

// foremost is the key an event is about, if one can be named.
func (s *scene) foremost(f *features) (suspect, bool) {
	if k, ok := s.culprit(f); ok {
		return k, true
	}
	if s.res.ID.Index != "" {
		if k, ok := f.heaviest(); ok && k.likely >= 0.5 {
			return k, true
		}
	}
	if len(f.suspects) > 0 && f.suspects[0].share >= 0.5 {
		return f.suspects[0], true
	}
	return suspect{}, false
}

// eventKeys names the keys behind an event: the one that fills a partition with others
// like it, or those that share one.
func (s *scene) eventKeys(e *Event, f *features) []EventKey {
	var chosen []suspect
	switch {
	case s.oneKey(e) || e.Cause == GSIPressure && e.Limit == telemetry.KeyRangeLimit:
		k, ok := s.foremost(f)
		if !ok {
			break
		}
		chosen = append(chosen, k)
		for _, other := range f.filling(full) {
			if other.track != k.track {
				chosen = append(chosen, other)
			}
		}
	case e.Cause == HotPartition || e.Cause == Undetermined:
		chosen, _ = f.sharing()
		rolling := s.rolling(f)
		for _, k := range f.suspects {
			if k.share >= 0.04 && (!k.loaded() || rolling && k.likely >= full) {
				chosen = append(chosen, k)
			}
		}
	}
	const most = 10
	out := []EventKey{}
	for _, k := range chosen[:min(most, len(chosen))] {
		out = append(out, s.eventKey(k))
	}
	return out
}

func (s *scene) eventKey(k suspect) EventKey {
	out := EventKey{Key: telemetry.Key{Partition: name(k), Sort: k.track.item()}}
	if k.loaded() {
		out.Rate = &Estimate{Likely: k.likely * s.ceiling, Low: k.low * s.ceiling, High: k.high * s.ceiling}
	}
	if k.refused > 0 {
		refused := math.Round(k.refused)
		out.ThrottledEvents = &refused
	}
	return out
}

// hottest bounds what the busiest partition served in the event's worst minute.
func (s *scene) hottest(e *Event, f *features) *Hottest {
	floor, likely, top, at := s.busiest(e, f)
	if math.IsNaN(likely) {
		return nil
	}
	c := telemetry.Rate(s.ceiling)
	return &Hottest{
		Rate: telemetry.Rate(likely), Low: telemetry.Rate(math.Min(floor, likely)),
		High: telemetry.Rate(math.Max(top, likely)), Ceiling: c, At: s.facts.at(at),
	}
}

// busiest walks the run's minutes and bounds the busiest partition's mean. From below:
// what the keys on it drew as measured, and in a minute that was refused throughout,
// nearly the ceiling. From above: those keys, an ordinary share, and what a partition
// can serve. The first and last minute of a longer run are left out: they are troubled
// in part only, and a split may fall in them.
func (s *scene) busiest(e *Event, f *features) (floor, likely, top float64, at int) {
	likely, at = math.NaN(), f.run.from
	candidates := s.candidates(e, f)
	steps := f.run.steps()
	if len(steps) > 3 {
		steps = steps[1 : len(steps)-1]
	}
	for _, i := range steps {
		for _, group := range candidates {
			low, high := s.servedIn(f, group, i)
			mid := (low + high) / 2
			floor, top = math.Max(floor, low), math.Max(top, high)
			if math.IsNaN(likely) || mid > likely {
				likely, at = mid, i
			}
		}
	}
	return floor, math.Min(math.Max(likely, floor), top), top, at
}

// candidates are the groups of keys any of which may make the busiest partition: those
// the event is about, and each key that fills one alone. An empty group is a partition
// of which no key is known.
func (s *scene) candidates(e *Event, f *features) [][]suspect {
	out := [][]suspect{s.onePartition(e, f)}
	for _, k := range f.filling(full) {
		out = append(out, []suspect{k})
	}
	return out
}

// servedIn bounds what the busiest partition served in one step.
func (s *scene) servedIn(f *features, group []suspect, i int) (low, high float64) {
	low, high = s.groupLoad(group, i)
	known := !math.IsNaN(high)
	if known {
		share, spread := s.ordinary(i)
		high += share + 2*spread
	} else {
		low, high = s.unnamedLoad(i)
	}
	if len(group) > 1 {
		// That they share a partition is inferred, so their sum proves no more than a full one.
		low = math.Min(low, 0.99*s.ceiling)
	}
	low = math.Min(low, s.provable())
	most := s.mostServed(f, low, high)
	if s.throughout(f, i) {
		switch {
		case known && high >= 0.85*s.ceiling, !known && s.mayFill(f):
			low = math.Max(low, 0.96*s.ceiling)
			high = math.Max(high, float64(partition.MaxMean(s.dir)))
		case known && high >= 0.5*s.ceiling:
			// Something not ranked fills the rest, or the minute has quiet seconds.
			high = math.Max(high, float64(partition.MaxMean(s.dir)))
		}
	}
	if !known && s.dir == telemetry.Read && s.throughout(f, i) {
		high = math.Max(high, most)
	}
	low = math.Min(low, most)
	return low, math.Max(low, math.Min(high, most))
}

// mayFill reports whether the load that came with the run is enough to have filled a
// partition for whole minutes, rather than in bursts.
func (s *scene) mayFill(f *features) bool {
	return math.IsNaN(f.before) || f.plateau-f.before >= 0.5*s.ceiling
}

// onePartition are the keys thought to sit on the partition in question.
func (s *scene) onePartition(e *Event, f *features) []suspect {
	group, sum := f.sharing()
	if k, ok := s.foremost(f); ok && e.Cause != HotPartition {
		if k.loaded() && k.likely < full && len(group) > 1 && sum >= full {
			return group
		}
		return []suspect{k}
	}
	if e.Cause == HotPartition && len(group) > 0 && sum >= 0.3 {
		return group
	}
	return nil
}

// groupLoad adds up keys in one step; NaN where any of them isn't ranked.
func (s *scene) groupLoad(group []suspect, i int) (low, high float64) {
	if len(group) == 0 {
		return math.NaN(), math.NaN()
	}
	for _, k := range group {
		c := k.track.load[i]
		if c.State != telemetry.Known {
			return math.NaN(), math.NaN()
		}
		low, high = low+float64(c.Low), high+float64(c.High)
	}
	return low, high
}

// unnamedLoad bounds the busiest partition where no key's load is known: at least an
// equal share, at most everything.
func (s *scene) unnamedLoad(i int) (low, high float64) {
	m := s.load.Minutes[i]
	if m.State != telemetry.Known {
		return 0, float64(partition.MaxMean(s.dir))
	}
	c := float64(m.Consumed)
	return c / float64(max(1, s.res.Partitions.High)), c
}

// mostServed is the highest mean of a minute that a partition reaches: the ceiling with
// the second it had saved. Reads that may be eventually consistent go up to what AWS
// measured: those of an index, those that are seen to pass the strong ceiling, and those
// that cost less than a unit each.
func (s *scene) mostServed(f *features, low, high float64) float64 {
	if s.dir == telemetry.Write {
		return float64(partition.MaxMeanWrite)
	}
	const slack = 1.01 // ranked values are approximate
	strong := slack * float64(partition.MaxMeanRead)
	if s.res.ID.Index != "" || low > strong || high > strong && f != nil && f.eventual() {
		return slack * float64(partition.EventuallyConsistentRead) * float64(partition.MaxMeanRead) / s.ceiling
	}
	return strong
}

// eventual reports whether reads cost less than a unit on average: then many of them
// are eventually consistent.
func (f *features) eventual() bool {
	const mixed = 0.9
	return f.addedCost < mixed || f.usualCost < mixed
}

// provable is the most that measured key loads can prove of a partition's mean. For
// writes that is a hair under the ceiling: ranked values are approximate, and the model
// of the ordinary share adds to them.
func (s *scene) provable() float64 {
	if s.dir == telemetry.Write {
		return 0.99 * s.ceiling
	}
	return math.Inf(1)
}

// throughout reports whether refusals lasted for the whole step: its neighbours are
// troubled too and it is neither the run's first nor its last.
func (s *scene) throughout(f *features, i int) bool {
	r := f.run
	level := r.total() / float64(max(1, r.to-r.from))
	return i > r.from && i < r.to-1 && r.refused[i] >= 0.5*level && r.refused[i] >= 60
}

// ordinary is what a partition draws from keys that aren't ranked, with its spread: the
// unranked rest is spread over all partitions, and none of its keys is above the
// smallest ranked value.
func (s *scene) ordinary(i int) (share, spread float64) {
	m := s.load.Minutes[i]
	if m.State != telemetry.Known {
		return 0, 0
	}
	rest, least := float64(m.Consumed), math.Inf(1)
	for _, k := range s.keys {
		if c := k.load[i]; c.State == telemetry.Known {
			rest -= float64(c.Likely)
			least = math.Min(least, float64(c.High))
		}
	}
	rest = math.Max(0, rest)
	p := float64(max(1, s.res.Partitions.Likely))
	if math.IsInf(least, 1) {
		least = rest / p
	}
	return rest / p, math.Sqrt(rest * least / p)
}

// secondsAtCeiling bounds the seconds spent at the limit: at least one for each
// troubled minute, at most what the units served in it allow.
func (s *scene) secondsAtCeiling(e *Event, f *features) *Range {
	if s.facts.period() > fiveMinutes/5 {
		return nil
	}
	out := Range{}
	for _, i := range f.run.steps() {
		most := 60.0
		low, high := s.groupLoad(s.onePartition(e, f), i)
		if !math.IsNaN(high) {
			share, spread := s.ordinary(i)
			most = math.Min(60, 60*(high+share+2*spread)/s.ceiling)
		} else if m := s.load.Minutes[i]; m.State == telemetry.Known {
			most = math.Min(60, 60*float64(m.Consumed)/s.ceiling)
		}
		least := 1.0
		if s.throughout(f, i) && (math.IsNaN(low) || low >= 0.9*s.ceiling) {
			least = math.Max(1, 0.8*most)
		}
		out.Low += math.Min(least, math.Max(1, most))
		out.High += math.Max(1, most)
	}
	out.Low, out.High = math.Round(out.Low), math.Round(out.High)
	return &out
}

// refusedRequests adds up ThrottledRequests. Batches that were refused in part don't
// count in it.
func (f *features) refusedRequests() float64 {
	var sum float64
	for _, n := range f.refusedByOperation {
		sum += n
	}
	return sum
}

// refusedShare bounds the part of the wanted operations that met a refusal. At worst
// every refusal is an operation of its own; at best it takes all of an SDK's attempts
// to lose one, and none is lost for good.
func (s *scene) refusedShare(f *features) *Range {
	if math.IsNaN(f.requests) || f.requests <= 0 {
		return nil
	}
	served := f.requests * float64(f.minutes)
	refused := f.refusals
	if byRequest := f.refusedRequests(); s.res.ID.Index != "" && byRequest > 0 {
		refused = byRequest
	}
	few := refused / mostAttempts
	return &Range{Low: few / (served + few), High: refused / (served + refused)}
}
