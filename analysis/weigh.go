package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// weigh opens the ledger for a limit and enters what was seen.
func (s *scene) weigh(limit telemetry.Limit, f *features) *ledger {
	if limit == telemetry.AccountLimit {
		return newLedger(map[Cause]float64{AccountQuota: 1})
	}
	if s.res.ID.Index != "" {
		return newLedger(map[Cause]float64{GSIPressure: 1})
	}
	switch limit {
	case telemetry.ProvisionedLimit, telemetry.MaxOnDemandLimit:
		l := newLedger(map[Cause]float64{TableCapacity: 0.93, LargeItem: 0.07})
		s.weighTableSize(l, f)
		return l
	}
	l := newLedger(map[Cause]float64{HotKey: 0.55, HotPartition: 0.38, LargeItem: 0.07})
	s.weighLoads(l, f)
	s.weighRefusals(l, f)
	s.weighSize(l, f)
	s.weighPartitions(l, f)
	return l
}

// Large items: a request costs at least about this many units on average (README, "How
// to read the verdict").
const (
	largeWrite = 10
	largeRead  = 30
)

func largeUnits(dir telemetry.Direction) float64 {
	if dir == telemetry.Read {
		return largeRead
	}
	return largeWrite
}

// weighLoads enters what the loads of the ranked keys say: one key that fills a
// partition, or several that do so only together.
func (s *scene) weighLoads(l *ledger, f *features) {
	if s.rolling(f) {
		return
	}
	if full := f.filling(full); len(full) > 0 {
		k := full[0]
		w := 3.5
		if k.low < 0.5 {
			w = 1.5
		}
		l.note(fmt.Sprintf("%s alone draws %s of the %s %s/s that one partition serves", name(k), s.loadText(k), telemetry.Thousands(s.ceiling), s.dir.Unit()),
			map[Cause]float64{HotKey: w, LargeItem: w})
		return
	}
	group, sum := f.sharing()
	switch {
	case len(group) >= 2 && sum >= 0.6:
		l.note(fmt.Sprintf("%d keys are refused in the same minutes, none of them near %s %s/s, and together they draw %s: consistent with sharing one partition",
			len(group), telemetry.Thousands(s.ceiling), s.dir.Unit(), telemetry.Thousands(sum*s.ceiling)),
			map[Cause]float64{HotPartition: 3.2})
	default:
		if k, ok := f.heaviest(); ok && k.high < 0.5 {
			l.note(fmt.Sprintf("no ranked key draws more than %s of the %s %s/s that one partition serves",
				telemetry.Thousands(k.high*s.ceiling), telemetry.Thousands(s.ceiling), s.dir.Unit()),
				map[Cause]float64{HotPartition: 2.0, LargeItem: -1})
		}
	}
}

// sharing are the refused keys that may share one partition: each carries a visible
// part of the refusals, none fills a partition alone. sum is their load in ceilings.
func (f *features) sharing() (group []suspect, sum float64) {
	for _, k := range f.suspects {
		if k.share >= 0.04 && k.loaded() && k.likely < full {
			group = append(group, k)
			sum += k.likely
		}
	}
	return group, sum
}

// weighRefusals enters on whom the refusals fell.
func (s *scene) weighRefusals(l *ledger, f *features) {
	if math.IsNaN(f.rankedShare) || len(f.suspects) == 0 {
		if f.rankedShare == 0 {
			l.note("the throttle rules rank no key although requests are refused", map[Cause]float64{HotPartition: 1})
		}
		return
	}
	top := f.suspects[0]
	if s.rolling(f) {
		l.note("the refused key changes from minute to minute: the load rolls over the key space", map[Cause]float64{HotPartition: 3})
		return
	}
	switch {
	case top.share >= 0.6:
		l.note(fmt.Sprintf("%s of the refusals fall on %s", percent(top.share), name(top)),
			map[Cause]float64{HotKey: 2.5, LargeItem: 1.5})
	case f.rankedShare < 0.15 && len(f.filling(full)) == 0:
		l.note(fmt.Sprintf("the refusals are spread thin: the %d most refused keys carry %s of them", len(f.suspects), percent(f.rankedShare)),
			map[Cause]float64{HotPartition: 3.5})
	case top.share < 0.35 && !top.loaded():
		l.note(fmt.Sprintf("the refusals fall on several keys, at most %s of them on one", percent(top.share)),
			map[Cause]float64{HotPartition: 1.5})
	}
}

