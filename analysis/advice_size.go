package analysis

import (
	"fmt"
	"math"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// allowed is the table-wide limit in force when most was refused, else the last one known
// of the event; 0 where there is none or it isn't known. Capacity may have been raised
// since: capacityNow is what is in force at the window's end.
func (a *adviser) allowed() float64 {
	if _, allowed := a.event.usedOfAllowed(a.load); allowed > 0 {
		return allowed
	}
	var last float64
	for _, m := range a.load.Minutes {
		if m.Start.Before(a.event.End) && m.Capacity > 0 {
			last = float64(m.Capacity)
		}
	}
	return last
}

// capacityNow is the newest capacity in force; 0 where none is known.
func (a *adviser) capacityNow() float64 {
	for i := len(a.load.Minutes) - 1; i >= 0; i-- {
		if c := a.load.Minutes[i].Capacity; c > 0 {
			return float64(c)
		}
	}
	return 0
}

// lowest and highest bound the capacities in force in the window; 0 where none is known.
func (a *adviser) lowest() float64 {
	low := 0.0
	for _, m := range a.load.Minutes {
		if c := float64(m.Capacity); c > 0 && (low == 0 || c < low) {
			low = c
		}
	}
	return low
}

func (a *adviser) highest() float64 {
	high := 0.0
	for _, m := range a.load.Minutes {
		high = math.Max(high, float64(m.Capacity))
	}
	return high
}

// need is what the whole table or index must carry, in units a second: what was wanted,
// or its busiest minute where that drew more, as it does once room was made. 0 where
// neither is known.
func (a *adviser) need() float64 {
	if a.event.Cause == LargeItem || a.event.Cause == HotKey {
		return a.demandOfAll()
	}
	need := a.demand()
	if a.load.Peak != nil {
		need = math.Max(need, float64(*a.load.Peak))
	}
	return need
}

// demandOfAll is what was wanted of the whole resource where the event's demand is of one
// partition: its busiest minute and what was wanted of the partition beyond what it served.
func (a *adviser) demandOfAll() float64 {
	var all float64
	if a.load.Peak != nil {
		all = float64(*a.load.Peak)
	}
	if d := a.event.Demand; d != nil {
		all += math.Max(0, d.Likely-d.Low) * a.fullPartitions()
	}
	return math.Max(all, a.demand())
}

// fullPartitions is how many partitions want more than they serve: those that what was
// served fills where there are too few for an even load, else one.
func (a *adviser) fullPartitions() float64 {
	if a.load.Peak == nil || len(a.event.Keys) > 0 || !a.has(TooFewPartitions) && !a.has(OnDemandNewPeak) {
		return 1
	}
	return math.Max(1, math.Round(float64(*a.load.Peak)/a.ceiling()))
}

// setting is a capacity for what is needed: with headroom, above what is in force now
// where that still refuses. use is the share of it that may be used. 0 where nothing is
// known to size it on.
func (a *adviser) setting(use float64) float64 {
	need, now := a.need(), a.capacityNow()
	if need <= 0 && now <= 0 {
		return 0
	}
	if to := friendly(need * a.caution() * limitHeadroom / use); to > now {
		return to
	}
	return friendly(now * limitHeadroom)
}

// covered reports whether the limit was raised after it refused and now carries what is
// needed, with headroom. Refusals in the two minutes in which a raise takes hold don't
// speak against it.
func (a *adviser) covered() bool {
	now, refusing := a.capacityNow(), a.allowed()
	if refusing <= 0 || now <= refusing || now < a.need()*limitHeadroom {
		return false
	}
	const takesHold = 2
	n := 0
	for _, m := range a.load.Minutes {
		if a.event.inside(m) && float64(m.Capacity) >= now && m.Throttled > 0 {
			n++
		}
	}
	return n <= takesHold
}

// raisedText says who has raised the limit since it refused, and to what.
func (a *adviser) raisedText() string {
	text := "it has already been raised"
	for _, c := range a.table.Changes {
		raised := c.Kind == CapacityRaised && c.Resource == a.res.ID && c.Direction == a.event.Direction
		if raised && c.At.After(a.event.Start) && strings.Contains(c.Text, "auto scaling") {
			text = "auto scaling has already raised it"
		}
	}
	return fmt.Sprintf("%s from %s to %s %s", text, telemetry.Thousands(a.allowed()), telemetry.Thousands(a.capacityNow()), a.event.Direction.Unit())
}

// wantedText is "about 2,600 WCU/s were wanted (modelled)"; what is known at least where
// the model gives no figure.
func (a *adviser) wantedText(verb string) string {
	d, unit := a.demand(), a.event.Direction.Unit()
	switch {
	case a.event.Demand != nil:
		return fmt.Sprintf("about %s %s/s %s wanted (modelled)", telemetry.Thousands(d), unit, verb)
	case d > 0:
		return fmt.Sprintf("at least %s %s/s %s wanted", telemetry.Thousands(d), unit, verb)
	}
	return "how much is wanted isn't known"
}

// busiestText adds the busiest minute where it drew more than the model says was wanted.
func (a *adviser) busiestText() string {
	if p := a.load.Peak; p != nil && float64(*p) > a.demand() {
		return fmt.Sprintf("; the busiest minute drew %s", telemetry.Thousands(float64(*p)))
	}
	return ""
}
