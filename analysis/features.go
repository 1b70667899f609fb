package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// suspect is a key seen from a run of trouble.
type suspect struct {
	track *keyTrack
	// refused are the throttle errors put down to this direction within the run;
	// share is their part of all the run's refusals.
	refused, share float64
	// low, likely and high are the key's load in its busiest minute of the run, as
	// shares of a partition's ceiling; NaN where the key's load is not ranked.
	low, likely, high float64
}

// loaded reports whether the key's load is known.
func (k suspect) loaded() bool { return !math.IsNaN(k.likely) }

// features is what is measured of a run of trouble, before anything is concluded.
type features struct {
	run      run
	minutes  int
	refusals float64
	// accessedRanked and throttledRanked tell whether a rule of that kind answered for
	// the run.
	accessedRanked, throttledRanked bool
	// suspects are the ranked keys, the most refused first.
	suspects []suspect
	// rankedShare is the part of the refusals that the throttle rules put on ranked
	// keys; NaN where no throttle rule answered or where it can't show them.
	rankedShare float64
	// consumed is the mean rate in the run, before the usual one in the hour before it;
	// peakBefore the highest before it; after the mean after it. NaN where unknown.
	consumed, before, peakBefore, after float64
	// plateau is the mean rate of the run's whole minutes, without its first and last.
	plateau float64
	// used is the median of consumed over the table-wide limit, NaN without a limit;
	// limit is that limit's median rate, 0 without.
	used, limit float64
	// unitsPerRequest bounds what one request of the refused key costs; NaN where
	// unknown. largest is the most that one request used in the run.
	unitsPerRequest Estimate
	largest         float64
	// requests are the successful requests a minute in the run; NaN where unknown.
	requests float64
	// usualCost is the mean units of a request before the run, addedCost those of the
	// requests that came with it; NaN where unknown.
	usualCost, addedCost float64
	// addedBy are the successful requests a minute that came with the run, by API
	// operation of this direction.
	addedBy map[string]float64
	// refusedByOperation are ThrottledRequests in the run by API operation, of this
	// direction.
	refusedByOperation map[string]float64
}

func (s *scene) features(r run) *features {
	f := &features{run: r, minutes: r.to - r.from, refusals: r.total()}
	f.accessedRanked = s.facts.ranked(s.res.ID, r.from, r.to, telemetry.AccessedPartitionKeys, telemetry.AccessedItems)
	f.throttledRanked = s.facts.ranked(s.res.ID, r.from, r.to, telemetry.ThrottledPartitionKeys, telemetry.ThrottledItems)
	f.suspects = s.suspects(r)
	f.rankedShare = s.rankedShare(f)
	f.consumed = mean(s.consumed(r.from, r.to))
	f.plateau = mean(s.consumed(r.from+1, r.to-1))
	if math.IsNaN(f.plateau) {
		f.plateau = f.consumed
	}
	f.before = quantile(s.consumed(r.from-s.lookBack(), r.from), 0.5)
	f.peakBefore = quantile(s.consumed(0, r.from), 1)
	f.after = mean(s.consumed(r.to+1, r.to+5))
	s.fillUsed(f)
	s.fillRequests(f)
	f.unitsPerRequest = s.unitsPerRequest(f)
	return f
}

func (s *scene) fillUsed(f *features) {
	var used, limits []float64
	for i := f.run.from; i < f.run.to; i++ {
		m := s.load.Minutes[i]
		f.largest = math.Max(f.largest, float64(m.Largest))
		if m.Capacity > 0 {
			limits = append(limits, float64(m.Capacity))
			if m.State == telemetry.Known {
				used = append(used, float64(m.Consumed/m.Capacity))
			}
		}
	}
	f.used = quantile(used, 0.5)
	f.limit = zeroIfNaN(quantile(limits, 0.5))
}

func (s *scene) fillRequests(f *features) {
	var requests []float64
	for _, m := range s.load.Minutes[f.run.from:f.run.to] {
		if m.Requests >= 0 {
			requests = append(requests, m.Requests)
		}
	}
	f.requests = mean(requests)
	s.fillCosts(f)
	f.refusedByOperation = map[string]float64{}
	for _, op := range telemetry.APIOperations {
		if d, ok := telemetry.OperationDirection(op); ok && d != s.dir {
			continue
		}
		r := s.facts.readings(refusedSeries(s.res.ID.TableID, op))
		if n := sumReadings(r, f.run.from, f.run.to); n > 0 {
			f.refusedByOperation[op] = n
		}
	}
}

