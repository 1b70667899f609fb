package replay

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var base = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// table is the one that the tests record.
var table = telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}

// minute is a small batch of one minute, n minutes after base.
func minute(n int) telemetry.Batch {
	start := base.Add(time.Duration(n) * time.Minute)
	rate := telemetry.Rate(1000)
	return telemetry.Batch{
		Source:    telemetry.Source{Kind: telemetry.SourceLive, Name: "orders"},
		Window:    telemetry.Window{Start: start, End: start.Add(time.Minute), Period: time.Minute},
		FetchedAt: start.Add(3 * time.Minute),
		Tables: []telemetry.Table{{
			ID: table, Mode: telemetry.ModeProvisioned, Status: "ACTIVE",
			Capacity: telemetry.Capacity{Provisioned: telemetry.Throughput{Read: &rate, Write: &rate}},
		}},
		Series: []telemetry.Series{{
			ID:     telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum},
			Period: time.Minute, Status: telemetry.Complete,
			Points: []telemetry.Point{{Time: start, Value: 60000 + float64(n)}},
		}, {
			ID:     telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.WriteThrottleEvents, Stat: telemetry.Sum},
			Period: time.Minute, Status: telemetry.Complete,
		}},
		Rankings: []telemetry.Ranking{{
			Resource: table.Resource(), Kind: telemetry.AccessedPartitionKeys,
			Rule:         "DynamoDBContributorInsights-PKC-orders-1",
			KeyLabels:    []string{"pk"},
			Contributors: []telemetry.Contributor{{Key: telemetry.Key{Partition: "TENANT#<1>"}, Points: []telemetry.Point{{Time: start, Value: 180000}}}},
		}},
	}
}

// day is what a busy table with three indexes says in a day: per minute and
// resource 14 series and 25 contributors for each of four rules.
func day() []telemetry.Batch {
	resources := []telemetry.ResourceID{table.Resource(), table.WithIndex("gsi1"), table.WithIndex("gsi2"), table.WithIndex("gsi3")}
	var batches []telemetry.Batch
	for n := range 24 * 60 {
		b := minute(n)
		b.Series, b.Rankings = nil, nil
		for i, r := range resources {
			for j, m := range telemetry.Metrics[:14] {
				value := float64((n*31+j*17+i*7)%60000) + 0.5
				b.Series = append(b.Series, telemetry.Series{
					ID:     telemetry.SeriesID{Resource: r, Metric: m, Stat: telemetry.Sum},
					Period: time.Minute, Status: telemetry.Complete,
					Points: []telemetry.Point{{Time: b.Window.Start, Value: value}},
				})
			}
			for _, kind := range telemetry.RuleKinds {
				ranking := telemetry.Ranking{Resource: r, Kind: kind, Rule: "DynamoDBContributorInsights-" + string(kind) + "-" + r.String()}
				for c := range telemetry.MaxContributors {
					ranking.Contributors = append(ranking.Contributors, telemetry.Contributor{
						Key:    telemetry.Key{Partition: "CUSTOMER#" + string(rune('A'+c)) + "4711", Sort: "ORDER#2026-03-02"},
						Points: []telemetry.Point{{Time: b.Window.Start, Value: float64((n*13 + c*101) % 9000)}},
					})
				}
				b.Rankings = append(b.Rankings, ranking)
			}
		}
		batches = append(batches, b)
	}
	return batches
}

// The generators below fill every field of a batch.

func drawTime(t *rapid.T, what string) time.Time {
	if rapid.Bool().Draw(t, what+" is zero") {
		return time.Time{}
	}
	return base.Add(time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, what)))
}

func drawFloat(t *rapid.T, what string) float64 {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, 60000, 1e300, 5e-324, math.MaxFloat64, 0.1})).Draw(t, what)
}

func drawRate(t *rapid.T, what string) *telemetry.Rate {
	if rapid.Bool().Draw(t, what+" is nil") {
		return nil
	}
	r := telemetry.Rate(drawFloat(t, what))
	return &r
}

