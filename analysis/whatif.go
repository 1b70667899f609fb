package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Remedy is a change to try on an event: the zero value changes nothing. Rates and
// capacities are of the event's own resource and direction. A zero field is left as it is.
type Remedy struct {
	// Shards is over how many keys each key behind the event is spread.
	Shards int
	// Provisioned, Maximum and Quota set one table-wide limit each, in units a second.
	// One that is not the limit that refuses changes nothing.
	Provisioned, Maximum, Quota telemetry.Rate
	// SwitchToOnDemand takes the provisioned limit away.
	SwitchToOnDemand bool
	// Warm is a new warm throughput, which makes partitions of what it needs.
	Warm telemetry.Rate
	// EventuallyConsistent makes reads eventually consistent that aren't.
	EventuallyConsistent bool
	// CacheHitRatio is the share of reads, 0 to 1, that a cache answers.
	CacheHitRatio float64
	// ItemFactor is what a request costs afterwards, as a part of what it cost.
	ItemFactor float64
	// Attempts is how often clients try a request, the first time included.
	Attempts int
	// Pace is the most that is asked for, in units a second, spread evenly.
	Pace telemetry.Rate
}

// Outcome is how an event goes. Throttled are refusals between its start and end,
// Peak those of its worst minute.
type Outcome struct {
	Throttled, Peak Estimate
	// Hottest is what the busiest partition serves in its busiest minute of the event;
	// nil where no partition refuses.
	Hottest *Hottest
}

// Forecast is an event as it was and as the model says it would have gone with a
// Remedy. Before's refusals are measured; all else is modelled.
type Forecast struct {
	Before, After Outcome
	// Why are the assumptions, one sentence each.
	Why []string
	// OK is false where the data don't carry a forecast; Why then says what lacks.
	OK bool
}

// forecastPlacements is how many ways of falling on partitions are tried for the keys that
// a remedy makes. Which way DynamoDB's hash takes isn't known.
const forecastPlacements = 41

// WhatIf replays an event on the model with a remedy applied. The demand is what was
// served and what was refused, with the attempts that the event's Demand stands for, so
// that no remedy gives the present. d is the diagnosis that the event is from.
func WhatIf(d *Diagnosis, e *Event, r Remedy) Forecast {
	res := d.resource(e.Resource)
	if res == nil {
		return Forecast{Why: []string{"the event's resource isn't in the diagnosis"}}
	}
	p, lacks := newPast(res, e)
	if lacks != "" {
		return Forecast{Why: []string{lacks}}
	}
	f := Forecast{OK: true, Before: p.before(), Why: p.assumptions(r)}
	f.After = p.replayAll(r)
	return f
}

// Forecast says what a recommendation's own numbers would have changed; false where it
// is not a change of load or limits, lacks a number, or the data don't carry a forecast.
// Why then says which.
func (d *Diagnosis) Forecast(e *Event, r Recommendation) (Forecast, bool) {
	remedy, ok := d.Remedy(e, r)
	switch {
	case ok:
		f := WhatIf(d, e, remedy)
		return f, f.OK
	case r.Action == BackOffRetries:
		return Forecast{Why: []string{"how often clients try now isn't known, nor then what fewer tries save"}}, false
	}
	return Forecast{Why: []string{"it is no change of the load or of a limit whose size is known"}}, false
}

// resource finds a resource by its name; nil where there is none.
func (d *Diagnosis) resource(id telemetry.ResourceID) *Resource {
	for _, t := range d.Tables {
		if t.ID != id.TableID {
			continue
		}
		for _, r := range t.Resources {
			if r.ID == id {
				return r
			}
		}
	}
	return nil
}

// before is the event as it was.
func (p *past) before() Outcome {
	most := slices.Max(p.refusals)
	return Outcome{
		Throttled: certain(p.event.ThrottledEvents), Peak: certain(most), Hottest: p.event.Hottest,
	}
}

func certain(x float64) Estimate { return Estimate{Likely: x, Low: x, High: x} }

