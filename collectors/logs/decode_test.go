package logs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const arn = "arn:aws:dynamodb:eu-west-1:111122223333:table/orders"

// told lists what a batch's series hold: resource, metric, operation and points.
func told(b telemetry.Batch) []string {
	var out []string
	for _, s := range b.Series {
		var text strings.Builder
		text.WriteString(s.ID.Resource.String() + " " + string(s.ID.Metric))
		if s.ID.Operation != "" {
			text.WriteString(" of " + s.ID.Operation)
		}
		for _, p := range s.Points {
			text.WriteString(fmt.Sprintf(" %s=%v", p.Time.Format("02T15:04"), p.Value))
		}
		out = append(out, text.String())
	}
	return out
}

// TestErrorsOfTheSDKsAreUnderstood has one record of each notation that was seen.
func TestErrorsOfTheSDKsAreUnderstood(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{
			"reasons as JSON", `2026-03-02T10:04:05.123Z ERROR {"ThrottlingReasons":[{"reason":"IndexWriteProvisionedThroughputExceeded","resource":"` + arn + `/index/by-status"}],"awsErrorDetails":{"errorCode":"ProvisionedThroughputExceeded"}}`,
			"orders/by-status WriteProvisionedThroughputThrottleEvents 02T10:04=1; orders/by-status WriteThrottleEvents 02T10:04=1",
		},
		{
			"reasons as Python prints them", "2026-03-02 10:04:05,835 - app - ERROR - {'message': '…', 'ThrottlingReasons': [{'reason': 'TableWriteKeyRangeThroughputExceeded', 'resource': '" + arn + "'}], 'Error': {'Code': 'ThrottlingException'}} when calling the PutItem operation (reached max retries: 9)",
			"orders ThrottledRequests of PutItem 02T10:04=1; orders WriteKeyRangeThroughputThrottleEvents 02T10:04=1; orders WriteThrottleEvents 02T10:04=1",
		},
		{
			"two reasons", `{"level":50,"time":1772445845010,"err":{"ThrottlingReasons":[{"reason":"TableReadKeyRangeThroughputExceeded","resource":"` + arn + `"},{"reason":"IndexReadAccountLimitExceeded","resource":"` + arn + `/index/a"}]}}`,
			"orders ReadKeyRangeThroughputThrottleEvents 02T10:04=1; orders ReadThrottleEvents 02T10:04=1; orders/a ReadAccountLimitThrottleEvents 02T10:04=1; orders/a ReadThrottleEvents 02T10:04=1",
		},
		{
			"reasons within a string", `{"timestamp":1772445845010,"message":"{\"reason\":\"TableReadMaxOnDemandThroughputExceeded\",\"resource\":\"` + arn + `\"}"}`,
			"orders ReadMaxOnDemandThroughputThrottleEvents 02T10:04=1; orders ReadThrottleEvents 02T10:04=1",
		},
		{
			"Go, one line", `time=2026-03-02T10:04:30.819Z level=ERROR error="operation error DynamoDB: PutItem, exceeded maximum number of attempts, 10, https response error StatusCode: 400, RequestID: GP7EABCDEFGHIJKLMNOP, api error ThrottlingException: Throughput exceeds the current capacity of your table or index." table=x`,
			"TABLE ThrottledRequests of PutItem 02T10:04=1; TABLE WriteKeyRangeThroughputThrottleEvents 02T10:04=1; TABLE WriteThrottleEvents 02T10:04=1",
		},
		{
			"JavaScript over several lines", "2026-03-02T10:04:05.392Z ERROR GetItemCommand failed\n{\n  code: 'ProvisionedThroughputExceededException',\n  time: 2026-03-02T10:04:05.392Z,\n  statusCode: 400\n}\n",
			"TABLE ReadThrottleEvents 02T10:04=1; TABLE ThrottledRequests of GetItem 02T10:04=1",
		},
		{
			"Java's stack trace", "2026-03-02 10:04:05 ERROR BatchWriteItem\ncom.amazonaws.services.dynamodbv2.model.RequestLimitExceededException: Throughput exceeds the current throughput limit for your account (Service: AmazonDynamoDBv2; Error Code: RequestLimitExceeded; Request ID: ABCDEFGHIJKLMNOPQR)\n\tat com.amazonaws.http\nCaused by: RequestLimitExceededException\n",
			"TABLE ThrottledRequests of BatchWriteItem 02T10:04=1; TABLE WriteAccountLimitThrottleEvents 02T10:04=1; TABLE WriteThrottleEvents 02T10:04=1",
		},
		{
			"an American date", "3/2/2026, 10:04:39.692 AM\tsoftware.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException at Query TableName=orders\t",
			"orders ReadThrottleEvents 02T10:04=1; orders ThrottledRequests of Query 02T10:04=1",
		},
		{
			"a web server's time", `[02/Mar/2026:12:04:05 +0200] UpdateItem ProvisionedThroughputExceededException {"TableName":"orders"}`,
			"orders ThrottledRequests of UpdateItem 02T10:04=1; orders WriteThrottleEvents 02T10:04=1",
		},
		{
			"a cancelled transaction", `2026-03-02T10:04:05Z TransactWriteItems Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict, ThrottlingError]`,
			"TABLE ThrottledRequests of TransactWriteItems 02T10:04=1; TABLE WriteThrottleEvents 02T10:04=1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Decode(strings.NewReader("2026-03-02T10:00:00Z started\n"+c.log+"\n2026-03-02T10:09:00Z stopped\n"), "app.log")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(told(b), "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, s := range b.Series {
				if s.Status != telemetry.PartialData || s.Period != time.Minute {
					t.Errorf("%v: status %s, period %v", s.ID, s.Status, s.Period)
				}
			}
			if w := b.Window; w.Start.Format("15:04") != "10:00" || w.End.Format("15:04") != "10:10" {
				t.Errorf("window %v", w)
			}
		})
	}
}

