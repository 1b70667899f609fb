package report

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

var fixtureStart = time.Date(2026, 3, 2, 23, 25, 0, 0, time.UTC)

var fixtureTable = telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}

// hostile is a key that attacks a terminal, a page and a Markdown table at once.
const hostile = "<script>alert(1)</script>\x1b[31m|`https://evil.example"

func at(minute int) time.Time { return fixtureStart.Add(time.Duration(minute) * time.Minute) }

// incident is a hot key that still stands, a warm pair that may share a partition, and
// a note, on a table with an index of which nothing is known.
func incident() *analysis.Diagnosis {
	table := &analysis.Table{ID: fixtureTable, Mode: telemetry.ModeProvisioned}
	write := fixtureLoad()
	table.Resources = []*analysis.Resource{
		{
			ID: fixtureTable.Resource(), Partitions: analysis.Partitions{Low: 4, Likely: 4, High: 8, Source: analysis.FromStreamShards},
			Read:  &analysis.Load{Direction: telemetry.Read, Ceiling: 3000, Peak: new(telemetry.Rate(310.25)), Minutes: []analysis.Minute{{ThrottleState: telemetry.Known}}},
			Write: write,
		},
		{
			ID: fixtureTable.WithIndex("by-status"), Partitions: analysis.Partitions{Low: 1, Likely: 4, High: 16, Source: analysis.Assumed},
			Read: &analysis.Load{Direction: telemetry.Read, Ceiling: 3000}, Write: &analysis.Load{Direction: telemetry.Write, Ceiling: 1000},
		},
	}
	table.Changes = []analysis.Change{{At: at(3), Resource: fixtureTable.Resource(), Text: "WCU 8,000→6,000 (auto scaling)"}}
	return &analysis.Diagnosis{
		Source: telemetry.Source{Kind: telemetry.SourceCapture, Name: "orders"},
		Window: telemetry.Window{Start: at(0), End: at(12), Period: time.Minute},
		Tables: []*analysis.Table{table},
		Events: []*analysis.Event{neighbours(), hotKey(), note()},
		Marks: []telemetry.Mark{
			{At: at(4), Kind: telemetry.NoteMark, Text: "deploy checkout v42 for TENANT#123"},
			{At: at(5), Kind: telemetry.UpdateMark, Text: hostile, Resource: fixtureTable.Resource()},
		},
		Warnings: []telemetry.Warning{
			{Code: telemetry.InsightsDisabled, Text: "orders/by-status: keys are not known", Resource: fixtureTable.WithIndex("by-status")},
			{Code: telemetry.Denied, Text: "list streams: " + hostile},
		},
	}
}

func fixtureLoad() *analysis.Load {
	l := &analysis.Load{Direction: telemetry.Write, Ceiling: 1000, Peak: new(telemetry.Rate(1460)), Throttled: 5312}
	hot := &analysis.Row{Keys: []telemetry.Key{{Partition: "TENANT#123"}}, Count: 1, Peak: 1000}
	pair := &analysis.Row{Keys: []telemetry.Key{{Partition: "TENANT#9"}, {Partition: hostile}}, Count: 1, Shared: true, Peak: 700}
	rest := &analysis.Row{Count: 2, Peak: 90}
	for i := range 12 {
		m := analysis.Minute{Start: at(i), State: telemetry.Known, ThrottleState: telemetry.Known, Consumed: 1400, Capacity: 6000}
		cells := []analysis.Cell{
			{State: telemetry.Known, Likely: telemetry.Rate(400 + 60*i)},
			{State: telemetry.Known, Likely: 700},
			{State: telemetry.Known, Likely: 90},
		}
		switch {
		case i == 2:
			cells = make([]analysis.Cell, 3)
		case i == 11:
			cells[0].State, cells[1].State, cells[2].State = telemetry.Pending, telemetry.Pending, telemetry.Pending
		case i >= 6:
			cells[0].Throttled, m.Throttled = 880, 880
		}
		for j, row := range []*analysis.Row{hot, pair, rest} {
			row.Cells = append(row.Cells, cells[j])
		}
		l.Minutes = append(l.Minutes, m)
	}
	l.Rows = []*analysis.Row{hot, pair, rest}
	l.Keys = []*analysis.KeyLoad{
		{Key: telemetry.Key{Partition: "TENANT#123"}, Peak: 950, Cells: ranked(950)},
		{Key: telemetry.Key{Partition: "TENANT#1"}, Peak: 40, Cells: ranked(40)},
	}
	return l
}

