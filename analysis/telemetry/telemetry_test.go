package telemetry_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var start = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func at(minute int, value float64) telemetry.Point {
	return telemetry.Point{Time: start.Add(time.Duration(minute) * time.Minute), Value: value}
}

func TestUnitsAndRatesConvertByPeriod(t *testing.T) {
	if got := telemetry.Units(60000).Per(time.Minute); got != 1000 {
		t.Errorf("60,000 units a minute are %v a second", got)
	}
	if got := telemetry.Rate(1000).Over(5 * time.Minute); got != 300000 {
		t.Errorf("1,000 a second are %v in five minutes", got)
	}
	if got := telemetry.Units(1).Per(0); got != 0 {
		t.Errorf("a unit over no time is %v, want 0", got)
	}
}

func TestShardOpenedReadsTheMillisecondsOfAnID(t *testing.T) {
	for id, want := range map[string]time.Time{
		"shardId-00000001772445900000-1a2b3c4d": time.Date(2026, 3, 2, 10, 5, 0, 0, time.UTC),
		"shardId-00000000000000000000-1a2b3c4d": {},
		"shardId-00008001772445900000-1a2b3c4d": {}, // the year 255546
		"shardId-1772445900000-1a2b3c4d":        {},
		"":                                      {},
	} {
		if got := telemetry.ShardOpened(id); !got.Equal(want) {
			t.Errorf("ShardOpened(%s) = %v, want %v", id, got, want)
		}
	}
}

func TestParseARN(t *testing.T) {
	table := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}
	for arn, want := range map[string]telemetry.ResourceID{
		"arn:aws:dynamodb:eu-west-1:111122223333:table/orders":                                table.Resource(),
		"arn:aws:dynamodb:eu-west-1:111122223333:table/orders/index/by-status":                table.WithIndex("by-status"),
		"arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/2025-01-01T00:00:00.000": table.Resource(),
	} {
		if got, ok := telemetry.ParseARN(arn); !ok || got != want {
			t.Errorf("ParseARN(%s) = %v, %v", arn, got, ok)
		}
	}
	for _, arn := range []string{"", "orders", "arn:aws:s3:::bucket", "arn:aws:dynamodb:r:a:table/", "arn:aws:dynamodb:r:a:global/x"} {
		if got, ok := telemetry.ParseARN(arn); ok {
			t.Errorf("ParseARN(%q) = %v, want not ok", arn, got)
		}
	}
}

func TestRuleKindIsReadFromTheName(t *testing.T) {
	for name, want := range map[string]telemetry.RuleKind{
		"DynamoDBContributorInsights-PKC-orders-1765404941187":                telemetry.AccessedPartitionKeys,
		"DynamoDBContributorInsights-SKT-a-PKC-b-1765404941187":               telemetry.ThrottledItems,
		"DynamoDBContributorInsights-SKC-prod.cart-items.live-1765404941187":  telemetry.AccessedItems,
		"DynamoDBContributorInsights-PKT-orders-by-status-index-176540494118": telemetry.ThrottledPartitionKeys,
	} {
		if got, ok := telemetry.RuleKindOf(name); !ok || got != want {
			t.Errorf("RuleKindOf(%s) = %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "MyRule", "DynamoDBContributorInsights-XXX-orders-1", "DynamoDBContributorInsights-PKC"} {
		if got, ok := telemetry.RuleKindOf(name); ok {
			t.Errorf("RuleKindOf(%q) = %v, want not ok", name, got)
		}
	}
}

func TestSortPointsKeepsTheLastOfEachTime(t *testing.T) {
	got := telemetry.SortPoints([]telemetry.Point{at(2, 1), at(1, 1), at(2, 7), at(0, 3)})
	if diff := cmp.Diff([]telemetry.Point{at(0, 3), at(1, 1), at(2, 7)}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAbsentPointsMeanZeroOnlyForCounters(t *testing.T) {
	for _, m := range telemetry.Metrics {
		consumed := m == telemetry.Consumed(telemetry.Read) || m == telemetry.Consumed(telemetry.Write)
		if consumed && m.AbsentMeansZero() {
			t.Errorf("%s: a missing point must be unknown", m)
		}
	}
	for _, d := range telemetry.Directions {
		for _, l := range append(telemetry.Limits[:], telemetry.UnknownLimit) {
			if m := telemetry.ThrottleEvents(d, l); !m.AbsentMeansZero() {
				t.Errorf("%s: a missing point must be zero", m)
			}
		}
	}
}

// TestMinutesAddUpToTheBatch puts the steps together again and compares.
func TestMinutesAddUpToTheBatch(t *testing.T) {
	table := telemetry.TableID{Table: "orders"}
	id := telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum}
	whole := telemetry.Batch{
		Window: telemetry.Window{Start: start, End: start.Add(5 * time.Minute), Period: time.Minute},
		Tables: []telemetry.Table{{ID: table}},
		Series: []telemetry.Series{{ID: id, Period: time.Minute, Points: []telemetry.Point{at(-1, 9), at(0, 1), at(2, 3), at(4, 5), at(7, 9)}}},
		Rankings: []telemetry.Ranking{{
			Resource: table.Resource(), Kind: telemetry.AccessedPartitionKeys,
			Contributors: []telemetry.Contributor{{Key: telemetry.Key{Partition: "k"}, Points: []telemetry.Point{at(1, 2), at(3, 4)}}},
		}},
		Activities: []telemetry.ScalingActivity{{Start: start.Add(3 * time.Minute)}, {Start: start.Add(-time.Hour)}},
		Marks:      []telemetry.Mark{{At: start.Add(2 * time.Minute), Text: "b"}, {At: start.Add(-time.Hour), Text: "a"}, {At: start.Add(time.Hour), Text: "later"}},
	}
	var points, ranked []telemetry.Point
	var steps, activities, described int
	marks := map[string]int{}
	for b := range telemetry.Minutes(whole) {
		if want := start.Add(time.Duration(steps) * time.Minute); !b.Window.Start.Equal(want) || b.Window.End.Sub(b.Window.Start) != time.Minute {
			t.Fatalf("step %d spans %v", steps, b.Window)
		}
		for _, m := range b.Marks {
			marks[m.Text] = steps
		}
		steps++
		points = append(points, b.Series[0].Points...)
		for _, c := range b.Rankings[0].Contributors {
			ranked = append(ranked, c.Points...)
		}
		activities += len(b.Activities)
		described += len(b.Tables)
	}
	if steps != 5 || activities != 2 || described != 1 {
		t.Errorf("%d steps, %d activities, %d descriptions", steps, activities, described)
	}
	if diff := cmp.Diff(map[string]int{"a": 0, "b": 2}, marks); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]telemetry.Point{at(0, 1), at(2, 3), at(4, 5)}, points); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]telemetry.Point{at(1, 2), at(3, 4)}, ranked); diff != "" {
		t.Error(diff)
	}
}

func TestThousandsAreGroupedWithCommas(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999.4: "999", 1000: "1,000", -1234: "-1,234", -999: "-999", 45425548: "45,425,548"} {
		if got := telemetry.Thousands(x); got != want {
			t.Errorf("Thousands(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestWordsAreTheFieldsOwn(t *testing.T) {
	for name, want := range map[telemetry.Limit]string{telemetry.KeyRangeLimit: "key range", telemetry.MaxOnDemandLimit: "on-demand maximum", "gsi_pressure": "GSI pressure"} {
		if got := telemetry.Words(name); got != want {
			t.Errorf("%s is written %q, want %q", name, got, want)
		}
	}
}
