package analysis

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// advised is the event with advice, on a provisioned table of 5,000 RCU and 8,000 WCU,
// whose index copies everything.
func advised(change func(*Table, *Resource, *Event)) *Event {
	e := tenantEvent()
	e.Recommendations, e.WontHelp = nil, nil
	read, write := telemetry.Rate(5000), telemetry.Rate(8000)
	t := &Table{ID: e.Resource.TableID, Mode: telemetry.ModeProvisioned, Description: &telemetry.Table{
		Capacity: telemetry.Capacity{Provisioned: telemetry.Throughput{Read: &read, Write: &write}},
		Indexes: []telemetry.Index{{
			Name: "by-status", Projection: telemetry.Projection{Type: "ALL"},
			Capacity: telemetry.Capacity{Provisioned: telemetry.Throughput{Read: &read, Write: &write}},
		}},
	}}
	peak := telemetry.Rate(2000)
	minute := Minute{Start: e.Start, Consumed: 2000, State: telemetry.Known, Capacity: 8000, Largest: 40}
	r := &Resource{
		ID: e.Resource, PartitionKey: "pk", SortKey: "sk", Partitions: Partitions{Low: 4, Likely: 4, High: 8},
		Read:  &Load{Direction: telemetry.Read, Ceiling: 3000, Minutes: []Minute{{Start: e.Start, Consumed: 50, State: telemetry.Known, Capacity: 5000}}},
		Write: &Load{Direction: telemetry.Write, Ceiling: 1000, Minutes: []Minute{minute}, Peak: &peak},
	}
	for _, l := range []*Load{r.Read, r.Write} {
		l.Keys = []*KeyLoad{{Key: e.Keys[0].Key, Peak: 900}}
	}
	if change != nil {
		change(t, r, e)
	}
	r.ID = e.Resource
	recommend(t, r, e)
	return e
}

func actions(e *Event) string {
	var out []string
	for _, r := range e.Recommendations {
		out = append(out, string(r.Action))
	}
	return strings.Join(out, " ")
}

func fixes(e *Event) string {
	var out []string
	for _, w := range e.WontHelp {
		out = append(out, w.Fix)
	}
	return strings.Join(out, ", ")
}

func onIndex(limit telemetry.Limit, dir telemetry.Direction) func(*Table, *Resource, *Event) {
	return func(_ *Table, _ *Resource, e *Event) {
		e.Cause, e.Limit, e.Direction, e.Resource.Index = GSIPressure, limit, dir, "by-status"
	}
}