func drawThroughput(t *rapid.T, what string) telemetry.Throughput {
	return telemetry.Throughput{Read: drawRate(t, what+" read"), Write: drawRate(t, what+" write")}
}

func drawCapacity(t *rapid.T) telemetry.Capacity {
	return telemetry.Capacity{
		Provisioned: drawThroughput(t, "provisioned"), OnDemandMax: drawThroughput(t, "maximum"), Warm: drawThroughput(t, "warm"),
		LastIncrease: drawTime(t, "increase"), LastDecrease: drawTime(t, "decrease"), DecreasesToday: rapid.Int().Draw(t, "decreases"),
	}
}

func drawResource(t *rapid.T) telemetry.ResourceID {
	return table.WithIndex(rapid.SampledFrom([]string{"", "gsi1", "by.status"}).Draw(t, "index"))
}

func drawInt64(t *rapid.T, what string) *int64 {
	if rapid.Bool().Draw(t, what+" is nil") {
		return nil
	}
	n := rapid.Int64().Draw(t, what)
	return &n
}

func drawFloatPointer(t *rapid.T, what string) *float64 {
	if rapid.Bool().Draw(t, what+" is nil") {
		return nil
	}
	v := drawFloat(t, what)
	return &v
}

func drawPoints(t *rapid.T) []telemetry.Point {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) telemetry.Point {
		return telemetry.Point{Time: drawTime(t, "point"), Value: drawFloat(t, "value")}
	}), 0, 3).Draw(t, "points")
}

func drawTable(t *rapid.T) telemetry.Table {
	keys := []telemetry.KeyAttribute{{Name: "pk", Role: "HASH", Type: "S"}}
	projection := telemetry.Projection{Type: "INCLUDE", Attributes: []string{"a", "b"}}
	return telemetry.Table{
		ID: table, Status: "ACTIVE", Mode: rapid.SampledFrom([]telemetry.Mode{telemetry.ModeOnDemand, telemetry.ModeProvisioned}).Draw(t, "mode"),
		Keys: keys, Capacity: drawCapacity(t), SizeBytes: drawInt64(t, "size"), Items: drawInt64(t, "items"),
		Indexes: []telemetry.Index{{
			Name: "gsi1", Status: "CREATING", Backfilling: true, Keys: keys, Projection: projection,
			Capacity: drawCapacity(t), SizeBytes: drawInt64(t, "index size"), Items: drawInt64(t, "index items"),
		}},
		LocalIndexes: []telemetry.LocalIndex{{Name: "lsi1", Keys: keys, Projection: projection}},
		StreamARN:    "arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/x", Replicas: []string{"us-east-1"},
		Created: drawTime(t, "created"), SwitchedToOnDemand: drawTime(t, "switched"), At: drawTime(t, "at"),
	}
}

func drawRanking(t *rapid.T) telemetry.Ranking {
	return telemetry.Ranking{
		Resource: drawResource(t), Kind: rapid.SampledFrom(telemetry.RuleKinds[:]).Draw(t, "rule kind"),
		Rule: rapid.String().Draw(t, "rule"), KeyLabels: []string{"pk", "sk"},
		Start: drawTime(t, "start"), End: drawTime(t, "end"),
		Aggregate: drawFloatPointer(t, "aggregate"), Unique: drawFloatPointer(t, "unique"),
		Contributors: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) telemetry.Contributor {
			key := telemetry.Key{Partition: rapid.String().Draw(t, "p"), Sort: rapid.String().Draw(t, "s")}
			if rapid.Bool().Draw(t, "binary") {
				key.Partition = string(rapid.SliceOf(rapid.Byte()).Draw(t, "p bytes"))
			}
			return telemetry.Contributor{Key: key, Points: drawPoints(t)}
		}), 0, 3).Draw(t, "contributors"),
	}
}

