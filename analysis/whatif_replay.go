package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// future is what a replay assumes: how often clients try, after how many hot minutes
// DynamoDB splits a partition, and which way new keys fall.
type future struct {
	attempts, patience float64
	trial              int
}

// played is one replay's outcome: refusals over the event and in its worst minute, and
// what the busiest partition serves, in units a second.
type played struct{ weight, refused, peak, hottest float64 }

// replay goes through the event's minutes with a remedy applied.
func (p *past) replay(r Remedy, f future) played {
	if p.keyRange {
		return p.replayPartition(r, f)
	}
	return p.replayWhole(r, f)
}

// wish is a rate that is asked for, in units a second: what was served of it and what was
// wanted beyond that. They are kept apart because clients that try often are refused much
// by wanting only a trace more than is served, which a sum would round away.
type wish struct{ served, beyond float64 }

func (w wish) rate() float64 { return w.served + w.beyond }

func (w wish) times(x float64) wish { return wish{w.served * x, w.beyond * x} }

// upTo is the wish held to a rate.
func (w wish) upTo(most float64) wish {
	if rate := w.rate(); rate > most {
		return w.times(most / rate)
	}
	return w
}

// wishOf is what was wanted where so much was served and refused and each request is tried
// so many times; see wanted.
func wishOf(served, refused, attempts float64) wish {
	if served <= 0 || refused <= 0 {
		return wish{served: served}
	}
	lost := math.Pow(refused/(served+refused), attempts)
	return wish{served, served * lost / (1 - lost)}
}

// refused is what is refused of a wish, in units a second, when so much can be served and
// each request is tried so many times: the inverse of wishOf.
func (w wish) refused(most, attempts float64) float64 {
	most = math.Max(0, most)
	over := w.served - most + w.beyond
	if over <= 0 {
		return 0
	}
	lost := math.Min(1, over/w.rate())
	q := math.Pow(lost, 1/attempts)
	if q > 1-1e-9 {
		return w.rate() * attempts
	}
	return w.rate() * (1 - lost) / (1 - q) * q
}

// demandAt is what was wanted in a minute when requests are tried so many times.
func (p *past) demandAt(i int, attempts float64) wish {
	return wishOf(p.served[i], p.refusals[i]*p.cost, attempts)
}

// eased is what a remedy makes of a wish, and of a request's cost.
func (p *past) eased(w wish, r Remedy) (after wish, cost float64) {
	cost = 1
	if r.ItemFactor > 0 {
		cost = r.ItemFactor
	}
	if r.EventuallyConsistent && p.strong() {
		cost /= 2
	}
	part := cost
	if p.dir == telemetry.Read && r.CacheHitRatio > 0 {
		part *= math.Max(0, 1-r.CacheHitRatio)
	}
	after = w.times(part)
	if r.Pace > 0 {
		after = after.upTo(float64(r.Pace))
	}
	return after, cost
}

// strong reports whether reads are thought to be strongly consistent: of a table, and
// no cheaper than such, and never more than a partition serves of them.
func (p *past) strong() bool {
	return p.dir == telemetry.Read && p.res.ID.Index == "" && !p.event.Eventual && p.ceiling <= float64(partition.ReadCeiling)
}

func (p *past) tries(r Remedy, f future) float64 {
	if r.Attempts > 0 {
		return float64(r.Attempts)
	}
	return f.attempts
}

// replayPartition replays a partition's refusals.
func (p *past) replayPartition(r Remedy, f future) played {
	var out played
	tries := p.tries(r, f)
	lots, rest := p.fall(r, f.trial)
	hot := make([]float64, len(lots))
	for i := range p.refusals {
		want, cost := p.eased(p.demandAt(i, f.attempts), r)
		here := p.room(i, r)
		keyed := p.key[i]
		if r.Warm > 0 && r.Shards < 2 && len(p.event.Keys) == 0 {
			keyed = 0
		}
		refused := 0.0
		for j, lot := range lots {
			share, most, beside := keyed*lot.key, p.roomElsewhere(i, here), p.others[i]
			if j == 0 {
				share, most, beside = share+(1-keyed)*rest, here, p.beside[i]
			}
			if lot.parts > 1 && hot[j] >= f.patience {
				share /= float64(lot.parts)
			}
			part := want.times(share)
			hot[j]++
			if part.rate() <= partition.SplitUtilization*most {
				hot[j] = 0
			}
			refused += part.refused(most, tries)
			out.hottest = math.Max(out.hottest, math.Min(part.rate(), most)+beside)
		}
		n := refused / (p.cost * cost)
		out.refused, out.peak = out.refused+n, math.Max(out.peak, n)
	}
	return out
}

// room is what the keys can be served on one partition in a minute. A minute that was
// refused below the ceiling had its load in bursts, and the bursts stay unless the load
// is paced.
func (p *past) room(i int, r Remedy) float64 {
	whole, ceiling := p.served[i]+p.beside[i], p.ceiling
	if r.EventuallyConsistent && p.strong() {
		ceiling = float64(partition.EventuallyConsistentRead)
	}
	if p.refusals[i] <= 0 || r.Pace > 0 {
		return math.Max(ceiling-p.beside[i], p.served[i])
	}
	most := p.served[i]
	if ceiling > p.ceiling {
		most = whole*ceiling/p.ceiling - p.beside[i]
	}
	return most
}

