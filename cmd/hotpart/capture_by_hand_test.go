package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

var (
	captureOf     = flag.String("capture-of", "", "write a capture of these recordings, by hand: a `pattern` of paths, or a built-in name")
	captureTo     = flag.String("capture-to", "", "the `directory` of that capture")
	capturePeriod = flag.Duration("capture-period", time.Minute, "its metrics' period")
)

// TestCaptureByHand writes what the AWS CLI would print about the tables of some
// recordings, to try or measure capture directories of any size:
//
//	go test ./cmd/hotpart -run TestCaptureByHand -capture-of hot-key-tenant -capture-to /tmp/capture
func TestCaptureByHand(t *testing.T) {
	if *captureOf == "" {
		t.Skip("no -capture-of")
	}
	paths, err := filepath.Glob(*captureOf)
	if err != nil || len(paths) == 0 {
		paths = []string{*captureOf}
	}
	if err := os.MkdirAll(*captureTo, 0o700); err != nil {
		t.Fatal(err)
	}
	for n, path := range paths {
		writeCapture(t, *captureTo, n, whole(t, path))
	}
}

// writeCapture asks for everything that a batch has and saves the answers, in files
// of the suffix n.
func writeCapture(t *testing.T, dir string, n int, b telemetry.Batch) {
	now := b.Window.End.Add(time.Hour)
	server := awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return now }})
	config := aws.Config{
		Region: b.Tables[0].ID.Region, HTTPClient: server.Client(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIAEXAMPLE", SecretAccessKey: "secret"}, nil
		}),
	}
	tables, metrics := dynamodb.NewFromConfig(config), cloudwatch.NewFromConfig(config)
	save := func(kind string, answer any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(kind, err)
		}
		text, err := json.MarshalIndent(answer, "", "    ")
		if err != nil {
			t.Fatal(kind, err)
		}
		// The CLI writes UTC so.
		text = []byte(strings.ReplaceAll(string(text), `Z"`, `+00:00"`))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d.json", kind, n)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := &b.Tables[0].ID.Table
	described, err := tables.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: name})
	save("describe-table", described, err)
	limits, err := tables.DescribeLimits(t.Context(), &dynamodb.DescribeLimitsInput{})
	save("describe-limits", limits, err)
	for i, insights := range b.Insights {
		in := &dynamodb.DescribeContributorInsightsInput{TableName: name}
		if insights.Resource.Index != "" {
			in.IndexName = &insights.Resource.Index
		}
		state, err := tables.DescribeContributorInsights(t.Context(), in)
		save(fmt.Sprintf("describe-contributor-insights.%d", i), state, err)
		for _, rule := range insights.Rules {
			report, err := metrics.GetInsightRuleReport(t.Context(), &cloudwatch.GetInsightRuleReportInput{
				RuleName: &rule, StartTime: &b.Window.Start, EndTime: &b.Window.End, Period: aws.Int32(60), MaxContributorCount: aws.Int32(25), OrderBy: aws.String("Maximum"),
			})
			save("insight-report."+rule, report, err)
		}
	}
	queries := captureQueries(b)
	answer := &cloudwatch.GetMetricDataOutput{}
	for first := 0; first < len(queries); first += 500 {
		pages := cloudwatch.NewGetMetricDataPaginator(metrics, &cloudwatch.GetMetricDataInput{
			StartTime: &b.Window.Start, EndTime: &b.Window.End, MetricDataQueries: queries[first:min(first+500, len(queries))],
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			answer.MetricDataResults = append(answer.MetricDataResults, page.MetricDataResults...)
		}
	}
	save("metric-data-queries", queries, nil)
	save("get-metric-data", answer, nil)
}

// captureQueries ask for every series of a batch.
func captureQueries(b telemetry.Batch) []cwtypes.MetricDataQuery {
	var queries []cwtypes.MetricDataQuery
	for i, s := range b.Series {
		var dimensions []cwtypes.Dimension
		for _, d := range [][2]string{
			{"TableName", s.ID.Resource.Table},
			{"GlobalSecondaryIndexName", s.ID.Resource.Index},
			{"Operation", s.ID.Operation},
			{"Source", s.ID.Traffic},
		} {
			if d[1] != "" {
				dimensions = append(dimensions, cwtypes.Dimension{Name: &d[0], Value: &d[1]})
			}
		}
		period := max(s.Period, *capturePeriod)
		queries = append(queries, cwtypes.MetricDataQuery{Id: aws.String(fmt.Sprintf("m%d", i)), MetricStat: &cwtypes.MetricStat{
			Metric: &cwtypes.Metric{Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String(string(s.ID.Metric)), Dimensions: dimensions},
			Period: aws.Int32(int32(period / time.Second)), Stat: aws.String(string(s.ID.Stat)),
		}})
	}
	return queries
}
