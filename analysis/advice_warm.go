package analysis

import (
	"fmt"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// prewarm advises raising warm throughput, which makes partitions, to what is wanted of
// the whole table with headroom. A table that is warm enough for that has partitions
// enough; more of them would not spread this.
func (a *adviser) prewarm(stage Stage) {
	wanted, now := a.demandOfAll(), a.warmNow(a.event.Direction)
	target := friendly(wanted * a.caution() * warmHeadroom)
	if target <= now {
		a.warmEnough(wanted, now)
		return
	}
	read, write := a.describedWarm(telemetry.Read), a.describedWarm(telemetry.Write)
	if a.reads() {
		read = target
	} else {
		write = target
	}
	a.add(Recommendation{
		Action: Prewarm, Stage: stage, Parameters: map[string]any{"read_units": rateOrNil(read), "write_units": rateOrNil(write)},
		Summary:  fmt.Sprintf("pre-warm %s to %s %ss/s", a.place(), telemetry.Thousands(target), a.event.work()),
		Commands: []string{a.warm(read, write), a.describe()},
		Why: fmt.Sprintf("warm throughput is what a table serves at once, and raising it makes partitions; it is about %s now%s, and %s with 30 %% of headroom is wanted of the whole %s (modelled)%s",
			telemetry.Thousands(now), a.warmSource(), telemetry.Thousands(wanted), a.kind(), a.cautionText(wanted)),
		Tradeoff: "charged once for the rise, and can't be lowered again; takes a while",
		Verify:   "WarmThroughput.Status is ACTIVE; " + a.relieved("refusals stop"),
	})
}

// warmEnough rules pre-warming out where the description says that it has been done.
func (a *adviser) warmEnough(wanted, now float64) {
	if a.describedWarm(a.event.Direction) > 0 {
		a.avoid("pre-warming", fmt.Sprintf("the %s is warm for %s %ss/s, and about %s are wanted of it (modelled)", a.kind(), telemetry.Thousands(now), a.event.work(), telemetry.Thousands(wanted)))
	}
}

// warmSource says where the present warm throughput isn't described.
func (a *adviser) warmSource() string {
	if a.describedWarm(a.event.Direction) > 0 {
		return ""
	}
	return " by the partitions thought to exist"
}

// describedWarm is the described warm throughput; 0 where it isn't known.
func (a *adviser) describedWarm(d telemetry.Direction) float64 {
	if w := a.capacity().Warm.In(d); w != nil && *w > 0 {
		return float64(*w)
	}
	return 0
}

// warmNow is the described warm throughput, else what the partitions thought to exist
// serve.
func (a *adviser) warmNow(d telemetry.Direction) float64 {
	if w := a.describedWarm(d); w > 0 {
		return w
	}
	return float64(max(1, a.res.Partitions.Likely)) * float64(partition.Ceiling(d))
}