func TestWhatIsNoRefusalOfATableIsNotCounted(t *testing.T) {
	for _, line := range []string{
		"ProvisionedThroughputExceededException: Rate exceeded for shard shardId-000000000000 in stream s",
		"ThrottlingException: Rate exceeded (Service: AWSLambda)",
		"DynamoDB LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited",
		"DynamoDB PutItem took 5 ms; throughput is fine",
		"",
	} {
		_, err := Decode(strings.NewReader("2026-03-02T10:04:05Z "+line+"\n"), "app.log")
		if !errors.Is(err, ErrNoRefusals) {
			t.Errorf("%q: error %v", line, err)
		}
	}
}

func warnings(b telemetry.Batch) string {
	var out []string
	for _, w := range b.Warnings {
		out = append(out, w.Text)
	}
	return strings.Join(out, "\n")
}

func TestWhatALogCannotTellIsSaid(t *testing.T) {
	b, err := Decode(strings.NewReader(`ThrottlingException DynamoDB PutItem before any time
2026-03-02 10:04:05 PutItem ThrottlingException exceeded maximum number of attempts, 10, RequestID: GP7EABCDEFGHIJKLMNOP
2026-03-02 10:04:06 PutItem ThrottlingException again, RequestID: GP7EABCDEFGHIJKLMNOP
2026-03-02 10:04:07 DynamoDB ThrottlingException
2026-03-02 10:04:08 PutItem TableName=orders ThrottlingException
`), "app.log")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(told(b), "; "), "orders ThrottledRequests of PutItem 02T10:04=2; orders WriteThrottleEvents 02T10:04=2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, part := range []string{
		"a minute without a refusal is unknown, and so are consumed units and keys", "clients made up to 10 attempts",
		"put down to orders, the only one that is named", "times without a zone, taken for UTC",
		"left out 1 records that repeat a request's id", "left out 1 refusals before the first line with a time",
		"left out 1 refusals that don't say whether a read or a write was refused",
	} {
		if !strings.Contains(warnings(b), part) {
			t.Errorf("no warning %q in\n%s", part, warnings(b))
		}
	}
}

func TestLogIsShownAroundItsRefusals(t *testing.T) {
	b, err := Decode(strings.NewReader("2026-01-01T00:00:00Z up\n2026-03-02T10:04:05Z PutItem ThrottlingException\n2026-05-01T00:00:00Z down\n"), "app.log")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Window.Start.Format(time.RFC3339) + " " + b.Window.End.Format(time.RFC3339); got != "2026-03-02T09:04:00Z 2026-03-02T11:05:00Z" {
		t.Errorf("window %s", got)
	}
	b, err = Decode(strings.NewReader("2025-01-01T00:00:00Z PutItem ThrottlingException\n2026-03-02T10:04:05Z PutItem ThrottlingException\n"), "app.log")
	if err != nil || b.Window.End.Sub(b.Window.Start) != maxWindow {
		t.Errorf("window %v, %v", b.Window, err)
	}
}

func TestEndlessLinesAndRecordsAreReadUpToABound(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	log := "2026-03-02T10:04:05Z PutItem ThrottlingException " + strings.Repeat(long, 40) + "\n" + strings.Repeat(long+"\n", 40) + "2026-03-02T10:05:05Z PutItem ThrottlingException\n"
	b, err := Decode(strings.NewReader(log), "app.log")
	if err != nil || len(b.Series[0].Points) != 2 {
		t.Errorf("%v, %v", told(b), err)
	}
}

func TestSeriesAreFilledUpToABound(t *testing.T) {
	c := &counter{filled: maxCounts, counts: map[telemetry.SeriesID]map[time.Time]float64{}}
	c.increment(telemetry.SeriesID{}, time.Time{})
	if c.excess != 1 || len(c.counts) != 0 {
		t.Errorf("%d left out, %d series", c.excess, len(c.counts))
	}
}

func TestReadersErrorIsReported(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Decode(iotest.ErrReader(broken), "app.log"); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