// roomElsewhere is what the keys can be served on a partition that they didn't refuse,
// beside its own load.
func (p *past) roomElsewhere(i int, here float64) float64 {
	return here * math.Max(0, p.ceiling-p.others[i]) / math.Max(1, p.ceiling-p.beside[i])
}

// lot is a partition's share of the foremost key's load, over so many parts of it.
type lot struct {
	key   float64
	parts int
}

// fall puts the keys that a remedy makes on partitions, hashed in one of many ways. The
// first lot is the partition that refused; rest is what is left on it of the load that no
// single key holds.
func (p *past) fall(r Remedy, trial int) (lots []lot, rest float64) {
	rest = 1
	n := p.partitions
	if r.Warm > 0 {
		n = max(n, partition.CountForWarm(readPart(p.dir, r.Warm), writePart(p.dir, r.Warm)))
		rest = float64(p.partitions) / float64(n)
	}
	if r.Shards < 2 {
		return []lot{{key: 1, parts: 1}}, rest
	}
	lots = []lot{{}}
	at := map[int]int{0: 0}
	for s := range r.Shards {
		place := int(partition.Position(fmt.Sprint(trial), fmt.Sprint(s)) * float64(n))
		j, ok := at[place]
		if !ok {
			j = len(lots)
			at[place] = j
			lots = append(lots, lot{})
		}
		lots[j].key += 1 / float64(r.Shards)
		lots[j].parts++
	}
	return lots, rest
}

func readPart(d telemetry.Direction, r telemetry.Rate) telemetry.Rate {
	if d == telemetry.Read {
		return r
	}
	return 0
}

func writePart(d telemetry.Direction, r telemetry.Rate) telemetry.Rate { return r - readPart(d, r) }

// replayWhole replays the refusals of a limit on the whole resource.
func (p *past) replayWhole(r Remedy, f future) played {
	var out played
	tries := p.tries(r, f)
	saved, full := 0.0, true
	for i := range p.refusals {
		even := p.even(i, r)
		want, cost := p.eased(wishOf(p.served[i]-even, p.refusals[i]*p.cost, f.attempts), r)
		more := p.raised(i, r)
		if even > 0 {
			more *= (p.served[i] - even) / p.served[i]
		}
		most := p.served[i] - even + more
		if p.refusals[i] <= 0 || r.Pace > 0 {
			most = math.Max(most, p.allowed[i]+more)
		}
		if p.limit == telemetry.ProvisionedLimit && more > 0 && !math.IsInf(more, 1) && !p.bursting(i) {
			if full {
				saved, full = partition.BurstSeconds*more, false
			}
			drawn := want.rate() - most
			saved -= 60 * drawn
			most = math.Max(most, math.Min(want.rate(), most+(saved+60*drawn)/60))
			saved = math.Min(math.Max(0, saved), partition.BurstSeconds*more)
		}
		n := want.refused(most, tries) / (p.cost * cost)
		out.refused, out.peak = out.refused+n, math.Max(out.peak, n)
	}
	return out
}

// even is what of a minute's load came evenly and was served, where the rest came in bursts
// that were refused: what was served in the calm minutes. What is paced is all even.
func (p *past) even(i int, r Remedy) float64 {
	const most = 0.9
	if !p.bursting(i) || r.Pace > 0 || p.calm <= 0 {
		return 0
	}
	return math.Min(p.calm, most*p.served[i])
}

// raised is how much more a remedy allows in a minute, in units a second: without end
// where it takes the limit away.
func (p *past) raised(i int, r Remedy) float64 {
	now := p.allowed[i]
	to := 0.0
	switch p.limit {
	case telemetry.ProvisionedLimit:
		if r.SwitchToOnDemand {
			return math.Inf(1)
		}
		to = float64(r.Provisioned)
	case telemetry.MaxOnDemandLimit:
		to = float64(r.Maximum)
	case telemetry.AccountLimit:
		to, now = float64(r.Quota), p.plateau()
	}
	if to <= 0 {
		return 0
	}
	if now <= 0 {
		now = p.plateau()
	}
	more := math.Max(0, to-now)
	if p.bursting(i) || p.limit != telemetry.ProvisionedLimit && p.served[i] < now {
		// Little is saved: what came in bursts is served more by as much as the limit rises.
		more *= p.served[i] / now
	}
	return more
}

// bursting reports whether a minute was refused below the limit in force, so that its load
// came in bursts and saved capacity didn't carry them.
func (p *past) bursting(i int) bool {
	const clearly = 0.9
	return p.refusals[i] > 0 && p.allowed[i] > 0 && p.served[i] < clearly*p.allowed[i]
}

// plateau is what the resource served in its refused minutes.
func (p *past) plateau() float64 {
	var full []float64
	for i, n := range p.refusals {
		if n > 0 {
			full = append(full, p.served[i])
		}
	}
	return quantile(full, 0.9)
}
