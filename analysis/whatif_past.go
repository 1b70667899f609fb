package analysis

import (
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// past is what is known of an event, minute by minute, in units a second: on the
// partition that refuses, or on the whole resource where its limit does.
type past struct {
	res      *Resource
	load     *Load
	event    *Event
	dir      telemetry.Direction
	limit    telemetry.Limit
	keyRange bool
	// clients is how many times clients may try a request, with weights.
	clients    []client
	partitions int
	// refusals are events, of each minute between start and end.
	refusals []float64
	// a refusal stands for so many units a second of a minute's mean.
	cost float64
	// served is what the keys behind the event, or the whole resource, were served, and
	// beside what else their partition served.
	served, beside []float64
	// others is what each other partition serves.
	others []float64
	// key is the part of served that is the foremost key's, 0 to 1.
	key []float64
	// allowed is the table-wide limit in force; 0 where there is none or it is unknown.
	allowed []float64
	// calm is what was served in a minute without refusals, shortly before the event or in
	// it; 0 where no such minute is known.
	calm float64
	// ceiling is what the partition serves at most.
	ceiling float64
}

// newPast gathers an event's minutes, or says what lacks for that.
func newPast(res *Resource, e *Event) (*past, string) {
	p := &past{res: res, load: res.Load(e.Direction), event: e, dir: e.Direction, partitions: max(1, res.Partitions.Likely)}
	p.limit = p.actingLimit()
	p.keyRange = p.limit == telemetry.KeyRangeLimit
	switch {
	case e.Demand == nil || !(e.Demand.Low > 0) || !(e.Demand.High < math.Inf(1)):
		return nil, "what was wanted isn't known, for what was served isn't"
	case p.limit == telemetry.UnknownLimit:
		return nil, "which limit refused isn't known"
	case !p.keyRange && slices.Contains(e.Contributing, ScanFactor):
		return nil, "a scan's requests cost so much more than others that refusals don't tell what was wanted"
	}
	p.minutes()
	worst := quantile(p.refusals, 0.98)
	if len(p.refusals) == 0 || worst <= 0 || slices.Max(p.served) <= 0 {
		return nil, "no minute tells both what was served and what was refused"
	}
	served, refused := unfoldDemand(*e.Demand)
	if refused <= 0 {
		return nil, "too little was refused to tell what was wanted"
	}
	p.cost, p.clients = refused/worst, clients(served, refused)
	p.ceiling, p.calm = p.highest(), p.calmMinutes()
	p.countFull()
	p.weighClients()
	return p, ""
}

// actingLimit is the event's limit, or the one its cause implies where no metric names it.
func (p *past) actingLimit() telemetry.Limit {
	e := p.event
	if e.Limit != telemetry.UnknownLimit && e.Limit != "" {
		return e.Limit
	}
	switch e.Cause {
	case HotKey, HotPartition:
		return telemetry.KeyRangeLimit
	case TableCapacity:
		return telemetry.ProvisionedLimit
	case GSIPressure:
		if slices.Contains(e.Contributing, HotKeyFactor) {
			return telemetry.KeyRangeLimit
		}
		return telemetry.ProvisionedLimit
	case AccountQuota:
		return telemetry.AccountLimit
	}
	return telemetry.UnknownLimit
}

// unfoldDemand recovers from a demand's range what was served and refused in the minute
// it is told of, in units a second.
func unfoldDemand(d Estimate) (served, refused float64) {
	// High/Low is the sum of q^k for k below mostAttempts, q being the refused share.
	low, high := 0.0, 1.0
	for range 60 {
		q := (low + high) / 2
		if d.High*(1-q) > d.Low*(1-math.Pow(q, mostAttempts)) {
			low = q
		} else {
			high = q
		}
	}
	served = d.High * (1 - low)
	return served, d.High - served
}

// minutes fills what is told of each minute of the event.
func (p *past) minutes() {
	byLimit := 0.0
	for _, m := range p.load.Minutes {
		if during(p.event, m) {
			byLimit += m.ByLimit.Of(p.event.Limit)
		}
	}
	for i, m := range p.load.Minutes {
		if !during(p.event, m) {
			continue
		}
		refused := m.Throttled
		if byLimit >= p.event.ThrottledEvents/2 {
			refused = m.ByLimit.Of(p.event.Limit)
		}
		served, beside, key := float64(m.Consumed), 0.0, 1.0
		if p.keyRange {
			served, beside, key = p.onPartition(i)
		}
		if m.ThrottleState != telemetry.Known || served <= 0 {
			continue
		}
		p.refusals = append(p.refusals, refused)
		p.served, p.beside, p.key = append(p.served, served), append(p.beside, beside), append(p.key, key)
		p.others = append(p.others, p.elsewhere(m, served+beside))
		p.allowed = append(p.allowed, p.inForce(i))
	}
}

// inForce is the table-wide limit in a minute. It is told every five minutes, so that one
// which was lowered is told late: what is told next counts where no more was served.
func (p *past) inForce(i int) float64 {
	const late, slightly = 5, 1.02
	m := p.load.Minutes[i]
	out := m.Capacity
	for _, next := range p.load.Minutes[i:min(i+late+1, len(p.load.Minutes))] {
		if next.Capacity > 0 && next.Capacity < out && m.Consumed <= slightly*next.Capacity {
			out = next.Capacity
		}
	}
	return float64(out)
}

// during reports whether a minute is one of an event's.
func during(e *Event, m Minute) bool {
	return !m.Start.Before(e.Start) && m.Start.Before(e.End)
}

// about reports whether a partition key is one of those behind the event.
func (e *Event) about(partitionKey string) bool {
	return slices.ContainsFunc(e.Keys, func(k EventKey) bool { return k.Key.Partition == partitionKey })
}

// onPartition is what the event's keys were served in a step, what else their partition
// served, and the foremost key's part of the former. Where no key is known it is the
// modelled partition.
func (p *past) onPartition(i int) (served, beside, key float64) {
	var best *Row
	for _, r := range p.load.Rows {
		here := slices.ContainsFunc(r.Keys, func(k telemetry.Key) bool { return p.about(k.Partition) })
		if here && r.Cells[i].State == telemetry.Known && (best == nil || r.Cells[i].Likely > best.Cells[i].Likely) {
			best = r
		}
	}
	ordinary := p.ordinary(i)
	if best == nil {
		return p.full(i, p.unnamed(i)), 0, p.unnamedKey()
	}
	heaviest := 0.0
	for _, k := range p.load.Keys {
		if c := k.Cells[i]; c.State == telemetry.Known && slices.ContainsFunc(best.Keys, func(b telemetry.Key) bool { return b.Partition == k.Key.Partition }) {
			served += float64(c.Likely)
			heaviest = math.Max(heaviest, float64(c.Likely))
		}
	}
	whole := float64(best.Cells[i].Likely)
	if served <= 0 || whole <= 0 {
		return p.full(i, whole), 0, 1
	}
	if p.rolling() && whole < p.halfCeiling() {
		return p.full(i, p.unnamed(i)), 0, 1 // the key of that minute isn't ranked
	}
	key = heaviest / served
	if served > whole {
		served = whole
	}
	return served, math.Min(ordinary, math.Max(0, whole-served)), key
}

// about reports whether a partition key is behind the event: any is where the key changes
// with the clock, as an event names only some of those.
func (p *past) about(partitionKey string) bool {
	return p.event.about(partitionKey) || p.rolling()
}

// rolling reports whether the key changes with the clock.
func (p *past) rolling() bool { return slices.Contains(p.event.Contributing, RollingKey) }

func (p *past) halfCeiling() float64 { return float64(partition.Ceiling(p.dir)) / 2 }

// calmMinutes is what was served as a rule in minutes without refusals, of the event and
// of a quarter of an hour before; 0 where there are few.
func (p *past) calmMinutes() float64 {
	const before, few = 15 * time.Minute, 3
	var out []float64
	for _, m := range p.load.Minutes {
		if m.Start.Before(p.event.End) && !m.Start.Before(p.event.Start.Add(-before)) &&
			m.State == telemetry.Known && m.ThrottleState == telemetry.Known && m.Throttled == 0 {
			out = append(out, float64(m.Consumed))
		}
	}
	if len(out) < few {
		return 0
	}
	return quantile(out, 0.5)
}

// countFull takes the number of partitions from what they served where all of them are
// full: a description may be from after they were split.
func (p *past) countFull() {
	if !p.keyRange || len(p.event.Keys) > 0 || !p.few() && p.event.Cause != GSIPressure {
		return
	}
	const nearly = 0.05 // a plateau of full partitions is a multiple of the ceiling
	var all []float64
	for _, m := range p.load.Minutes {
		if during(p.event, m) && m.Throttled > 0 && m.State == telemetry.Known {
			all = append(all, float64(m.Consumed))
		}
	}
	plateau := quantile(all, 0.5) / p.ceiling
	full := max(1, math.Round(plateau))
	if !(plateau > 0) || !p.few() && len(p.load.Keys) == 0 && (full == 1 || math.Abs(plateau-full) > nearly*full) {
		return // one key, of which nothing tells, may fill one of many partitions
	}
	p.partitions = min(p.partitions, int(full))
}

// full is what a partition of which no key's load is ranked served: in a refused minute
// what the event says of its busiest one.
func (p *past) full(i int, modelled float64) float64 {
	h := p.event.Hottest
	if h == nil || p.load.Minutes[i].Throttled <= 0 {
		return modelled
	}
	rate := h.Rate
	if h.Low <= h.Ceiling {
		rate = min(rate, h.Ceiling) // nothing shows that it served more
	}
	return math.Max(modelled, float64(rate))
}

// unnamed is what the partition that refuses served where no key of it is known.
func (p *past) unnamed(i int) float64 {
	best := 0.0
	for _, r := range p.load.Rows {
		if len(r.Keys) == 0 && r.Cells[i].State == telemetry.Known {
			best = math.Max(best, float64(r.Cells[i].Likely))
		}
	}
	return best
}

// unnamedKey is the part of an unnamed partition's load that sharding would move: none
// where too few partitions share an even load.
func (p *past) unnamedKey() float64 {
	if p.few() || p.event.Cause == HotPartition && !p.rolling() {
		return 0
	}
	return 1
}

// few reports whether the event says that there are too few partitions.
func (p *past) few() bool {
	return slices.ContainsFunc(p.event.Contributing, func(f Factor) bool { return f == TooFewPartitions || f == OnDemandNewPeak })
}

// ordinary is what a partition draws from keys that aren't ranked; without end where no
// row says.
func (p *past) ordinary(i int) float64 {
	for _, r := range slices.Backward(p.load.Rows) {
		if len(r.Keys) == 0 {
			return float64(r.Cells[i].Likely)
		}
	}
	return math.Inf(1)
}

// elsewhere is what each other partition draws in a step, when so much is drawn on the one
// that refuses.
func (p *past) elsewhere(m Minute, here float64) float64 {
	if m.State != telemetry.Known || p.partitions < 2 {
		return 0
	}
	return math.Max(0, float64(m.Consumed)-here) / float64(p.partitions-1)
}

// aboveStrong is how far above the ceiling of strongly consistent reads a partition must
// be seen to count as read with eventual consistency: ranked values are approximate.
const aboveStrong = 1.05

// highest is what the partition can serve: its ceiling, or what it was seen to serve
// where reads are eventually consistent.
func (p *past) highest() float64 {
	var full []float64
	for i, n := range p.refusals {
		if n > 0 {
			full = append(full, p.served[i])
		}
	}
	const early = 0.25 // a partition that is split serves more, but not from the first
	seen := quantile(full, early)
	if p.dir == telemetry.Read && seen > aboveStrong*float64(partition.ReadCeiling) {
		return math.Min(seen, float64(partition.EventuallyConsistentRead))
	}
	return float64(partition.Ceiling(p.dir))
}
