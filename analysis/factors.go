package analysis

import (
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// factors lists what contributes to an event, in the order of the contract; nameRetries
// adds the one that comes first there.
func (s *scene) factors(e *Event, f *features) {
	add := func(x Factor, holds bool) {
		if holds {
			e.Contributing = append(e.Contributing, x)
		}
	}
	key := e.Limit == telemetry.KeyRangeLimit
	wide := e.Limit == telemetry.ProvisionedLimit || e.Limit == telemetry.MaxOnDemandLimit
	add(LargeItemFactor, e.Cause != LargeItem && f.largest >= largeUnits(s.dir) && !f.pages() && (e.Cause == HotKey || e.Cause == HotPartition))
	add(HotKeyFactor, e.Cause == GSIPressure && s.indexKey(f))
	add(SubMinuteBurst, s.bursts(e, f))
	if e.Limit == telemetry.ProvisionedLimit {
		s.scalingFactors(f, add)
	}
	add(OnDemandNewPeak, key && s.newPeak(f) && !s.oneKey(e))
	add(TooFewPartitions, key && !s.oneKey(e) && s.tooFew(f))
	add(RollingKey, key && s.rolling(f))
	add(SplitInProgress, key && s.splitSeen(f))
	add(Unsplittable, key && s.unsplittable(e, f) != "")
	add(ScanFactor, s.dir == telemetry.Read && wide && f.scans())
	add(ReplicatedWrites, s.dir == telemetry.Write && s.replicatedShare(f) >= 0.3)
	add(GSIBackPressure, s.res.ID.Index != "" && s.dir == telemetry.Write && len(f.refusedByOperation) > 0)
}

// oneKey reports whether the event was put down to one key.
func (s *scene) oneKey(e *Event) bool { return e.Cause == HotKey || e.Cause == LargeItem }

// indexKey reports whether one key carries an index's trouble.
func (s *scene) indexKey(f *features) bool {
	if k, ok := f.heaviest(); ok && k.likely >= 0.6 {
		return true
	}
	return !math.IsNaN(f.rankedShare) && len(f.suspects) > 0 && f.suspects[0].share >= 0.5
}

// bursts reports whether the limit was hit while the minute's mean stayed well below
// it: the load comes in bursts of seconds.
func (s *scene) bursts(e *Event, f *features) bool {
	if s.facts.period() > time.Minute {
		return false
	}
	const below = 0.8
	switch e.Limit {
	case telemetry.ProvisionedLimit, telemetry.MaxOnDemandLimit:
		return f.used < below
	case telemetry.KeyRangeLimit:
		if k, ok := f.heaviest(); ok && e.Cause == HotKey {
			return k.high < below
		}
		return f.consumed < below*s.ceiling
	}
	return false
}

// scalingFactors tells apart auto scaling that is at its maximum, that lags, and
// capacity that had just been lowered.
func (s *scene) scalingFactors(f *features, add func(Factor, bool)) {
	target, ok := s.facts.targets[scaledID{s.res.ID, s.dir}]
	if ok && target.Max != nil && !target.Suspended {
		atMaximum := f.limit > 0 && f.limit >= float64(*target.Max)
		add(AutoScalingLag, !atMaximum && (s.raisedAround(f.run) || f.limit < float64(*target.Max)))
		add(AutoScalingAtMaximum, atMaximum)
	}
	add(ScaledIn, s.changedBefore(f.run, 15*time.Minute))
}

// raisedAround reports whether capacity went up during the run or soon after it.
func (s *scene) raisedAround(r run) bool {
	from, to := s.facts.at(r.from), s.facts.at(r.to).Add(10*time.Minute)
	for _, c := range s.table.Changes {
		if c.Kind == CapacityRaised && c.Resource == s.res.ID && c.Direction == s.dir && c.At.After(from) && c.At.Before(to) {
			return true
		}
	}
	return false
}

// peakGrowth is how many times the earlier peak a load must be to count as a new peak.
// AWS promises twice; what is served while it refuses is less than what is wanted.
const peakGrowth = 1.5

// newPeak reports whether an on-demand resource draws well above what it drew at most
// in the half hour before, as far as the window shows it, and more than every on-demand
// resource supports at once (Developer Guide, "On-demand capacity mode").
func (s *scene) newPeak(f *features) bool {
	if s.table.Mode != telemetry.ModeOnDemand || f.run.from < 5 {
		return false
	}
	return f.plateau >= peakGrowth*s.recentPeak(f) && f.plateau >= 0.85*float64(partition.NewTable(s.dir))
}

// recentPeak is the busiest minute's mean rate in the half hour before the run.
func (s *scene) recentPeak(f *features) float64 {
	half := int(partition.PeakWindow / s.facts.period())
	return quantile(s.consumed(f.run.from-half, f.run.from), 1)
}

// tooFew reports whether the whole resource is as busy as its partitions allow.
func (s *scene) tooFew(f *features) bool {
	p := s.res.Partitions
	return p.Likely >= 1 && f.plateau >= 0.7*float64(max(1, p.Low))*s.ceiling
}

// splitSeen reports whether refusals shrank or stopped while the demand stayed: what
// a split looks like from outside.
func (s *scene) splitSeen(f *features) bool {
	r := f.run
	if !s.ongoing(r) && f.after >= 0.97*f.plateau && f.plateau > 1.05*zeroIfNaN(f.before) {
		return true
	}
	third := f.minutes / 3
	if third < 2 {
		return false
	}
	first, last := total(r.refused, r.from+1, r.from+1+third), total(r.refused, r.to-third, r.to)
	early, late := mean(s.consumed(r.from+1, r.from+1+third)), mean(s.consumed(r.to-third, r.to))
	return last < 0.6*first && late >= 1.02*early
}

// unsplittable says why DynamoDB can't split what is hot; "" where it may (Developer
// Guide, "Burst and adaptive capacity"; AWS Database Blog, "Scaling DynamoDB" part 2).
func (s *scene) unsplittable(e *Event, f *features) string {
	if e.Cause != HotKey && e.Cause != LargeItem && !(e.Cause == GSIPressure && s.indexKey(f)) {
		return ""
	}
	k, ok := s.foremost(f)
	if !ok {
		return ""
	}
	switch {
	case s.res.SortKey == "" && s.facts.keySchema(s.res.ID) != nil && s.res.ID.Index == "":
		return "the table has no sort key, so the key is a single item"
	case k.track.item() != "":
		return "nearly all of it is one item"
	case s.res.ID.Index == "" && s.table.Description != nil && len(s.table.Description.LocalIndexes) > 0:
		return "a local secondary index keeps the item collection on one partition"
	case growing(k.track):
		return "the sort key only grows, so the newest items always share a partition"
	}
	return ""
}

// growing reports whether the items ranked under a key look like an ever-growing sort
// key: later minutes rank later sort keys. It needs several items and minutes to tell.
func growing(k *keyTrack) bool {
	const enough = 5
	sorts := sortedKeys(k.items)
	if len(sorts) < enough {
		return false
	}
	forward, backward := 0, 0
	for i := 1; i < len(sorts); i++ {
		switch a, b := k.items[sorts[i-1]].first, k.items[sorts[i]].first; {
		case a < b:
			forward++
		case a > b:
			backward++
		}
	}
	return forward >= enough-1 && backward*10 <= forward
}

// replicatedShare is the part of the consumed write units that replication drew.
func (s *scene) replicatedShare(f *features) float64 {
	id := telemetry.SeriesID{
		Resource: s.res.ID, Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum, Traffic: "GlobalTable",
	}
	replicated := sumReadings(s.facts.readings(id), f.run.from, f.run.to)
	all := sumReadings(s.totals(telemetry.Write), f.run.from, f.run.to)
	if all <= 0 {
		return 0
	}
	return replicated / all
}
