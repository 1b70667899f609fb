package analysis

import (
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Remedy reads the change that a recommendation means from its parameters; false where
// it changes neither the load nor a limit, or lacks a number for it. How often clients try
// now isn't known, so nothing is forecast of fewer tries.
func (d *Diagnosis) Remedy(e *Event, r Recommendation) (Remedy, bool) {
	var out Remedy
	units := r.rate(string(e.Direction) + "_units")
	switch r.Action {
	case ShardKey, ShardIndexKey:
		out.Shards = int(r.rate("shards"))
	case CacheReads:
		out.CacheHitRatio = float64(r.rate("hit_ratio"))
	case EventuallyConsistentReads:
		out.EventuallyConsistent = true
	case RaiseProvisioned, RaiseIndexCapacity:
		out.Provisioned = units
	case TuneAutoScaling:
		out.Provisioned = d.minimumAbove(e, r.rate("minimum"))
	case RaiseOnDemandMaximum:
		out.Maximum = units
	case Prewarm:
		out.Warm = units
	case SwitchToOnDemand:
		out.SwitchToOnDemand = true
	case PaceBulkLoad:
		out.Pace = r.rate("units_per_second")
	case ShrinkItem, SplitItem, OffloadToS3:
		out.ItemFactor = d.itemFactor(e, float64(r.rate("item_bytes")))
	case RequestQuota:
		out.Quota = r.rate("units")
	}
	return out, out != Remedy{}
}

// minimumAbove is auto scaling's minimum where the event's limit was always below it, so
// that it is all that is known to be allowed; else 0, for how fast auto scaling would have
// followed isn't modelled.
func (d *Diagnosis) minimumAbove(e *Event, minimum telemetry.Rate) telemetry.Rate {
	res := d.resource(e.Resource)
	if res == nil {
		return 0
	}
	for _, m := range res.Load(e.Direction).Minutes {
		if during(e, m) && m.Capacity >= minimum {
			return 0
		}
	}
	return minimum
}

// itemFactor is what a request costs once items weigh so many bytes, as a part of what the
// largest costs now; 0 where either isn't known.
func (d *Diagnosis) itemFactor(e *Event, bytes float64) float64 {
	res := d.resource(e.Resource)
	if res == nil || bytes <= 0 {
		return 0
	}
	now := e.largest(res.Load(e.Direction))
	if now <= 0 {
		return 0
	}
	if e.Direction == telemetry.Read {
		return min(1, bytes/(now*partition.ReadUnitBytes))
	}
	return min(1, bytes/(now*partition.WriteUnitBytes))
}

// rate is a parameter that is a finite number; 0 where it isn't.
func (r Recommendation) rate(name string) telemetry.Rate {
	switch x := r.Parameters[name].(type) {
	case int:
		return telemetry.Rate(x)
	case float64:
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return telemetry.Rate(x)
		}
	}
	return 0
}