// replayAll replays the event for each number of attempts that clients may make and each
// way that new keys may fall on partitions. The likely outcome is the commonest of these,
// and nine tenths of them are in the range.
func (p *past) replayAll(r Remedy) Outcome {
	var runs []played
	for _, t := range p.clients {
		n := p.placements(r)
		for trial := range n {
			out := p.replay(r, future{attempts: t.attempts, patience: p.patience(trial), trial: trial})
			out.weight = t.weight / float64(n)
			runs = append(runs, out)
		}
	}
	const slight = 0.02
	refused := func(o played) float64 { return o.refused }
	out := Outcome{Throttled: weigh(runs, slight*p.requests(), refused)}
	// The other figures' likely values go with the likely refusals.
	usual := slices.DeleteFunc(slices.Clone(runs), func(o played) bool {
		return !alike(o.refused, out.Throttled.Likely, slight*p.requests())
	})
	figure := func(slight float64, of func(played) float64) Estimate {
		all := weigh(runs, slight, of)
		all.Likely = weigh(usual, slight, of).Likely
		all.Low, all.High = math.Min(all.Low, all.Likely), math.Max(all.High, all.Likely)
		return all
	}
	out.Peak = figure(slight*slices.Max(p.refusals), func(o played) float64 { return o.peak })
	if p.keyRange && p.event.Hottest != nil {
		h := figure(slight*p.ceiling, func(o played) float64 { return o.hottest })
		out.Hottest = &Hottest{
			Rate: telemetry.Rate(h.Likely), Low: telemetry.Rate(h.Low), High: telemetry.Rate(h.High),
			Ceiling: p.event.Hottest.Ceiling, At: p.event.Hottest.At,
		}
	}
	return out
}

// alike reports whether a figure is within a fifth of another, or differs slightly.
func alike(x, from, slight float64) bool {
	const fifth = 0.2
	return math.Abs(x-from) <= math.Max(fifth*from, slight)
}

// requests is about how many requests were made of the resource during the event, refused
// ones included; where they aren't counted, each is taken to cost a unit.
func (p *past) requests() float64 {
	total := p.event.ThrottledEvents
	for _, m := range p.load.Minutes {
		switch {
		case !during(p.event, m):
		case m.Requests >= 0:
			total += m.Requests
		case m.State == telemetry.Known:
			total += time.Minute.Seconds() * float64(m.Consumed)
		}
	}
	return total
}

// weigh is a figure's commonest value over replays, with nine tenths of them in range.
func weigh(runs []played, slight float64, of func(played) float64) Estimate {
	slices.SortStableFunc(runs, func(a, b played) int { return cmp.Compare(of(a), of(b)) })
	total, best, likely := 0.0, -1.0, 0.0
	for _, o := range runs {
		total += o.weight
		near := 0.0
		for _, other := range runs {
			if alike(of(o), of(other), slight) {
				near += other.weight
			}
		}
		if near > best {
			best, likely = near, of(o)
		}
	}
	at := func(q float64) float64 {
		sum := 0.0
		for _, o := range runs {
			if sum += o.weight; sum >= q*total {
				return of(o)
			}
		}
		return of(runs[len(runs)-1])
	}
	return Estimate{Likely: likely, Low: math.Min(likely, at(0.05)), High: math.Max(likely, at(0.95))}
}

// placements is how many ways of falling on partitions are tried.
func (p *past) placements(r Remedy) int {
	if p.keyRange && r.Shards > 1 {
		return forecastPlacements
	}
	return 1
}

// patience is after how many hot minutes DynamoDB splits a partition: over the trials all
// that is thought possible.
func (p *past) patience(trial int) float64 {
	const wide = partition.SplitMinutesLatest - partition.SplitMinutesEarliest
	return partition.SplitMinutesEarliest + wide*float64(trial)/(forecastPlacements-1)
}

// assumptions says what a forecast rests on.
func (p *past) assumptions(r Remedy) []string {
	out := []string{"what was wanted follows from what was served and refused, for clients that try 1, 3, 4 or 10 times; the less, the more evenly and the more as before they would have to want, the likelier"}
	if p.keyRange && r.Shards > 1 {
		out = append(out, fmt.Sprintf("the %d keys fall by chance on %s, which no one can foresee", r.Shards, plural(p.partitions, "partition", "partitions")))
	}
	if p.keyRange && len(p.event.Keys) == 0 && (r.Shards > 1 || r.Warm > 0) {
		out = append(out, "no key is known, so the load is taken to be of the kind that this spreads")
	}
	if p.keyRange && (r.Shards > 1 || r.Warm > 0) {
		out = append(out, "what partitions no longer refuse, no table-wide limit refuses in their place")
	}
	if !p.keyRange && (r.Shards > 1 || r.Warm > 0) {
		out = append(out, "the limit that refuses counts the whole resource, however its load is spread")
	}
	if p.keyRange && (r.Provisioned > 0 || r.Maximum > 0 || r.Quota > 0 || r.SwitchToOnDemand) {
		out = append(out, "the limit that refuses is a partition's, which no setting of the whole resource moves")
	}
	if r.EventuallyConsistent && p.dir == telemetry.Read {
		out = append(out, "reads are thought to be strongly consistent now, unless a partition served more of them than it can")
	}
	if r.Provisioned > 0 && p.limit == telemetry.ProvisionedLimit {
		out = append(out, "capacity that is left unused is saved for up to 300 seconds")
	}
	return append(out, "a minute is the shortest that is told apart, and other loads stay as they were")
}