func TestAdviceFitsCauseAndLimit(t *testing.T) {
	tests := []struct {
		name            string
		change          func(*Table, *Resource, *Event)
		actions, wont   string
		firstIsInDetail string
	}{
		{
			"hot written key", nil, "shard_key redesign_key", "more table capacity, switching to on-demand",
			"shard TENANT#123 over 6 keys (calculated suffix)",
		},
		{
			"hot key that is never read", func(_ *Table, r *Resource, _ *Event) { r.Read.Keys[0].Peak = 0 },
			"shard_key redesign_key", "more table capacity, switching to on-demand", "shard TENANT#123 over 6 keys (random suffix)",
		},
		{
			"hot read collection", func(_ *Table, _ *Resource, e *Event) {
				e.Direction, e.Demand, e.Hottest = telemetry.Read, &Estimate{Likely: 6000, Low: 3000, High: 9000}, nil
			}, "eventually_consistent_reads cache_reads shard_key redesign_key", "more table capacity, switching to on-demand",
			"read TENANT#123 with eventual consistency where strong reads are used",
		},
		{
			"hot read item", func(_ *Table, r *Resource, e *Event) { e.Direction, r.SortKey = telemetry.Read, "" },
			"eventually_consistent_reads cache_reads", "more table capacity, switching to on-demand, sharding the key", "",
		},
		{"reads above the strong ceiling are eventual already", func(_ *Table, _ *Resource, e *Event) {
			e.Direction, e.Hottest = telemetry.Read, &Hottest{Rate: 4500, Low: 4300, High: 4550, Ceiling: 3000}
		}, "cache_reads shard_key redesign_key", "more table capacity, switching to on-demand", ""},
		{"a split will cure it", func(_ *Table, _ *Resource, e *Event) {
			e.Splitting = &Splitting{Cures: true, Minutes: &Range{1, 11.2}, Why: "several items"}
		}, "wait_for_split shard_key redesign_key", "more table capacity, switching to on-demand", "wait up to 12 minutes: DynamoDB is likely to split the partition"},
		{
			"no split will come", func(_ *Table, _ *Resource, e *Event) { e.Splitting = &Splitting{Why: "one item"} },
			"shard_key redesign_key", "more table capacity, switching to on-demand, waiting for a split", "",
		},
		{
			"keys unknown", func(_ *Table, r *Resource, e *Event) { e.Keys, r.Write.Keys, r.Read.Keys = nil, nil, nil },
			"enable_insights shard_key redesign_key", "more table capacity, switching to on-demand", "turn on Contributor Insights on orders",
		},
		{
			"retry storm", func(_ *Table, _ *Resource, e *Event) { e.Contributing = []Factor{RetryAmplification} },
			"back_off_retries shard_key redesign_key", "more table capacity, switching to on-demand", "",
		},
		{"new on-demand peak", func(t *Table, _ *Resource, e *Event) {
			t.Mode, e.Cause, e.Contributing, e.Keys = telemetry.ModeOnDemand, HotPartition, []Factor{OnDemandNewPeak}, nil
		}, "prewarm", "sharding keys", "pre-warm orders to 7,000 writes/s"},
		{
			"rolling key", func(_ *Table, _ *Resource, e *Event) {
				e.Cause, e.Contributing = HotPartition, []Factor{RollingKey}
			}, "pace_bulk_load shard_key time_bucket_key redesign_key", "more table capacity, switching to on-demand",
			"take the keys in shuffled order, at no more than 800 WCU/s",
		},
		{"rolling dates can't be shuffled", func(_ *Table, r *Resource, e *Event) {
			r.Write.Keys[0].Key.Partition = "2026-03-02T23:31"
			e.Cause, e.Contributing, e.Keys = HotPartition, []Factor{RollingKey}, nil
		}, "shard_key time_bucket_key redesign_key", "more table capacity, switching to on-demand", "shard each pk over 6 keys (random suffix)"},
		{"bursts are sized by their height", func(_ *Table, _ *Resource, e *Event) {
			e.Demand, e.Contributing = &Estimate{Likely: 240, Low: 100, High: 500}, []Factor{SubMinuteBurst}
		}, "pace_bulk_load shard_key redesign_key", "more table capacity, switching to on-demand", "spread the bursts evenly over time, at no more than 800 WCU/s"},
		{"a warm table isn't warmed for a trickle", func(_ *Table, r *Resource, e *Event) {
			r.Partitions.Likely, e.Cause, e.Keys = 40, HotPartition, nil
		}, "redesign_key", "more table capacity, switching to on-demand", ""},
		{
			"large item", func(_ *Table, _ *Resource, e *Event) { e.Cause = LargeItem },
			"shrink_item split_item offload_to_s3", "more table capacity, switching to on-demand", "shrink the items of TENANT#123 to 12 KB or less",
		},
		{
			"table capacity", func(_ *Table, r *Resource, e *Event) {
				e.Cause, e.Limit, r.Write.Minutes[0].Capacity = TableCapacity, telemetry.ProvisionedLimit, 2000
			},
			"raise_provisioned tune_auto_scaling switch_to_on_demand", "sharding keys, waiting for a split", "raise orders to 4,500 WCU",
		},
		{"scan", func(_ *Table, _ *Resource, e *Event) {
			e.Cause, e.Limit, e.Direction, e.Contributing = TableCapacity, telemetry.ProvisionedLimit, telemetry.Read, []Factor{ScanFactor}
		}, "limit_scan", "more capacity for the scan, sharding keys, waiting for a split", ""},
		{"on-demand maximum", func(t *Table, r *Resource, e *Event) {
			t.Mode, e.Cause, e.Limit, r.Write.Minutes[0].Capacity = telemetry.ModeOnDemand, TableCapacity, telemetry.MaxOnDemandLimit, 1000
		}, "raise_on_demand_maximum", "pre-warming, more retries, sharding keys", "raise the on-demand maximum of orders to 3,500 writes/s"},
		{"quota", func(_ *Table, _ *Resource, e *Event) {
			e.Cause, e.Limit, e.Demand.Likely = AccountQuota, telemetry.AccountLimit, 44000
		}, "request_quota pace_bulk_load", "more table capacity, sharding keys", "request a table-level write quota of 55,000"},
		{
			"full index partition", onIndex(telemetry.KeyRangeLimit, telemetry.Write),
			"shard_index_key trim_projection", "more table capacity, more index capacity, more retries", "shard TENANT#123 in index by-status over 6 keys",
		},
		{
			"index reads are never told to be eventual", onIndex(telemetry.KeyRangeLimit, telemetry.Read),
			"cache_reads shard_index_key", "more table capacity, more index capacity, eventually consistent reads", "",
		},
		{
			"index capacity", onIndex(telemetry.ProvisionedLimit, telemetry.Write),
			"raise_index_capacity tune_auto_scaling trim_projection", "more table capacity, sharding the table's key, more retries", "raise index by-status of orders to 10,000 WCU",
		},
		{
			"undetermined", func(_ *Table, r *Resource, e *Event) { e.Cause, e.Keys, r.Write.Keys = Undetermined, nil, nil },
			"enable_insights back_off_retries", "raising capacity on a guess", "turn on Contributor Insights on orders",
		},
		{"note", func(_ *Table, _ *Resource, e *Event) { e.Confidence = 0.2 }, "back_off_retries", "", "do nothing: let clients retry with backoff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := advised(tt.change)
			if got := actions(e); got != tt.actions {
				t.Errorf("actions %q, want %q", got, tt.actions)
			}
			if got := fixes(e); got != tt.wont {
				t.Errorf("won't help %q, want %q", got, tt.wont)
			}
			if got := e.Recommendations[0].Summary; tt.firstIsInDetail != "" && got != tt.firstIsInDetail {
				t.Errorf("first advice %q, want %q", got, tt.firstIsInDetail)
			}
		})
	}
}

