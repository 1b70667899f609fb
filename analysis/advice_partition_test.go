package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestShardsOfOneItemArePartsOfIt(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Table, *Resource, *Event)
	}{
		{"table without sort key", func(_ *Table, r *Resource, e *Event) { r.SortKey, e.Keys[0].Key.Sort = "", "" }},
		{"sort key named", func(_ *Table, _ *Resource, e *Event) { e.Keys[0].Key.Sort = "TOTALS" }},
		{"sort key named, times in the key", func(_ *Table, r *Resource, e *Event) {
			e.Keys[0].Key = telemetry.Key{Partition: "2026-03-02", Sort: "TOTALS"}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := find(advised(tt.change), ShardKey)
			if r == nil || r.Parameters["suffix"] != "random" {
				t.Fatalf("sharding %+v, want a random suffix", r)
			}
			if !strings.Contains(r.Why, "it is one item, so its shards are parts that a reader adds up or merges") {
				t.Errorf("why %q", r.Why)
			}
			if !strings.HasPrefix(r.Tradeoff, "reading it takes all 6 parts, added up or merged") || strings.Contains(r.Tradeoff, "GetItem") {
				t.Errorf("tradeoff %q", r.Tradeoff)
			}
		})
	}
}

func TestShardingSaysWhichLimitIsMetNext(t *testing.T) {
	within := func(capacity telemetry.Rate) string {
		return find(advised(func(_ *Table, r *Resource, e *Event) {
			e.Demand = &Estimate{Likely: 2600, Low: 1000, High: 4000}
			r.Write.Minutes[0].Capacity = capacity
		}), ShardKey).Tradeoff
	}
	// The busiest minute drew 2,000, and 1,600 of what was wanted of the key weren't served.
	if got, want := within(3000), "; what is wanted comes to about 3,600 WCU/s in all (modelled), more than the 3,000 that orders may use: raise that before"; !strings.HasSuffix(got, want) {
		t.Errorf("trade-off %q, want %q last", got, want)
	}
	if got := within(4000); strings.Contains(got, "may use") {
		t.Errorf("trade-off %q where there is room", got)
	}
	if got := within(0); strings.Contains(got, "may use") {
		t.Errorf("trade-off %q where no limit is known", got)
	}
}

func TestTheChanceThatShardsMeetSaysForWhichLoad(t *testing.T) {
	r := find(advised(func(_ *Table, r *Resource, e *Event) {
		e.Demand = &Estimate{Likely: 2600, Low: 1300, High: 4000}
		r.Partitions = Partitions{Low: 14, Likely: 14, High: 14}
	}), ShardKey)
	if want := " if 1,300 WCU/s are wanted of a key and "; !strings.Contains(r.Tradeoff, want) {
		t.Errorf("trade-off %q, want %q in it", r.Tradeoff, want)
	}
}

func TestIndexKeysAreNotTakenForOneItem(t *testing.T) {
	r := find(advised(func(tb *Table, rs *Resource, e *Event) {
		onIndex(telemetry.KeyRangeLimit, telemetry.Write)(tb, rs, e)
		rs.SortKey, e.Keys[0].Key.Sort = "", "x"
	}), ShardIndexKey)
	if r == nil || strings.Contains(r.Why, "one item") {
		t.Errorf("advice %+v", r)
	}
}

func TestOnlyASeenSplitIsSaidToHaveEndedIt(t *testing.T) {
	over := func(factors ...Factor) Recommendation {
		return advised(func(_ *Table, _ *Resource, e *Event) {
			e.Ongoing, e.Contributing, e.Splitting = false, factors, &Splitting{Cures: true, Minutes: &Range{2, 11}, Why: "several items"}
		}).Recommendations[0]
	}
	if r := over(SplitInProgress); r.Stage != DoNothing || r.Summary != "change nothing yet: it has ended by itself, as after a split" || r.Parameters["minutes"] != 0 {
		t.Errorf("split seen: [%s] %s %v", r.Stage, r.Summary, r.Parameters)
	}
	if r := over(); r.Stage != DoNothing || r.Summary != "wait up to 20 minutes at the next peak: DynamoDB is likely to split the partition then" || r.Parameters["minutes"] != 20 {
		t.Errorf("no split seen: [%s] %s %v", r.Stage, r.Summary, r.Parameters)
	}
}