// rolling reports whether the key that is refused most keeps changing.
func (s *scene) rolling(f *features) bool {
	if math.IsNaN(f.rankedShare) || f.minutes < 4 {
		return false
	}
	leaders := map[string]int{}
	led := 0
	for i := f.run.from; i < f.run.to; i++ {
		best, most := "", 0.0
		for _, k := range f.suspects {
			if e := zeroIfNaN(k.track.refused[i]); e > most {
				best, most = k.track.key.Partition, e
			}
		}
		if most >= 0.25*f.run.refused[i] && most >= 5 {
			leaders[best]++
			led++
		}
	}
	longest := 0
	for _, n := range leaders {
		longest = max(longest, n)
	}
	return led >= f.minutes/2 && len(leaders) >= 3 && 2*longest <= led
}

// weighSize enters what the refused requests cost each.
func (s *scene) weighSize(l *ledger, f *features) {
	u := f.unitsPerRequest
	large := largeUnits(s.dir)
	if f.largest > 0 && f.largest < large {
		l.note(fmt.Sprintf("no request used more than %s %s", decimal(f.largest), s.dir.Unit()), map[Cause]float64{LargeItem: -6})
		return
	}
	if math.IsNaN(u.Likely) {
		return
	}
	switch {
	case u.Likely >= large && u.Low >= large/3:
		l.note(fmt.Sprintf("a refused request costs about %s %s (%s to %s)", decimal(u.Likely), s.dir.Unit(), decimal(u.Low), decimal(u.High)),
			map[Cause]float64{LargeItem: 6})
	case u.Likely >= large:
		l.note(fmt.Sprintf("a refused request seems to cost about %s %s (%s to %s)", decimal(u.Likely), s.dir.Unit(), decimal(u.Low), decimal(u.High)),
			map[Cause]float64{LargeItem: 5})
	default:
		w := -3.0
		if u.High < large {
			w = -6
		}
		l.note(fmt.Sprintf("a request costs about %s %s", decimal(u.Likely), s.dir.Unit()), map[Cause]float64{LargeItem: w})
	}
}

// weighTableSize enters what the requests that came with the trouble cost, for a
// table-wide limit. A table whose requests are always large is simply too small.
func (s *scene) weighTableSize(l *ledger, f *features) {
	if math.IsNaN(f.addedCost) {
		return
	}
	large := largeUnits(s.dir)
	came := f.addedCost >= large && !(f.usualCost >= large/2) && !f.pages()
	if came {
		l.note(fmt.Sprintf("the requests that came with the trouble cost about %s %s each", decimal(f.addedCost), s.dir.Unit()),
			map[Cause]float64{LargeItem: 6})
		return
	}
	l.note("no unusually large requests came with the trouble", map[Cause]float64{LargeItem: -5})
}

// pages reports whether the requests that came with the trouble are queries or scans,
// so that large requests are pages rather than items.
func (f *features) pages() bool { return f.came("Query", "Scan") }

// scans reports whether the trouble came with scans.
func (f *features) scans() bool {
	var all float64
	for _, n := range f.refusedByOperation {
		all += n
	}
	return all > 0 && f.refusedByOperation["Scan"] >= 0.5*all || f.came("Scan")
}

// weighPartitions enters whether the table as a whole is as busy as its partitions
// allow: then there are too few of them rather than one hot key.
func (s *scene) weighPartitions(l *ledger, f *features) {
	p := s.res.Partitions
	room := float64(p.Likely) * s.ceiling
	if f.plateau >= 0.7*room && p.Likely > 1 {
		l.note(fmt.Sprintf("the table draws %s %s/s, %s of what %d partitions serve (%s)",
			telemetry.Thousands(f.plateau), s.dir.Unit(), percent(f.plateau/room), p.Likely, sourceText(p.Source)),
			map[Cause]float64{HotPartition: 2})
	}
	if s.newPeak(f) {
		l.note(fmt.Sprintf("an on-demand table draws %s %s/s, %.1f times the %s it drew at most in the half hour before",
			telemetry.Thousands(f.plateau), s.dir.Unit(), f.plateau/s.recentPeak(f), telemetry.Thousands(s.recentPeak(f))),
			map[Cause]float64{HotPartition: 1.5})
	}
}
