package analysis

import (
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// scene is one direction of one resource, with all that bears on it.
type scene struct {
	facts   *facts
	table   *Table
	res     *Resource
	dir     telemetry.Direction
	load    *Load
	ceiling float64
	keys    []*keyTrack
	// own and other are the consumed units of each step in this direction and the other.
	own, other []reading
	// smallest is the least ranked value of each step.
	smallest []float64
}

// newScene looks at one direction of a resource. tracks are the resource's keys; the
// scene gets copies, for a key's load differs by direction.
func newScene(f *facts, t *Table, r *Resource, dir telemetry.Direction, tracks []*keyTrack) *scene {
	s := &scene{facts: f, table: t, res: r, dir: dir, load: r.Load(dir)}
	for _, k := range tracks {
		own := *k
		s.keys = append(s.keys, &own)
	}
	s.own, s.other = s.totals(dir), s.totals(opposite(dir))
	s.ceiling = float64(s.load.Ceiling)
	s.smallest = smallestRanked(s.keys, f.steps())
	for _, k := range s.keys {
		k.load = s.part(k)
	}
	return s
}

// ranked reports whether one of the rules answered for most of some steps, with keys or
// without, or was turned on within them and ranks keys since. A rule that answered earlier and then no
// more says nothing of later steps.
func (f *facts) ranked(id telemetry.ResourceID, from, to int, kinds ...telemetry.RuleKind) bool {
	middle := f.at(from).Add(f.at(to).Sub(f.at(from)) / 2)
	return slices.ContainsFunc(kinds, func(k telemetry.RuleKind) bool {
		r := f.rankings[rankingID{id, k}]
		if r == nil {
			return false
		}
		since := f.watchedSince(id, r)
		late := since.After(r.from) && since.After(f.at(from)) && r.first.Before(f.at(to)) && !r.first.IsZero()
		return late || !middle.Before(since) && middle.Before(r.to)
	})
}

// watchedSince is when a rule began to rank keys, as far as it was asked for: where
// Contributor Insights was turned on later than that and no point is older, it is then.
func (f *facts) watchedSince(id telemetry.ResourceID, r *ranking) time.Time {
	in := f.insights[id]
	if in != nil && in.Updated.After(r.from) && (r.first.IsZero() || !r.first.Before(in.Updated.Truncate(f.period()))) {
		return in.Updated
	}
	return r.from
}

// refusalsRankedFrom is the first of a run's steps in which refused keys were ranked.
func (s *scene) refusalsRankedFrom(r run) int {
	from := r.from
	for _, kind := range []telemetry.RuleKind{telemetry.ThrottledPartitionKeys, telemetry.ThrottledItems} {
		rule := s.facts.rankings[rankingID{s.res.ID, kind}]
		if rule == nil {
			continue
		}
		if since := s.facts.watchedSince(s.res.ID, rule); since.After(rule.from) {
			from = max(r.from, min(r.to, s.facts.step(since)))
		}
		break
	}
	return from
}

// run is a stretch of trouble: steps from (inclusive) to to (exclusive), refused by
// one limit.
type run struct {
	limit    telemetry.Limit
	from, to int
	// refused are the refusals in each step of the window.
	refused []float64
	// background is the usual number of refusals a step outside runs.
	background float64
	// scattered marks refusals of which no step stands out.
	scattered bool
	// beside are the refusals that other limits count during the run, when they are
	// too few for an incident of their own.
	beside map[telemetry.Limit]float64
}

func (r run) total() float64 { return total(r.refused, r.from, r.to) }

// runs finds the stretches of trouble, each limit by itself, and folds those of a
// limit that only accompanies another.
func (s *scene) runs() []run {
	if s.load.Throttled == 0 {
		return nil
	}
	var out []run
	for _, l := range append(slices.Clone(telemetry.Limits[:]), telemetry.UnknownLimit) {
		out = append(out, findRuns(l, s.refusals(l), s.bridge())...)
	}
	return foldMinor(out)
}

// bridge is how many quiet steps may lie inside one run: five minutes' worth.
func (s *scene) bridge() int {
	return max(1, int(fiveMinutes/s.facts.period()))
}

// refusals lays out one limit's refusals; NaN where they aren't known. Those of
// UnknownLimit are what no limit's own metric accounts for.
func (s *scene) refusals(l telemetry.Limit) []float64 {
	out := make([]float64, len(s.load.Minutes))
	for i, m := range s.load.Minutes {
		switch {
		case m.ThrottleState != telemetry.Known:
			out[i] = math.NaN()
		case l != telemetry.UnknownLimit:
			out[i] = m.ByLimit.Of(l)
		default:
			b := m.ByLimit
			// Refusals are whole; a smaller difference is rounding, a negative one a revision
			// that has reached the parts first.
			if left := m.Throttled - b.KeyRange - b.Provisioned - b.MaxOnDemand - b.Account; left >= 0.5 {
				out[i] = left
			}
		}
	}
	return out
}

// fewRefusals is how many refusals a step may be background rather than trouble.
// AWS calls occasional throttling normal (Developer Guide, "Provisioned capacity
// exceeded: mitigation"); the number is an assumption.
const fewRefusals = 10

// findRuns cuts one limit's refusals into runs. A step belongs to a run when it lies
// clearly above the background; quiet or unknown stretches of up to bridge steps don't
// end a run. Where no step stands out all refusals together are one scattered run.
func findRuns(l telemetry.Limit, refused []float64, bridge int) []run {
	background := backgroundOf(refused)
	threshold := background + 4*math.Sqrt(background) + 2
	var out []run
	last := -1
	for i, e := range refused {
		if !(e > threshold) {
			continue
		}
		if last >= 0 && i-last <= bridge+1 {
			out[len(out)-1].to = i + 1
		} else {
			out = append(out, run{limit: l, from: i, to: i + 1, refused: refused, background: background})
		}
		last = i
	}
	for i := range out {
		out[i].trim(threshold)
	}
	if first := slices.IndexFunc(refused, func(e float64) bool { return e > 0 }); len(out) == 0 && first >= 0 {
		end := len(refused)
		for !(refused[end-1] > 0) {
			end--
		}
		out = append(out, run{limit: l, from: first, to: end, refused: refused, background: background, scattered: true})
	}
	return out
}

// backgroundOf is the mean of the steps with few refusals, where these are common
// enough to be a background: at least a quarter of the window.
func backgroundOf(refused []float64) float64 {
	var sum float64
	n, known := 0, 0
	for _, e := range refused {
		if math.IsNaN(e) {
			continue
		}
		known++
		if e <= fewRefusals {
			sum += e
			n++
		}
	}
	if n == 0 || 4*n < known {
		return 0
	}
	return sum / float64(n)
}

// trim drops stray refusals at either end of a run: islands cut off by quiet steps
// that hold less than a hundredth of what the run holds.
func (r *run) trim(threshold float64) {
	quiet := func(i int) bool { return !(r.refused[i] > threshold) }
	all := r.total()
	for {
		i := r.from
		var sum float64
		for i < r.to && !quiet(i) {
			sum += r.refused[i]
			i++
		}
		if i >= r.to || sum > all/100 {
			break
		}
		for quiet(i) {
			i++
		}
		r.from = i
	}
	for {
		i := r.to - 1
		var sum float64
		for i >= r.from && !quiet(i) {
			sum += r.refused[i]
			i--
		}
		if i < r.from || sum > all/100 {
			break
		}
		for quiet(i) {
			i--
		}
		r.to = i + 1
	}
}

// foldMinor drops a run that another limit's run touches and outnumbers by far; its
// refusals are noted beside the other's. One incident may meet two limits in turn: saved
// capacity lets an index reach a partition's ceiling before the provisioned throughput
// stops it. So a folded run of the same strength lends the other its start and end.
func foldMinor(runs []run) []run {
	const minor = 0.05
	folded := make([]bool, len(runs))
	for i := range runs {
		for j := range runs {
			small, big := &runs[i], &runs[j]
			if i == j || folded[j] || small.from >= big.to || big.from >= small.to {
				continue
			}
			n := small.total()
			if n < minor*big.total() || small.scattered && !big.scattered {
				folded[i] = true
				if big.beside == nil {
					big.beside = map[telemetry.Limit]float64{}
				}
				big.beside[small.limit] += n
				if n/float64(small.to-small.from) >= minor*big.total()/float64(big.to-big.from) {
					big.from, big.to = min(big.from, small.from), max(big.to, small.to)
					big.refused = sums(big.refused, small.refused)
				}
				break
			}
		}
	}
	var out []run
	for i, r := range runs {
		if !folded[i] {
			out = append(out, r)
		}
	}
	return out
}

func sums(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

// ongoing reports whether a run reaches the end of what is known.
func (s *scene) ongoing(r run) bool {
	for i := r.to; i < len(r.refused); i++ {
		if !math.IsNaN(r.refused[i]) && !s.load.Minutes[i].Provisional {
			return false
		}
	}
	return true
}

// steps are the run's steps with trouble in them.
func (r run) steps() []int {
	var out []int
	for i := r.from; i < r.to; i++ {
		if r.refused[i] > r.background {
			out = append(out, i)
		}
	}
	return out
}

// consumed are the known rates of some steps.
func (s *scene) consumed(from, to int) []float64 {
	var out []float64
	for i := max(0, from); i < min(to, len(s.load.Minutes)); i++ {
		if m := s.load.Minutes[i]; m.State == telemetry.Known {
			out = append(out, float64(m.Consumed))
		}
	}
	return out
}

func mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// quantile is the q-quantile of the values, NaN where there are none.
func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return x[int(q*float64(len(x)-1)+0.5)]
}
