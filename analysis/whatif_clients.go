package analysis

import (
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// client is a number of attempts with its weight.
type client struct{ attempts, weight float64 }

// clients weighs the numbers of attempts as likelyWanted does.
func clients(served, refused float64) []client {
	var out []client
	for _, t := range tries {
		m := wanted(served, refused, t.attempts) / served
		more := wanted(served, refused*1.01+1e-9, t.attempts) / served
		out = append(out, client{t.attempts, t.weight / (m * m) * math.Max(1e-9, more-m)})
	}
	return out
}

// nameRetries adds to an event that retries amplify it, where clients that try manyTries
// times or more are as likely as others. On generated incidents the weights give such
// clients two in five where every other event has them, and refusals that grow are twice
// as common with them.
func nameRetries(r *Resource, e *Event) {
	const manyTries, asLikely, whereGrowing = 9, 0.4, 2.0
	p, lacks := newPast(r, e)
	if lacks != "" {
		return
	}
	many, all, growth := 0.0, 0.0, 1.0
	if p.growing() {
		growth = whereGrowing
	}
	for _, c := range p.clients {
		w := c.weight
		if c.attempts >= manyTries {
			w *= growth
			many += w
		}
		all += w
	}
	if many >= asLikely*all {
		e.Contributing = slices.Insert(e.Contributing, 0, RetryAmplification)
	}
}

// growing reports whether refusals grew threefold over the event's first minutes while what
// was served stood still. The first minute is only partly troubled; how far is read from how
// far the load rose in it.
func (p *past) growing() bool {
	const soon, steady, threefold, least = 2, 3, 3.0, 0.05
	first := slices.IndexFunc(p.load.Minutes, func(m Minute) bool { return during(p.event, m) })
	if first < 1 || len(p.refusals) < soon+steady || first+soon+steady > len(p.load.Minutes) {
		return false
	}
	served := func(minutes []Minute) (sum float64) {
		for _, m := range minutes {
			sum += float64(m.Consumed) / float64(len(minutes))
		}
		return sum
	}
	before := served(p.load.Minutes[max(0, first-fewMinutes):first])
	rise := served(p.load.Minutes[first+soon:first+soon+steady]) - before
	if rise <= 0 {
		return false
	}
	part := math.Min(1, math.Max(least, (float64(p.load.Minutes[first].Consumed)-before)/rise))
	now := 0.0
	for _, n := range p.refusals[soon : soon+steady] {
		now += n / steady
	}
	return now >= threefold*p.refusals[0]/part
}

// Evidence about the number of attempts. usualSwing is by how much a load differs from one
// minute to the next, and swingSpread within what factor that lies as a rule; loads that
// are sums of many requests can't be much steadier. usualRise is how much more a load rises
// once it is refused than it rose in the minutes before, as a part of that, and riseSpread
// within what factor. reliefSpread is within what factor the load after a relief is that
// before it. All are assumptions.
const (
	fewMinutes   = 5
	usualSwing   = 0.01
	swingSpread  = 3.3
	usualRise    = 0.7
	riseSpread   = 3
	reliefSpread = 1.15
	// With the SDKs' exponential backoff more tries than withinBurst last longer than a burst of
	// seconds, and the last ones are served: outlastsBurst is how likely they are for all that.
	withinBurst, outlastsBurst = 4, 0.2
)

// weighClients makes those numbers of attempts likelier under which what was wanted swings
// from minute to minute as loads do, goes on from what was served before anything was
// refused, and is what was served once a split or a raise had made room. Clients that try
// often must want the same to a hair's breadth, minute after minute, to be refused evenly;
// no load is that even.
func (p *past) weighClients() {
	after := p.afterRelief()
	level, rise := p.risen()
	burst := slices.Contains(p.event.Contributing, SubMinuteBurst)
	for i := range p.clients {
		c := &p.clients[i]
		if burst && c.attempts > withinBurst {
			c.weight *= outlastsBurst
		}
		if swing := p.swing(c.attempts); swing > 0 {
			c.weight *= bell(swing/usualSwing, swingSpread)
		}
		if more := p.wantedBy(c.attempts) - level; rise > 0 && more > 0 {
			c.weight *= bell(math.Max(1, more/rise/usualRise), riseSpread)
		}
		if after > 0 {
			c.weight *= 1e-3 + bell(p.wantedBy(c.attempts)/after, reliefSpread)
		}
	}
}

// bell is how likely a ratio is that is about 1 within a factor: 1 at the most.
func bell(ratio, factor float64) float64 {
	z := math.Log(math.Max(1e-9, ratio)) / math.Log(factor)
	return math.Exp(-z * z / 2)
}

// swing is by how much, as a share, what was wanted differs as a rule from one refused
// minute to the next, if requests are tried so many times; 0 where too few minutes tell or
// the load came in bursts.
func (p *past) swing(attempts float64) float64 {
	const enough = 6
	if slices.Contains(p.event.Contributing, SubMinuteBurst) {
		return 0
	}
	full := p.plateau()
	var steps []float64
	for i := 1; i < len(p.refusals); i++ {
		if p.refusals[i-1] <= 0 || p.refusals[i] <= 0 || !p.keyRange && (p.bursting(i) || p.bursting(i-1)) {
			continue
		}
		steps = append(steps, math.Abs(math.Log(p.wantedAt(i, full, attempts)/p.wantedAt(i-1, full, attempts))))
	}
	if len(steps) < enough {
		return 0
	}
	const deviations = 1.05 // of one minute, for each median difference of two
	return math.Max(1e-9, deviations*quantile(steps, 0.5))
}

// wantedAt is what was wanted in a minute. A full partition serves the same each minute:
// how much of that is put down to a key is known less well than that.
func (p *past) wantedAt(i int, full, attempts float64) float64 {
	served := p.served[i]
	if p.keyRange {
		served = full
	}
	return wanted(served, p.refusals[i]*p.cost, attempts)
}

// wantedBy is the usual of what was wanted in the event's last refused minutes.
func (p *past) wantedBy(attempts float64) float64 {
	const last = 5
	var out []float64
	for i := len(p.refusals) - 1; i >= 0 && len(out) < last; i-- {
		if p.refusals[i] > 0 {
			out = append(out, p.demandAt(i, attempts).rate())
		}
	}
	return quantile(out, 0.5)
}

// risen is what was served of the load in the last minute that wasn't refused, and by how
// much that had risen over the minutes before; 0 where it hadn't clearly.
func (p *past) risen() (level, rise float64) {
	const before, clearly = 6 * time.Minute, 0.1
	least := math.Inf(1)
	for i, m := range p.load.Minutes {
		if !m.Start.Before(p.event.Start) || m.Start.Before(p.event.Start.Add(-before)) || m.State != telemetry.Known {
			continue
		}
		level = float64(m.Consumed)
		if p.keyRange {
			level = keysDraw(p.load, p.event, i)
		}
		least = math.Min(least, level)
	}
	if rise = level - least; rise < clearly*p.plateau() {
		return level, 0
	}
	return level, rise
}

// afterRelief is what was served of the same load in the minutes after the event, where
// its limit was raised or a partition split at its end; 0 where it wasn't, or where no more
// was served than before.
func (p *past) afterRelief() float64 {
	const within, more = 6 * time.Minute, 1.02
	split := slices.Contains(p.event.Contributing, SplitInProgress)
	var now telemetry.Rate
	var after []float64
	for i, m := range p.load.Minutes {
		switch {
		case during(p.event, m):
			now = m.Capacity
		case m.Start.Before(p.event.End.Add(time.Minute)), !m.Start.Before(p.event.End.Add(within)), m.State != telemetry.Known:
		case p.keyRange && split && len(p.event.Keys) > 0:
			if drawn := keysDraw(p.load, p.event, i); drawn > 0 {
				after = append(after, drawn)
			}
		case !p.keyRange && now > 0 && float64(m.Capacity) > more*float64(now):
			after = append(after, float64(m.Consumed))
		}
	}
	const few = 3
	if p.event.Ongoing || len(after) < few {
		return 0
	}
	if served := quantile(after, 0.5); served > more*p.plateau() {
		return served
	}
	return 0
}

// keysDraw is what an event's keys are served in a step of a load.
func keysDraw(l *Load, e *Event, i int) float64 {
	var sum float64
	for _, k := range l.Keys {
		if i < len(k.Cells) && e.about(k.Key.Partition) && k.Cells[i].State == telemetry.Known {
			sum += float64(k.Cells[i].Likely)
		}
	}
	return sum
}