func TestAdviceOnACuredEventIsUnhurried(t *testing.T) {
	e := advised(func(_ *Table, _ *Resource, e *Event) {
		e.Cause, e.Ongoing, e.Splitting = HotPartition, false, &Splitting{Cures: true, Why: "it has split"}
	})
	if e.Recommendations[0].Stage != DoNothing {
		t.Errorf("first stage is %q", e.Recommendations[0].Stage)
	}
	for _, r := range e.Recommendations[1:] {
		if r.Stage == RelieveNow {
			t.Errorf("%s is still urgent", r.Action)
		}
	}
}

func TestCommandsCanBePasted(t *testing.T) {
	strange := func(_ *Table, _ *Resource, e *Event) { e.Resource.Table = "o'hara; rm -rf $HOME" }
	tests := []struct {
		name   string
		change func(*Table, *Resource, *Event)
		want   string
	}{
		{
			"table capacity keeps the reads", func(_ *Table, _ *Resource, e *Event) { e.Cause, e.Limit = TableCapacity, telemetry.ProvisionedLimit },
			"aws dynamodb update-table --region eu-west-1 --table-name orders --provisioned-throughput ReadCapacityUnits=5000,WriteCapacityUnits=10000",
		},
		{
			"index capacity", onIndex(telemetry.ProvisionedLimit, telemetry.Write),
			`aws dynamodb update-table --region eu-west-1 --table-name orders --global-secondary-index-updates ` +
				`'[{"Update":{"IndexName":"by-status","ProvisionedThroughput":{"ReadCapacityUnits":5000,"WriteCapacityUnits":10000}}}]'`,
		},
		{
			"index on-demand maximum", onIndex(telemetry.MaxOnDemandLimit, telemetry.Read),
			`aws dynamodb update-table --region eu-west-1 --table-name orders --global-secondary-index-updates ` +
				`'[{"Update":{"IndexName":"by-status","OnDemandThroughput":{"MaxReadRequestUnits":6000}}}]'`,
		},
		{
			"insights with a mode", func(_ *Table, r *Resource, e *Event) { e.Cause, r.Write.Keys = Undetermined, nil },
			"aws dynamodb update-contributor-insights --region eu-west-1 --table-name orders --contributor-insights-action ENABLE --contributor-insights-mode ACCESSED_AND_THROTTLED_KEYS",
		},
		{
			"quota", func(_ *Table, _ *Resource, e *Event) { e.Cause, e.Limit = AccountQuota, telemetry.AccountLimit },
			"aws service-quotas get-service-quota --region eu-west-1 --service-code dynamodb --quota-code L-AB614373",
		},
		{
			"names are quoted for a shell", strange,
			`aws cloudwatch get-metric-statistics --region eu-west-1 --namespace AWS/DynamoDB --metric-name WriteKeyRangeThroughputThrottleEvents ` +
				`--dimensions 'Name=TableName,Value=o'\''hara; rm -rf $HOME' --statistics Sum --period 60 --start-time 2026-03-02T23:31:00Z --end-time 2026-03-03T23:31:00Z`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, advised(tt.change).Recommendations[0].Commands[0]); diff != "" {
				t.Errorf("command (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCapacityIsNotSetWhereTheOtherHalfIsUnknown(t *testing.T) {
	e := advised(func(t *Table, r *Resource, e *Event) {
		e.Cause, e.Limit, t.Description, r.Read.Minutes = TableCapacity, telemetry.ProvisionedLimit, nil, nil
	})
	for _, c := range e.Recommendations[0].Commands {
		if strings.Contains(c, "update-table") {
			t.Errorf("sets a capacity that nobody knows: %s", c)
		}
	}
}

// contractParameters are those that the contract lists for each action.
var contractParameters = map[Action][]string{
	WaitForSplit: {"minutes"}, ShardKey: {"shards", "suffix"}, ShardIndexKey: {"shards"}, CacheReads: {"hit_ratio"},
	EventuallyConsistentReads: {}, RedesignKey: {}, TimeBucketKey: {"bucket_seconds"},
	RaiseProvisioned: {"read_units", "write_units"}, RaiseIndexCapacity: {"read_units", "write_units"},
	RaiseOnDemandMaximum: {"read_units", "write_units"}, Prewarm: {"read_units", "write_units"},
	SwitchToOnDemand: {}, TuneAutoScaling: {"maximum", "minimum", "target_percent"}, TrimProjection: {},
	ShrinkItem: {"item_bytes"}, SplitItem: {"item_bytes"}, OffloadToS3: {"item_bytes"},
	PaceBulkLoad: {"units_per_second"}, LimitScan: {"units_per_second"}, BackOffRetries: {"attempts"},
	RequestQuota: {"quota_code", "units"}, EnableInsights: {"mode"},
}

// TestAdviceHoldsForEveryCombination walks all causes, limits, factors and directions,
// with and without data, and checks what every recommendation promises.
func TestAdviceHoldsForEveryCombination(t *testing.T) {
	factors := []Factor{
		"", RetryAmplification, LargeItemFactor, HotKeyFactor, SubMinuteBurst, AutoScalingLag, AutoScalingAtMaximum, ScaledIn,
		OnDemandNewPeak, TooFewPartitions, RollingKey, SplitInProgress, Unsplittable, ScanFactor, ReplicatedWrites, GSIBackPressure,
	}
	limits := append(slices.Clone(telemetry.Limits[:]), telemetry.UnknownLimit)
	seen := map[Action]bool{}
	for _, cause := range Causes {
		for _, limit := range limits {
			for _, factor := range factors {
				for _, dir := range telemetry.Directions {
					for _, bare := range []bool{false, true} {
						e := advised(func(t *Table, r *Resource, e *Event) {
							e.Cause, e.Limit, e.Direction, e.Contributing = cause, limit, dir, []Factor{factor}
							if cause == GSIPressure {
								e.Resource.Index = "by-status"
							}
							if bare {
								*t, e.Keys, e.Demand, e.Hottest = Table{ID: t.ID}, nil, nil, nil
								*r = Resource{Read: &Load{}, Write: &Load{}}
							}
						})
						checkAdvice(t, e, seen)
					}
				}
			}
		}
	}
	delete(seen, "")
	if len(seen) < len(contractParameters)-1 { // wait_for_split needs a split in sight
		t.Errorf("only %d of %d actions are ever advised: %v", len(seen), len(contractParameters), seen)
	}
}

func checkAdvice(t *testing.T, e *Event, seen map[Action]bool) {
	t.Helper()
	if len(e.Recommendations) == 0 {
		t.Errorf("%s %s: no advice", e.Cause, e.Limit)
	}
	for i, r := range e.Recommendations {
		seen[r.Action] = true
		names := []string{}
		for name := range r.Parameters {
			names = append(names, name)
		}
		slices.Sort(names)
		if diff := cmp.Diff(contractParameters[r.Action], names); diff != "" {
			t.Errorf("%s %s: parameters of %s:\n%s", e.Cause, e.Limit, r.Action, diff)
		}
		if _, err := json.Marshal(r.Parameters); err != nil {
			t.Errorf("%s: %v", r.Action, err)
		}
		if r.Summary == "" || r.Why == "" || r.Verify == "" || r.Parameters == nil {
			t.Errorf("%s says too little: %+v", r.Action, r)
		}
		if i > 0 && slices.Index(stages, r.Stage) < slices.Index(stages, e.Recommendations[i-1].Stage) {
			t.Errorf("%s comes after a later stage", r.Action)
		}
		if r.Action == EventuallyConsistentReads && e.Resource.Index != "" {
			t.Error("eventually consistent reads on an index")
		}
		for _, c := range r.Commands {
			if !strings.HasPrefix(c, "aws ") || !strings.Contains(c, "--region eu-west-1") {
				t.Errorf("command %q", c)
			}
		}
	}
}

func TestFriendlyNumbersRoundUp(t *testing.T) {
	for x, want := range map[float64]float64{0: 1, 0.2: 1, 7.3: 8, 20: 20, 21: 25, 857: 900, 3421: 3500, 41200: 45000, 14000: 15000} {
		if got := friendly(x); got != want {
			t.Errorf("friendly(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for word, want := range map[string]string{"orders": "orders", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "A=1,B=2": "A=1,B=2", "\n": "'\n'"} {
		if got := shellQuote(word); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", word, got, want)
		}
	}
}

func TestShardsLeaveRoomForTheirNeighbours(t *testing.T) {
	e := advised(func(_ *Table, r *Resource, e *Event) {
		r.Partitions = Partitions{Low: 400, Likely: 400, High: 400}
		r.Write.Rows = []*Row{{Keys: []telemetry.Key{{Partition: "TENANT#123"}}, Count: 1, Peak: 1000}, {Count: 3, Peak: 400}}
	})
	if got := e.Recommendations[0].Parameters["shards"]; got != 6 {
		t.Errorf("shards %v, want 6: 2,600 with headroom in rooms of 600", got)
	}
}

func TestShardsMayMeetOnFewPartitions(t *testing.T) {
	for _, c := range []struct{ partitions, want int }{{8, 6}, {400, 4}} {
		e := advised(func(_ *Table, r *Resource, e *Event) {
			r.Partitions = Partitions{Low: c.partitions, Likely: c.partitions, High: c.partitions}
		})
		if got := e.Recommendations[0].Parameters["shards"]; got != c.want {
			t.Errorf("%d partitions: %v shards, want %d", c.partitions, got, c.want)
		}
	}
}

func TestWaitEndsWithTheLatestSplit(t *testing.T) {
	e := advised(func(_ *Table, _ *Resource, e *Event) { e.Splitting = &Splitting{Cures: true} })
	if got := e.Recommendations[0].Parameters["minutes"]; got != 20 {
		t.Errorf("minutes %v, want 20", got)
	}
	if e.Start.Add(20 * time.Minute).Before(e.End) {
		t.Error("the fixture is too long for the wait to make sense")
	}
}