// fillCosts compares units and requests in the run with those before it. Where the run
// brought units but hardly any requests, the largest request seen stands for their cost.
func (s *scene) fillCosts(f *features) {
	f.usualCost, f.addedCost = math.NaN(), math.NaN()
	if math.IsNaN(f.requests) || math.IsNaN(f.plateau) || f.requests <= 0 {
		return
	}
	seconds := s.facts.period().Seconds()
	f.addedCost = f.plateau * seconds / f.requests
	var before []float64
	for i := max(0, f.run.from-s.lookBack()); i < f.run.from; i++ {
		if m := s.load.Minutes[i]; m.Requests >= 0 {
			before = append(before, m.Requests)
		}
	}
	s.fillAdded(f)
	if usual := quantile(before, 0.5); usual > 0 && f.before > 0 {
		f.usualCost = f.before * seconds / usual
		units, requests := (f.plateau-f.before)*seconds, f.requests-usual
		switch {
		case units < 0.1*f.plateau*seconds:
			f.addedCost = f.usualCost
		case requests*f.largest > units:
			f.addedCost = units / requests
		case f.largest > 0:
			f.addedCost = f.largest
		}
	}
	if f.came("BatchGetItem", "BatchWriteItem") {
		f.addedCost = math.Max(leastUnits(s.dir), f.addedCost/batchItems)
	}
}

// batchItems is the most items of a BatchWriteItem (API reference); a batch counts as
// one successful request, and what it cost an item can't be told.
const batchItems = 25

// lookBack is how many steps before a run tell what is usual: an hour's worth. Trouble
// may build up for minutes on saved capacity before anything is refused.
func (s *scene) lookBack() int { return max(1, int(time.Hour/s.facts.period())) }

// fillAdded counts the requests that came with the run by operation, over what was usual
// before it; an operation without a point was not used.
func (s *scene) fillAdded(f *features) {
	f.addedBy = map[string]float64{}
	from := max(0, f.run.from-s.lookBack())
	for _, op := range telemetry.APIOperations {
		if d, ok := telemetry.OperationDirection(op); !ok || d != s.dir {
			continue
		}
		r := s.facts.readings(requestSeries(s.res.ID.TableID, op))
		var usual float64
		if before := values(r[from:f.run.from]); len(before) > 0 {
			usual = quantile(before, 0.5)
		}
		if n := meanReading(r, f.run.from, f.run.to) - usual; n > 0 {
			f.addedBy[op] = n
		}
	}
}

// values are the readings' values, 0 where none is known.
func values(r []reading) []float64 {
	out := make([]float64, len(r))
	for i := range r {
		out[i] = r[i].value
	}
	return out
}

// came reports whether a good part of the requests that came with the run were of these
// operations.
func (f *features) came(operations ...string) bool {
	var all, these float64
	for _, op := range telemetry.APIOperations {
		all += f.addedBy[op]
		if slices.Contains(operations, op) {
			these += f.addedBy[op]
		}
	}
	return these > 0 && these >= 0.3*all
}

// suspects ranks the keys of the resource by the refusals in the run, then by load.
// A key's refusals count all directions; they are put down to this one in proportion
// to what the resource refused in each minute.
func (s *scene) suspects(r run) []suspect {
	all := total(r.refused, s.refusalsRankedFrom(r), r.to)
	other := s.res.Load(opposite(s.dir)).Minutes
	var out []suspect
	for _, k := range s.keys {
		x := suspect{track: k, low: math.NaN(), likely: math.NaN(), high: math.NaN()}
		for i := r.from; i < r.to; i++ {
			if e := k.refused[i]; !math.IsNaN(e) && r.refused[i] > 0 {
				x.refused += e * r.refused[i] / (r.refused[i] + other[i].Throttled)
			}
			if c := k.load[i]; c.State == telemetry.Known {
				x.low = math.Max(zeroIfNaN(x.low), float64(c.Low)/s.ceiling)
				x.likely = math.Max(zeroIfNaN(x.likely), float64(c.Likely)/s.ceiling)
				x.high = math.Max(zeroIfNaN(x.high), float64(c.High)/s.ceiling)
			}
		}
		if x.refused == 0 && !x.loaded() {
			continue
		}
		if all > 0 {
			x.share = x.refused / all
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b suspect) int {
		return cmp.Or(cmp.Compare(b.refused, a.refused), cmp.Compare(zeroIfNaN(b.likely), zeroIfNaN(a.likely)),
			cmp.Compare(a.track.key.Partition, b.track.key.Partition))
	})
	return out
}

// rankedShare is how much of the refusals the ranked keys carry. The throttle rules
// don't count base writes that an index refused (Developer Guide, "CloudWatch
// Contributor Insights for DynamoDB: How it works"), so for an index's writes it is
// unknown.
func (s *scene) rankedShare(f *features) float64 {
	if !f.throttledRanked || s.res.ID.Index != "" && s.dir == telemetry.Write || f.refusals == 0 {
		return math.NaN()
	}
	var sum float64
	for _, k := range f.suspects {
		sum += k.share
	}
	return math.Min(1, sum)
}

// heaviest is the suspect with the highest load; false where no load is known.
func (f *features) heaviest() (suspect, bool) {
	best, found := suspect{}, false
	for _, k := range f.suspects {
		if k.loaded() && (!found || k.likely > best.likely) {
			best, found = k, true
		}
	}
	return best, found
}

