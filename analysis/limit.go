package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// inferLimit works out which limit refused where no cause-specific metric says so:
// from consumed against the table-wide limits and from the keys. It returns how sure
// that is and one sentence of reason.
func (s *scene) inferLimit(f *features) (telemetry.Limit, float64, string) {
	keyed, why := s.partitionSigns(f)
	switch {
	case f.limit > 0 && s.table.Mode == telemetry.ModeOnDemand && f.used >= 0.9:
		return telemetry.MaxOnDemandLimit, 0.9, fmt.Sprintf("inferred: the load stands at %s of the on-demand maximum", percent(f.used))
	case f.limit > 0 && s.table.Mode != telemetry.ModeOnDemand:
		return s.inferProvisioned(f, keyed, why)
	}
	if quota := s.quota(); f.consumed >= 0.9*quota {
		return telemetry.AccountLimit, 0.85, fmt.Sprintf("inferred: the load of %s/s stands at the per-table quota of %s", telemetry.Thousands(f.consumed), telemetry.Thousands(quota))
	}
	if s.table.Mode == telemetry.ModeOnDemand {
		return telemetry.KeyRangeLimit, 0.95, "inferred: an on-demand table below its quota and maximum refuses only at a partition's limit"
	}
	if keyed {
		return telemetry.KeyRangeLimit, 0.85, "inferred: " + why
	}
	return telemetry.UnknownLimit, 0.6, "the capacity mode is unknown and no key stands out"
}

// inferProvisioned decides between the provisioned throughput and a partition's limit.
func (s *scene) inferProvisioned(f *features, keyed bool, why string) (telemetry.Limit, float64, string) {
	saved := s.savedSecondsNeeded(f)
	thin := !math.IsNaN(f.rankedShare) && f.rankedShare < 0.15
	switch {
	case f.used >= 0.93:
		return telemetry.ProvisionedLimit, 0.95, fmt.Sprintf("inferred: the load stands at %s of the provisioned throughput", percent(f.used))
	case keyed:
		return telemetry.KeyRangeLimit, 0.93, "inferred: " + why
	case f.used < 0.9 && s.nearRoom(f):
		return telemetry.KeyRangeLimit, 0.85, fmt.Sprintf("inferred: the load stands at what %d partitions serve (%s), below the provisioned throughput", s.res.Partitions.Likely, sourceText(s.res.Partitions.Source))
	case saved <= 60:
		return telemetry.ProvisionedLimit, 0.8, fmt.Sprintf("inferred: the minutes before used more than the provisioned throughput, which empties at most %.0f s of saved capacity", saved)
	case thin && f.limit <= float64(s.res.Partitions.Likely)*s.ceiling:
		return telemetry.ProvisionedLimit, 0.85, "inferred: the refusals are spread thin over many keys, and a load spread over all partitions meets the provisioned throughput before theirs"
	case f.used < 0.5:
		return telemetry.KeyRangeLimit, 0.8, fmt.Sprintf("inferred: only %s of the provisioned throughput is used", percent(f.used))
	case thin:
		return telemetry.ProvisionedLimit, 0.75, "inferred: the refusals are spread thin over many keys, so bursts against the provisioned throughput are likelier than one partition"
	}
	return telemetry.UnknownLimit, 0.6, fmt.Sprintf("%s of the provisioned throughput is used: bursts inside a minute and a full partition both fit", percent(f.used))
}

// nearRoom reports whether the load stands, flat, at what all partitions together serve.
func (s *scene) nearRoom(f *features) bool {
	room := float64(s.res.Partitions.Likely) * s.ceiling
	inside := s.consumed(f.run.from+1, f.run.to-1)
	flat := quantile(inside, 0.9)-quantile(inside, 0.1) <= 0.03*f.plateau
	return flat && f.plateau >= 0.92*room && f.plateau <= 1.03*room
}

// partitionSigns reports whether the keys point at a partition, and why.
func (s *scene) partitionSigns(f *features) (bool, string) {
	if k := f.filling(full); len(k) > 0 {
		return true, fmt.Sprintf("%s alone fills a partition", name(k[0]))
	}
	if len(f.suspects) > 0 && !math.IsNaN(f.rankedShare) && f.suspects[0].share >= 0.5 {
		return true, fmt.Sprintf("%s of the refusals fall on %s", percent(f.suspects[0].share), name(f.suspects[0]))
	}
	if group, sum := f.sharing(); len(group) >= 2 && sum >= 0.7 {
		return true, fmt.Sprintf("%d refused keys together draw what one partition serves", len(group))
	}
	return false, ""
}

// savedSecondsNeeded is the largest number of seconds of saved capacity with which the
// provisioned throughput would have run out by the time the refusals began: 300 means
// that it ran out whatever had been saved, 0 that it can't have run out at a minute's
// mean. Simulated on the minutes' means (Developer Guide, "Burst and adaptive
// capacity": up to 300 seconds, best effort).
func (s *scene) savedSecondsNeeded(f *features) float64 {
	best := math.Inf(1)
	for _, saved := range []float64{partition.BurstSeconds, 150, 60, 0} {
		if s.runsDry(f, saved) {
			best = saved
			break
		}
	}
	return best
}

func (s *scene) runsDry(f *features, saved float64) bool {
	seconds := s.facts.period().Seconds()
	tokens := math.NaN()
	for i := 0; i <= f.run.from+1 && i < len(s.load.Minutes); i++ {
		m := s.load.Minutes[i]
		if m.Capacity <= 0 || m.State != telemetry.Known {
			continue
		}
		room := float64(m.Capacity) * saved
		if math.IsNaN(tokens) {
			tokens = room
		}
		left := tokens + float64(m.Capacity-m.Consumed)*seconds
		if left < 0.02*float64(m.Capacity)*seconds && i >= f.run.from {
			return true
		}
		tokens = math.Max(0, math.Min(room, left))
	}
	return false
}

// quota is the account's per-table limit, AWS's default where the account's isn't
// known.
func (s *scene) quota() float64 {
	if q := s.facts.quota(s.res.ID.TableID, s.dir); q > 0 {
		return float64(q)
	}
	return float64(partition.TableQuotaDefault)
}
