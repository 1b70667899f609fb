package capture

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode puts arbitrary content into each kind of file in turn. Whatever it
// is: no panic, a batch that can be written as JSON, points in order and within
// the years of RFC 3339, and the same again for the same input.
func FuzzDecode(f *testing.F) {
	for kind, seeds := range map[string][]string{
		kindTable:      {ordersTable, `{"TableDescription":{"TableArn":"arn:aws:dynamodb::::table/"}}`},
		kindLimits:     {limits},
		kindQueries:    {writesQuery, `{"MetricDataQueries":[{"Id":"m1"}]}`},
		kindAnswer:     {writesAnswer, "\xff\xfe{\x00}\x00", `[{"MetricDataResults":[{"Timestamps":[1e308,-1,"1772445840000"],"Values":["1",2e-9,3,]}]},`},
		kindInsights:   {state("orders", "by-status", "ENABLED", "", `"DynamoDBContributorInsights-PKC-orders-1"`)},
		kindReport:     {report(`"pk","sk"`, `["{\"S\":\"a\"}"]`), emptyReport},
		kindStream:     {`{"StreamDescription":{"TableName":"orders","Shards":[{"ShardId":"shardId-00000001772445840000-0000aaaa"}]}}`},
		kindTargets:    {`{"ScalableTargets":[{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","MinCapacity":"4"}]}`},
		kindPolicies:   {`{"ScalingPolicies":[{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}}]}`},
		kindActivities: {`{"ScalingActivities":[{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","StartTime":1,"Description":"Setting write capacity units to 9999999999999999999."}]}`},
		kindStatistics: {throttleStatistics},
		kindGrafana:    {"Time,orders WriteThrottleEvents Sum\n1772445900000,58.2 K\n", "Series;Time;Value\norders WriteThrottleEvents;2026-03-02T10:05:00.000Z;300,5\n"},
		kindCapture:    {`{"start":"2026-03-02T10:00:00Z","end":9999999999,"fetched_at":"x","account":1,"region":null}`},
	} {
		for _, seed := range seeds {
			f.Add(kind, "DynamoDBContributorInsights-PKC-orders-1", []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, kind, suffix string, content []byte) {
		dir := directory(nil)
		dir["fuzz.csv"] = &fstest.MapFile{Data: content}
		dir[kind+"."+suffix+".json"] = &fstest.MapFile{Data: content}
		dir[kind+".json"] = &fstest.MapFile{Data: content}
		first, err := Decode(dir, "fuzz")
		if err != nil {
			return
		}
		if _, err := json.Marshal(first); err != nil {
			t.Errorf("write the batch: %v", err)
		}
		for _, s := range first.Series {
			if s.Period <= 0 {
				t.Errorf("%v: period %s", s.ID, s.Period)
			}
			for i := 1; i < len(s.Points); i++ {
				if !s.Points[i-1].Time.Before(s.Points[i].Time) {
					t.Errorf("%v: points out of order at %d", s.ID, i)
				}
			}
		}
		if w := first.Window; w.Period <= 0 || w.End.Before(w.Start) || w.End.Sub(w.Start) > maxSteps*w.Period {
			t.Errorf("window %v", w)
		}
		second, err := Decode(dir, "fuzz")
		if diff := cmp.Diff(first, second); diff != "" || err != nil {
			t.Errorf("the second time: %v\n%s", err, diff)
		}
	})
}
