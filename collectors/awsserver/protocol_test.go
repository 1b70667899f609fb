package awsserver

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/schemas"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/smithy-go/transport/http/protocol/awsjson"
	"github.com/aws/smithy-go/transport/http/protocol/awsquery"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var start = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// small is a table with one series and one rule over ten minutes.
func small() telemetry.Batch {
	id := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}
	const rule = "DynamoDBContributorInsights-PKC-orders-1741797475257"
	b := telemetry.Batch{
		Window:   telemetry.Window{Start: start, End: start.Add(10 * time.Minute), Period: time.Minute},
		Tables:   []telemetry.Table{{ID: id, Status: "ACTIVE", Mode: telemetry.ModeOnDemand}},
		Insights: []telemetry.Insights{{Resource: id.Resource(), Status: "ENABLED", Rules: []string{rule}}},
	}
	series := telemetry.Series{ID: telemetry.SeriesID{Resource: id.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum}, Period: time.Minute, Status: telemetry.Complete}
	var early, late []telemetry.Point
	for i := range 10 {
		at := start.Add(time.Duration(i) * time.Minute)
		series.Points = append(series.Points, telemetry.Point{Time: at, Value: float64(i) + 0.5})
		early = append(early, telemetry.Point{Time: at, Value: float64(100 - 10*i)})
		late = append(late, telemetry.Point{Time: at, Value: float64(12 * i)})
	}
	b.Series = []telemetry.Series{series}
	b.Rankings = []telemetry.Ranking{{
		Resource: id.Resource(), Kind: telemetry.AccessedPartitionKeys, Rule: rule, KeyLabels: []string{"pk"},
		Contributors: []telemetry.Contributor{{Key: telemetry.Key{Partition: "early, <&>\x1b é"}, Points: early}, {Key: telemetry.Key{Partition: "late"}, Points: late}},
	}}
	return b
}

func client(s *Server, change func(*cloudwatch.Options)) *cloudwatch.Client {
	return cloudwatch.New(cloudwatch.Options{
		Region: "eu-west-1", HTTPClient: s.Client(), RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIAEXAMPLE", SecretAccessKey: "secret"}, nil
		}),
	}, change)
}

func metricData(t *testing.T, c *cloudwatch.Client, from, to time.Time, period int32) *cloudwatch.GetMetricDataOutput {
	t.Helper()
	out, err := c.GetMetricData(t.Context(), &cloudwatch.GetMetricDataInput{
		StartTime: &from, EndTime: &to,
		MetricDataQueries: []types.MetricDataQuery{{Id: aws.String("m0"), MetricStat: &types.MetricStat{
			Metric: &types.Metric{
				Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String("ConsumedWriteCapacityUnits"),
				Dimensions: []types.Dimension{{Name: aws.String("TableName"), Value: aws.String("orders")}},
			},
			Period: &period, Stat: aws.String("Sum"),
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func report(t *testing.T, c *cloudwatch.Client, from, to time.Time) *cloudwatch.GetInsightRuleReportOutput {
	t.Helper()
	out, err := c.GetInsightRuleReport(t.Context(), &cloudwatch.GetInsightRuleReportInput{
		RuleName: aws.String("DynamoDBContributorInsights-PKC-orders-1741797475257"), StartTime: &from, EndTime: &to,
		Period: aws.Int32(60), MaxContributorCount: aws.Int32(1), OrderBy: aws.String("Maximum"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAllProtocolsTellTheSame(t *testing.T) {
	b := small()
	s := New(Config{Batch: b, Now: func() time.Time { return b.Window.End }})
	cbor := client(s, func(*cloudwatch.Options) {})
	others := map[string]*cloudwatch.Client{
		"json":  client(s, func(o *cloudwatch.Options) { o.Protocol = awsjson.New10(schemas.GraniteServiceVersion20100801) }),
		"query": client(s, func(o *cloudwatch.Options) { o.Protocol = awsquery.New(schemas.GraniteServiceVersion20100801) }),
	}
	data := metricData(t, cbor, start, b.Window.End, 60)
	keys := report(t, cbor, start, b.Window.End)
	if n := len(data.MetricDataResults[0].Values); n != 10 {
		t.Fatalf("%d points", n)
	}
	for name, other := range others {
		ignored := cmpopts.IgnoreUnexported(types.MetricDataResult{}, types.InsightRuleContributor{}, types.InsightRuleContributorDatapoint{})
		if diff := cmp.Diff(data.MetricDataResults, metricData(t, other, start, b.Window.End, 60).MetricDataResults, ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: metrics differ:\n%s", name, diff)
		}
		// XML can't carry control characters, so this key is told without.
		if name == "query" {
			continue
		}
		if diff := cmp.Diff(keys.Contributors, report(t, other, start, b.Window.End).Contributors, ignored); diff != "" {
			t.Errorf("%s: keys differ:\n%s", name, diff)
		}
	}
}

func TestKeysAreRankedAnewForTheTimeAskedFor(t *testing.T) {
	b := small()
	c := client(New(Config{Batch: b, Now: func() time.Time { return b.Window.End }}), func(*cloudwatch.Options) {})
	for minute, want := range map[int]string{0: b.Rankings[0].Contributors[0].Key.Partition, 7: "late"} {
		from := start.Add(time.Duration(minute) * time.Minute)
		if got := report(t, c, from, from.Add(3*time.Minute)).Contributors; len(got) != 1 || got[0].Keys[0] != want {
			t.Errorf("minute %d: got %v", minute, got)
		}
	}
}

func TestPointsAreToldOnlyWhenTheyArePublished(t *testing.T) {
	b := small()
	now := start.Add(6 * time.Minute)
	c := client(New(Config{Batch: b, Now: func() time.Time { return now }, Delay: 2 * time.Minute}), func(*cloudwatch.Options) {})
	if n := len(metricData(t, c, start, b.Window.End, 60).MetricDataResults[0].Values); n != 4 {
		t.Errorf("%d points are told, want 4", n)
	}
}

func TestTimesAreMovedToWhereTheyBegin(t *testing.T) {
	b := small()
	begin := start.Add(24 * time.Hour)
	c := client(New(Config{Batch: b, Begin: begin, Now: func() time.Time { return begin.Add(time.Hour) }}), func(*cloudwatch.Options) {})
	got := metricData(t, c, begin, begin.Add(10*time.Minute), 60).MetricDataResults[0]
	if len(got.Timestamps) != 10 || !got.Timestamps[9].Equal(begin) {
		t.Errorf("got %v", got.Timestamps)
	}
}

func TestLongerPeriodsAreCombined(t *testing.T) {
	b := small()
	c := client(New(Config{Batch: b, Now: func() time.Time { return b.Window.End }}), func(*cloudwatch.Options) {})
	if got := metricData(t, c, start, b.Window.End, 300).MetricDataResults[0].Values; len(got) != 2 || got[1] != 12.5 {
		t.Errorf("got %v", got)
	}
}
