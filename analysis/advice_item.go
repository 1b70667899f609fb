package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// largeItem advises on requests that cost much each.
func (a *adviser) largeItem() {
	if a.event.Limit == telemetry.ProvisionedLimit {
		a.raiseProvisioned()
	}
	if a.reads() {
		a.eventualReads()
		a.cacheReads()
	}
	a.shrinkItem()
	a.splitItem()
	a.offloadItem()
}

// unitBytes is what one unit pays for in the event's direction.
func (a *adviser) unitBytes() float64 {
	if a.reads() {
		return partition.ReadUnitBytes
	}
	return partition.WriteUnitBytes
}

// fitBytes is how small the items would have to be for the wanted load to fit into
// partitionShare of the limit: at least what one unit pays for. 0 where the size isn't
// known.
func (a *adviser) fitBytes() int {
	largest := a.event.largest(a.load)
	if largest <= 1 {
		return 0
	}
	share := math.Min(1, partitionShare*a.limit()/math.Max(1, a.demand()))
	return int(math.Max(1, math.Floor(largest*share)) * a.unitBytes())
}

// nowBytes is an upper bound of the largest item, in words; "" where unknown.
func (a *adviser) nowBytes() string {
	largest := a.event.largest(a.load)
	if largest <= 0 {
		return ""
	}
	return fmt.Sprintf("the largest request used %s %s, so up to %s KB; ", decimal(largest), a.event.Direction.Unit(), telemetry.Thousands(largest*a.unitBytes()/1024))
}

func (a *adviser) shrinkItem() {
	bytes := a.fitBytes()
	summary := "make the items of " + a.keyOrPlace() + " smaller: compress, drop or shorten attributes"
	parameters := map[string]any{"item_bytes": nil}
	if bytes > 0 {
		summary = fmt.Sprintf("shrink the items of %s to %s KB or less", a.keyOrPlace(), decimal(float64(bytes)/1024))
		parameters["item_bytes"] = bytes
	}
	a.add(Recommendation{
		Action: ShrinkItem, Stage: FixThisWeek, Parameters: parameters, Summary: summary, Commands: []string{a.watch()},
		Why:      a.nowBytes() + a.unitRule(),
		Tradeoff: "compressed attributes can't be filtered or used as keys",
		Undo:     "readers accept both forms for as long as old items live",
		Verify:   "the Maximum of the consumed units falls",
	})
}

func (a *adviser) unitRule() string {
	if a.reads() {
		return "a read costs a unit for every 4 KB, half that with eventual consistency"
	}
	return "a write costs a unit for every KB of the whole item, however little of it changes"
}

func (a *adviser) splitItem() {
	a.add(Recommendation{
		Action: SplitItem, Stage: Redesign, Parameters: map[string]any{"item_bytes": orNil(a.fitBytes())},
		Summary:  "split the items of " + a.keyOrPlace() + ": what changes often apart from what doesn't",
		Why:      a.unitRule(),
		Tradeoff: "more items to read together, and a transaction where they must agree",
		Undo:     "write the joined item again",
		Verify:   "the units a request fall",
	})
}

func (a *adviser) offloadItem() {
	a.add(Recommendation{
		Action: OffloadToS3, Stage: Redesign, Parameters: map[string]any{"item_bytes": orNil(a.fitBytes())},
		Summary:  "keep the large attributes of " + a.keyOrPlace() + " in S3 and a pointer in the item",
		Why:      "S3 has no units to run out of",
		Tradeoff: "no transaction spans both, so expect orphans; reads take a second request",
		Undo:     "write the attribute back into the item",
		Verify:   "the Maximum of the consumed units falls",
	})
}

// orNil keeps an unknown size unknown.
func orNil(bytes int) any {
	if bytes == 0 {
		return nil
	}
	return bytes
}
