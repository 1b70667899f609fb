package analysis

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// indexPressure advises on an index that refuses, whatever its limit.
func (a *adviser) indexPressure() {
	switch a.event.Limit {
	case telemetry.KeyRangeLimit:
		a.fullIndexPartition()
	case telemetry.MaxOnDemandLimit:
		a.raiseOnDemandMaximum()
	case telemetry.AccountLimit:
		a.accountQuota()
		return
	default:
		a.raiseAndScale()
		if a.has(HotKeyFactor) {
			a.shardIndexKey()
		}
	}
	if !a.reads() {
		a.trimProjection()
	}
}

func (a *adviser) fullIndexPartition() {
	a.waitForSplit()
	if a.reads() {
		a.cacheReads()
	}
	if a.has(SubMinuteBurst) {
		a.paceLoad("spread the bursts evenly over time, at no more than")
	}
	if len(a.event.Keys) == 0 && !a.has(HotKeyFactor) {
		a.prewarm(RelieveNow)
		if s := a.event.Splitting; s != nil && s.Cures {
			return
		}
	}
	a.shardIndexKey()
}

func (a *adviser) shardIndexKey() {
	n := a.shards()
	attribute := "its key attribute"
	if a.res.PartitionKey != "" {
		attribute = a.res.PartitionKey
	}
	a.add(Recommendation{
		Action: ShardIndexKey, Stage: FixThisWeek, Parameters: map[string]any{"shards": n},
		Summary:  fmt.Sprintf("shard %s in index %s over %d keys", a.indexKeyName(), a.res.ID.Index, n),
		Commands: []string{a.watch()},
		Why:      fmt.Sprintf("%s of one index partition, which serves %s%s", a.wantedText("are"), telemetry.Thousands(a.ceiling()), a.shardNote()),
		Tradeoff: fmt.Sprintf("a new index on a sharded copy of %s and a backfill; a query over all takes %d queries; an index key that means nothing may be better left sparse", attribute, n) + a.collisions(n),
		Undo:     "keep the old index until the new one serves all readers, then delete one of them",
		Verify:   "the index refuses nothing and the table's writes go through",
	})
}

func (a *adviser) indexKeyName() string {
	if len(a.event.Keys) == 0 {
		if a.res.PartitionKey != "" {
			return a.res.PartitionKey
		}
		return "the key"
	}
	return a.key()
}

// trimProjection advises copying less into the index, where it copies more than keys.
func (a *adviser) trimProjection() {
	p := a.projection()
	if p.Type == "KEYS_ONLY" {
		return
	}
	what := "what it copies isn't known"
	switch p.Type {
	case "ALL":
		what = "it copies all attributes"
	case "INCLUDE":
		what = fmt.Sprintf("it copies %s: %s", plural(len(p.Attributes), "attribute", "attributes"), strings.Join(p.Attributes, ", "))
	}
	a.add(Recommendation{
		Action: TrimProjection, Stage: Redesign, Parameters: map[string]any{},
		Summary:  "project fewer attributes into " + a.res.ID.Index,
		Commands: []string{a.describe()},
		Why:      what + a.indexWrites() + "; a write that changes none of an index's attributes costs it nothing, and smaller entries cost fewer units",
		Tradeoff: "an index can't be changed in place: make a new one, move readers, delete the old; attributes left out cost a second read",
		Undo:     "keep the old index until readers have moved",
		Verify:   "the index consumes fewer write units for the same writes",
	})
}

// indexWrites compares what the index and the table itself consumed in their busiest
// minutes; "" where either isn't known.
func (a *adviser) indexWrites() string {
	for _, r := range a.table.Resources {
		mine, own := a.res.Write.Peak, r.Write.Peak
		if r.ID == a.res.ID.TableID.Resource() && mine != nil && own != nil {
			return fmt.Sprintf(", and drew up to %s WCU/s where the table itself drew up to %s", telemetry.Thousands(float64(*mine)), telemetry.Thousands(float64(*own)))
		}
	}
	return ""
}

func (a *adviser) projection() telemetry.Projection {
	if d := a.table.Description; d != nil {
		for _, x := range d.Indexes {
			if x.Name == a.res.ID.Index {
				return x.Projection
			}
		}
	}
	return telemetry.Projection{}
}