func drawSeries(t *rapid.T) telemetry.Series {
	return telemetry.Series{
		ID: telemetry.SeriesID{
			Resource: drawResource(t), Metric: rapid.SampledFrom(telemetry.Metrics).Draw(t, "metric"), Stat: telemetry.Maximum,
			Operation: rapid.SampledFrom([]string{"", "PutItem"}).Draw(t, "operation"), Traffic: rapid.SampledFrom([]string{"", "GlobalTable"}).Draw(t, "traffic"),
		},
		Period: rapid.SampledFrom([]time.Duration{time.Minute, time.Hour, 0, 1}).Draw(t, "period"),
		Status: rapid.SampledFrom([]telemetry.Status{telemetry.Complete, telemetry.PartialData}).Draw(t, "status"),
		Points: drawPoints(t),
	}
}

func drawBatch(t *rapid.T) telemetry.Batch {
	start := base.Add(time.Duration(rapid.Int64Range(0, int64(400*24*time.Hour)).Draw(t, "window")))
	percent := 70.0
	few := func(what string) bool { return rapid.Bool().Draw(t, "has "+what) }
	b := telemetry.Batch{
		Source:    telemetry.Source{Kind: telemetry.SourceCapture, Name: rapid.String().Draw(t, "source")},
		Window:    telemetry.Window{Start: start, End: start.Add(rapid.SampledFrom([]time.Duration{0, time.Minute, 3 * time.Hour}).Draw(t, "span")), Period: time.Minute},
		FetchedAt: drawTime(t, "fetched"),
		Series:    rapid.SliceOfN(rapid.Custom(drawSeries), 0, 4).Draw(t, "series"),
		Rankings:  rapid.SliceOfN(rapid.Custom(drawRanking), 0, 2).Draw(t, "rankings"),
	}
	if few("tables") {
		b.Tables = []telemetry.Table{drawTable(t)}
	}
	if few("insights") {
		b.Insights = []telemetry.Insights{{Resource: drawResource(t), Status: "FAILED", Mode: "THROTTLED_KEYS", Rules: []string{"r"}, Updated: drawTime(t, "updated"), Failure: "f"}}
	}
	if few("quotas") {
		b.Quotas = []telemetry.Quotas{{Account: "1", Region: "r", PerTable: drawThroughput(t, "table"), PerAccount: drawThroughput(t, "account")}}
	}
	if few("shards") {
		b.Shards = []telemetry.Shards{{Table: table, Stream: "s", Truncated: true, Shards: []telemetry.Shard{{ID: "a", Parent: "b", Open: true, Opened: drawTime(t, "opened")}}}}
	}
	if few("targets") {
		b.Targets = []telemetry.ScalingTarget{{Resource: drawResource(t), Direction: telemetry.Read, Min: drawRate(t, "min"), Max: drawRate(t, "max"), Percent: &percent, Suspended: true}}
	}
	if few("activities") {
		b.Activities = []telemetry.ScalingActivity{{Resource: drawResource(t), Direction: telemetry.Write, Start: drawTime(t, "from"), End: drawTime(t, "to"), Capacity: drawRate(t, "capacity"), Status: "s", Description: "d", Cause: "c"}}
	}
	b.Earlier = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) telemetry.Earlier {
		s := drawSeries(t)
		return telemetry.Earlier{ID: s.ID, Ago: rapid.SampledFrom([]time.Duration{24 * time.Hour, 0}).Draw(t, "ago"), Period: s.Period, Points: s.Points}
	}), 0, 2).Draw(t, "earlier")
	if few("marks") {
		b.Marks = []telemetry.Mark{{At: drawTime(t, "marked"), Kind: telemetry.UpdateMark, Text: rapid.String().Draw(t, "mark"), Resource: drawResource(t)}}
	}
	if few("warnings") {
		b.Warnings = []telemetry.Warning{{Code: telemetry.Gap, Text: "a gap", Resource: drawResource(t)}}
	}
	return b
}