// full is the share of a ceiling from which a single key counts as filling a partition
// by itself, when the rest of the partition is ordinary traffic.
const full = 0.7

// innocent is the share of the refusals below which a busy key counts as a bystander
// where the throttle rules show whom the refusals met.
const innocent = 0.02

// filling are the suspects that may fill a partition alone, the most refused first
// and, where refusals can't be told by key, the heaviest first.
func (f *features) filling(share float64) []suspect {
	var out []suspect
	for _, k := range f.suspects {
		if k.loaded() && k.likely >= share && (math.IsNaN(f.rankedShare) || k.share >= innocent) {
			out = append(out, k)
		}
	}
	return out
}

// unitsPerRequest estimates what one request of the refused keys costs from the
// table's totals: requests = key units / key cost + other units / other cost. It is
// known only for a table, since requests are not published for an index.
func (s *scene) unitsPerRequest(f *features) Estimate {
	unknown := Estimate{math.NaN(), math.NaN(), math.NaN()}
	if s.res.ID.Index != "" || math.IsNaN(f.requests) || f.requests <= 0 || math.IsNaN(f.consumed) {
		return unknown
	}
	seconds := s.facts.period().Seconds()
	all := f.consumed * seconds
	average := all / f.requests
	k, ok := s.culprit(f)
	if !ok {
		return Estimate{Likely: f.addedCost, Low: math.Min(average, f.addedCost), High: math.Max(average, f.addedCost)}
	}
	var keyUnits float64
	var n int
	for i := f.run.from; i < f.run.to; i++ {
		if c := k.track.load[i]; c.State == telemetry.Known {
			keyUnits += float64(c.Likely) * seconds
			n++
		}
	}
	keyUnits /= math.Max(1, float64(n))
	if f.came("BatchGetItem", "BatchWriteItem") {
		return Estimate{Likely: f.addedCost, Low: math.Min(leastUnits(s.dir), f.addedCost), High: math.Max(f.largest, f.addedCost)}
	}
	rest := math.Max(0, all-keyUnits)
	out := Estimate{Low: keyUnits / f.requests, High: math.Max(f.largest, keyUnits/f.requests)}
	if left := f.requests - rest/leastUnits(s.dir); left > 0 {
		out.High = math.Min(out.High, math.Max(out.Low, keyUnits/left))
	}
	out.Likely = s.regressCost(k.track, out, f)
	return out
}

// eventual reports whether reads are too cheap for strongly consistent ones, which cost a
// whole unit at least.
func (s *scene) eventual(f *features) bool {
	const half = 0.55
	return s.dir == telemetry.Read && f.unitsPerRequest.Likely <= half
}

// leastUnits is the least that one request costs: one write unit, or half a read unit
// for an eventually consistent read (Developer Guide, "Read and write operations").
func leastUnits(dir telemetry.Direction) float64 {
	if dir == telemetry.Read {
		return 0.5
	}
	return 1
}

// regressCost fits requests = a*key units + b*other units over the window by
// non-negative least squares; 1/a is the key's cost. Where the key's load is not known
// before the run, the cost of the requests that came with it stands for it.
func (s *scene) regressCost(k *keyTrack, within Estimate, f *features) float64 {
	var xx, xy, yy, xn, yn, low, high float64
	low = math.Inf(1)
	outside := 0
	for i, m := range s.load.Minutes {
		if m.State != telemetry.Known || m.Requests < 0 || k.load[i].State != telemetry.Known {
			continue
		}
		x := float64(k.load[i].Likely)
		y := math.Max(0, float64(m.Consumed)-x)
		n := m.Requests / s.facts.period().Seconds()
		xx, xy, yy, xn, yn = xx+x*x, xy+x*y, yy+y*y, xn+x*n, yn+y*n
		low, high = math.Min(low, x), math.Max(high, x)
		if i < f.run.from || i >= f.run.to {
			outside++
		}
	}
	det := xx*yy - xy*xy
	const enough = 5 // minutes
	if high < 2*low || outside < enough || det <= 1e-6*xx*yy {
		return math.Min(within.High, math.Max(within.Low, f.addedCost))
	}
	a := (xn*yy - yn*xy) / det
	if a <= 0 {
		return within.High
	}
	return math.Min(within.High, math.Max(within.Low, 1/a))
}

// culprit is the key whose requests most likely fill the limit: of those that fill a
// partition the most refused, else the most refused one if it carries a good part.
func (s *scene) culprit(f *features) (suspect, bool) {
	if k := f.filling(full); len(k) > 0 {
		return k[0], true
	}
	if len(f.suspects) > 0 && f.suspects[0].share >= 0.2 && f.suspects[0].loaded() {
		return f.suspects[0], true
	}
	return suspect{}, false
}