// neighbours are three keys that share a partition, which serves 3,000 RCU/s of theirs
// and of unranked keys.
func neighbours(_ *Table, _ *Resource, e *Event) {
	e.Cause, e.Direction = HotPartition, telemetry.Read
	e.Demand, e.Hottest = &Estimate{Likely: 3000, Low: 2000, High: 4000}, &Hottest{Rate: 3000, Low: 2900, High: 3017, Ceiling: 3000}
	for _, p := range []string{"TENANT#7", "TENANT#9"} {
		e.Keys = append(e.Keys, EventKey{Key: telemetry.Key{Partition: p}})
	}
}

func TestSharedPartitionIsRelievedOfAllItsKeys(t *testing.T) {
	e := advised(neighbours)
	cache := find(e, CacheReads)
	want := "cache reads of TENANT#123, TENANT#7 and 1 more: a hit ratio of 40 % keeps their partition at four fifths of the limit"
	if diff := cmp.Diff(want, cache.Summary); diff != "" {
		t.Error(diff)
	}
	if want := "about 4,000 RCU/s are wanted of the partition (modelled) and the limit is 3,000"; cache.Why != want {
		t.Errorf("why %q, want %q", cache.Why, want)
	}
	if got, want := find(e, EventuallyConsistentReads).Summary, "read TENANT#123, TENANT#7 and 1 more with eventual consistency where strong reads are used"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPrewarmIsSizedOnTheWholeTable(t *testing.T) {
	newPeak := func(warm telemetry.Rate) *Event {
		return advised(func(tb *Table, _ *Resource, e *Event) {
			tb.Mode, e.Cause, e.Contributing, e.Keys = telemetry.ModeOnDemand, HotPartition, []Factor{OnDemandNewPeak}, nil
			tb.Description.Capacity.Warm.Write = &warm
		})
	}
	r := find(newPeak(4000), Prewarm)
	if r == nil {
		t.Fatal("no pre-warming")
	}
	// 2,000 in the busiest minute fill two partitions, which refuse 1,600 each: with 30 % of
	// headroom 6,760.
	if diff := cmp.Diff(map[string]any{"read_units": nil, "write_units": 7000.0}, r.Parameters); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(r.Why, "about 4,000 now, and 5,200 with 30 % of headroom is wanted of the whole table (modelled)") {
		t.Errorf("why %q", r.Why)
	}
	if !strings.HasSuffix(r.Commands[0], "--warm-throughput WriteUnitsPerSecond=7000") {
		t.Errorf("command %s sets what isn't known", r.Commands[0])
	}
	e := newPeak(8000)
	if find(e, Prewarm) != nil || e.WontHelp[0].Fix != "pre-warming" {
		t.Errorf("a table warm enough: %s; won't help %s", actions(e), fixes(e))
	}
}

func TestHotWritesShedLoadWhereMuchIsRefused(t *testing.T) {
	refused := func(share float64, ongoing bool, dir telemetry.Direction) *Recommendation {
		return find(advised(func(_ *Table, _ *Resource, e *Event) {
			e.Refused, e.Ongoing, e.Direction = &Range{Low: 0.1, High: share}, ongoing, dir
		}), BackOffRetries)
	}
	r := refused(0.6, true, telemetry.Write)
	if r == nil || r.Stage != RelieveNow || !strings.Contains(r.Why, "up to 60 % of the writes are refused") || !strings.Contains(r.Why, "cures nothing") {
		t.Errorf("advice %+v", r)
	}
	for name, r := range map[string]*Recommendation{
		"few refusals": refused(0.2, true, telemetry.Write),
		"over":         refused(0.6, false, telemetry.Write),
		"reads":        refused(0.6, true, telemetry.Read),
	} {
		if r != nil {
			t.Errorf("%s: advises %s", name, r.Summary)
		}
	}
}

func TestWantedLoadsAreMarkedAsModelled(t *testing.T) {
	for _, cause := range Causes {
		for _, limit := range telemetry.Limits {
			for _, dir := range telemetry.Directions {
				e := advised(func(_ *Table, _ *Resource, e *Event) {
					e.Cause, e.Limit, e.Direction = cause, limit, dir
					if cause == GSIPressure {
						e.Resource.Index = "by-status"
					}
				})
				for _, r := range e.Recommendations {
					if strings.Contains(r.Why, "wanted") && strings.Count(r.Why, "(modelled)") != 1 {
						t.Errorf("%s %s: %s: %s", cause, limit, r.Action, r.Why)
					}
				}
			}
		}
	}
}