// ranked are the cells of a key that draws the same in every minute.
func ranked(rate telemetry.Rate) []analysis.Cell {
	return slices.Repeat([]analysis.Cell{{State: telemetry.Known, Likely: rate, Low: rate, High: rate}}, 12)
}

func hotKey() *analysis.Event {
	refused := 5120.0
	return &analysis.Event{
		ID:       "111122223333/eu-west-1/orders//write/2026-03-02T23:31:00Z",
		Resource: fixtureTable.Resource(), Direction: telemetry.Write, Start: at(6), End: at(12), Ongoing: true,
		Cause: analysis.HotKey, Limit: telemetry.KeyRangeLimit, Confidence: 0.97, ThrottledEvents: 5300,
		Contributing: []analysis.Factor{analysis.RetryAmplification},
		Keys: []analysis.EventKey{
			{Key: telemetry.Key{Partition: "TENANT#123"}, Rate: &analysis.Estimate{Likely: 940, Low: 900, High: 960}, ThrottledEvents: &refused, Pattern: "tenant"},
			{Key: telemetry.Key{Partition: "TENANT#1", Sort: "profile"}},
		},
		Refused: &analysis.Range{Low: 1.0 / 60, High: 1.0 / 6}, Demand: &analysis.Estimate{Likely: 2600.04, Low: 1000, High: 4000},
		Hottest:          &analysis.Hottest{Rate: 1000, Low: 960, High: 1017, Ceiling: 1000, At: at(8)},
		SecondsAtCeiling: &analysis.Range{Low: 40, High: 60},
		Users: &analysis.Users{Operations: []analysis.OperationUse{
			{Operation: "PutItem", Refused: new(5000.0), Succeeded: 8000, PerMinute: 1333, PerMinuteBefore: new(1400.0), Latency: new(5.12), LatencyBefore: new(4.9), Slowest: new(21.3), SlowestBefore: new(18.04)},
			{Operation: "DeleteItem", Succeeded: 12, PerMinute: 2},
		}, FailedConditions: new(7.0)},
		Splitting: &analysis.Splitting{Why: "nearly all of it is one item"},
		Evidence: []analysis.Evidence{
			{Supports: true, Text: "TENANT#123 alone draws 900 to 960 of the 1,000 WCU/s that one partition serves", Weight: 3},
			{Supports: false, Text: "2 refusals fall on TENANT#1", Weight: -0.5},
		},
		Context: []string{"23:29, 2 min before: deploy checkout v42 for TENANT#123"},
		Missing: []string{"the keys of the index are not known"},
		Recommendations: []analysis.Recommendation{
			{
				Action: analysis.ShardKey, Stage: analysis.FixThisWeek, Summary: "shard TENANT#123 over 4 keys (random suffix)",
				Parameters: map[string]any{"shards": 4, "suffix": "random"},
				Commands:   []string{"aws dynamodb query --table-name orders --key 'TENANT#123' --limit 1"},
				Why:        "about 2,600 WCU/s are wanted of one key", Tradeoff: "reads take 4 queries", Undo: "stop writing suffixes", Verify: "no refusals",
			},
			{Action: analysis.RedesignKey, Stage: analysis.Redesign, Summary: "choose another key", Parameters: map[string]any{}},
		},
		WontHelp: []analysis.WontHelp{{Fix: "more table capacity", Why: "only 1,400 of 6,000 are used"}},
	}
}

func neighbours() *analysis.Event {
	return &analysis.Event{
		ID:       "111122223333/eu-west-1/orders//write/2026-03-02T23:26:00Z",
		Resource: fixtureTable.Resource(), Direction: telemetry.Write, Start: at(1), End: at(4),
		Cause: analysis.HotPartition, Limit: telemetry.KeyRangeLimit, LimitInferred: true, Confidence: 0.6, ThrottledEvents: 12,
		Keys: []analysis.EventKey{{Key: telemetry.Key{Partition: "TENANT#9"}}, {Key: telemetry.Key{Partition: hostile}}},
	}
}

func note() *analysis.Event {
	return &analysis.Event{
		ID:       "111122223333/eu-west-1/orders//read/2026-03-02T23:27:00Z",
		Resource: fixtureTable.Resource(), Direction: telemetry.Read, Start: at(2), End: at(3),
		Cause: analysis.HotPartition, Limit: telemetry.KeyRangeLimit, Confidence: 0.2, ThrottledEvents: 1,
	}
}
