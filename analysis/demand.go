package analysis

import (
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// demand bounds what was wanted in the worst minute on the limit concerned: at least
// what was served, at most that and every refusal as a request of its own.
func (s *scene) demand(e *Event, f *features) *Estimate {
	served, refused := s.servedAndRefused(e, f)
	if math.IsNaN(served+refused) || served <= 0 {
		return nil
	}
	out := &Estimate{Low: wanted(served, refused, mostAttempts), High: wanted(served, refused, fewestAttempts)}
	out.Likely = likelyWanted(served, refused)
	s.narrowByRelief(e, f, out)
	return out
}

// wanted is the rate of operations, in units, that gives these served and refused rates
// when each operation is tried up to so many times. An operation that is refused and
// served on a retry is in what was served already: with a chance p for an attempt, the
// wanted rate is served/(1-(1-p)^attempts).
func wanted(served, refused, attempts float64) float64 {
	p := served / (served + refused)
	return served / (1 - math.Pow(1-p, attempts))
}

// tries is how common numbers of attempts are thought to be: one for clients that don't
// retry, or whose batches hand refused items back; three or four for most SDKs; ten and
// more for older ones. The weights are an assumption, checked on generated incidents.
var tries = []struct{ attempts, weight float64 }{{1, 0.4}, {3, 0.2}, {4, 0.2}, {10, 0.2}}

// likelyWanted weighs the numbers of attempts against how much each would have to be
// wanted: a load m times what is served counts with 1/m^2, so that what needs twice the
// load is a quarter as likely. It returns the weighted mean of the wanted rates, on a
// logarithmic scale.
func likelyWanted(served, refused float64) float64 {
	var sum, log float64
	for _, t := range tries {
		m := wanted(served, refused, t.attempts) / served
		more := wanted(served, refused*1.01+1e-9, t.attempts) / served
		w := t.weight / (m * m) * math.Max(1e-9, more-m)
		sum += w
		log += w * math.Log(m)
	}
	return served * math.Exp(log/sum)
}

// servedAndRefused are the units a second in one of the run's worst minutes: of the
// foremost key where the limit is a partition's and the key is known, of a partition's
// equal part where none stands out, else of the resource.
func (s *scene) servedAndRefused(e *Event, f *features) (served, refused float64) {
	seconds := s.facts.period().Seconds()
	cost := f.unitsPerRequest.Likely
	if math.IsNaN(cost) {
		cost = s.averageCost(f)
	}
	const worst = 0.98
	all := quantile(f.run.refused[f.run.from:f.run.to], worst) * cost / seconds
	if e.Limit != telemetry.KeyRangeLimit && !s.keyed(e) {
		return f.plateau, all
	}
	group := s.onePartition(e, f)
	if len(group) > 0 {
		var refusedUnits, servedUnits float64
		for _, k := range group {
			servedUnits += k.likely * s.ceiling
			refusedUnits += k.share * all
		}
		if s.res.ID.Index != "" && s.dir == telemetry.Write {
			refusedUnits = all
		}
		if !math.IsNaN(servedUnits) {
			return math.Min(servedUnits, s.mostServed(f, servedUnits, servedUnits)), refusedUnits
		}
	}
	hot := math.Max(1, math.Round(f.plateau/s.ceiling))
	hot = math.Min(hot, float64(max(1, s.res.Partitions.High)))
	if e.Hottest == nil {
		return f.plateau / hot, all / hot
	}
	return float64(e.Hottest.Rate), all / hot
}

// averageCost is the mean cost of a request of the resource, in units; the least cost
// where requests aren't counted.
func (s *scene) averageCost(f *features) float64 {
	if s.res.ID.Index == "" && f.requests > 0 {
		return math.Max(leastUnits(s.dir), f.consumed*s.facts.period().Seconds()/f.requests)
	}
	return leastUnits(s.dir)
}

// narrowByRelief uses what was served once a split or a raise made room: then demand
// shows, unless it fell in the same minute.
func (s *scene) narrowByRelief(e *Event, f *features, d *Estimate) {
	if !s.splitSeen(f) || s.ongoing(f.run) || e.Limit != telemetry.KeyRangeLimit {
		return
	}
	k, ok := s.foremost(f)
	if !ok {
		return
	}
	var after float64
	n := 0
	for i := f.run.to + 1; i < min(f.run.to+6, len(k.track.load)); i++ {
		if c := k.track.load[i]; c.State == telemetry.Known {
			after += float64(c.Likely)
			n++
		}
	}
	if n > 0 && after/float64(n) > d.Low {
		d.Likely = math.Min(d.High, after/float64(n))
	}
}

// splitting says whether DynamoDB's own splitting will cure the event; nil where the data
// don't tell, which is then said to be missing. A split comes
// after minutes of sustained load (USENIX ATC 2022, section 4; the minutes are an
// assumption).
func (s *scene) splitting(e *Event, f *features) *Splitting {
	if why := s.unsplittable(e, f); why != "" {
		return &Splitting{Why: why}
	}
	switch {
	case s.splitSeen(f) && !e.Ongoing:
		return &Splitting{Cures: true, Why: "refusals stopped while the load stayed, as after a split"}
	case e.Cause == HotKey && s.res.SortKey != "" && f.accessedRanked:
		left := Range{Low: math.Max(0, partition.SplitMinutesEarliest-float64(f.minutes)), High: math.Max(0, partition.SplitMinutesLatest-float64(f.minutes))}
		if left.High == 0 {
			return &Splitting{Why: "it has lasted longer than a split takes"}
		}
		return &Splitting{Cures: true, Minutes: &left, Why: "the key holds several items, which can be spread over partitions"}
	case e.Cause == HotPartition:
		left := Range{Low: math.Max(0, partition.SplitMinutesEarliest-float64(f.minutes)), High: math.Max(0, partition.SplitMinutesLatest-float64(f.minutes))}
		if left.High == 0 {
			return &Splitting{Why: "it has lasted longer than a split takes"}
		}
		return &Splitting{Cures: true, Minutes: &left, Why: "no single key fills the partition, so a split spreads the load"}
	}
	e.Missing = append(e.Missing, "whether a split can help isn't told: that takes the keys, and whether they hold one item or many")
	return nil
}
