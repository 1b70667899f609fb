package collectors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// onTable is a metric of a table, or of an index or operation of it.
func onTable(table, name string, more ...string) awsserver.AlarmMetric {
	m := awsserver.AlarmMetric{Namespace: namespace, Name: name, Dimensions: map[string]string{"TableName": table}}
	for i := 0; i+1 < len(more); i += 2 {
		m.Dimensions[more[i]] = more[i+1]
	}
	return m
}

func alarmsAt(now time.Time) []awsserver.Alarm {
	ago := func(minutes int, state string) awsserver.AlarmState {
		return awsserver.AlarmState{At: now.Add(-time.Duration(minutes) * time.Minute), State: state}
	}
	on := func(m ...awsserver.AlarmMetric) []awsserver.AlarmMetric { return m }
	fires := []awsserver.AlarmState{ago(300, "OK"), ago(40, "ALARM")}
	quiet := []awsserver.AlarmState{ago(300, "OK")}
	band := on(onTable("orders", "ConsumedReadCapacityUnits"))
	return []awsserver.Alarm{
		{Name: "orders-writes", Metrics: on(onTable("orders", "WriteThrottleEvents")), States: fires},
		{Name: "index-reads", Metrics: on(onTable("orders", "ReadThrottleEvents", "GlobalSecondaryIndexName", "by-status")), States: []awsserver.AlarmState{
			ago(900, "ALARM"), ago(800, "OK"), ago(90, "ALARM"), ago(70, "OK"), ago(10, "INSUFFICIENT_DATA"),
		}},
		{Name: "orders-puts", Metrics: on(onTable("orders", "ThrottledRequests", "Operation", "PutItem")), States: quiet},
		{Name: "orders-math", Metrics: on(onTable("orders", "ReadThrottleEvents"), onTable("orders", "WriteThrottleEvents", "GlobalSecondaryIndexName", "by-status")), Expression: "m1+m2", States: fires},
		{Name: "orders-band", Metrics: band, Expression: "ANOMALY_DETECTION_BAND(m1, 2)", States: fires},
		{Name: "two-tables", Metrics: on(onTable("orders", "WriteThrottleEvents"), onTable("carts", "WriteThrottleEvents")), Expression: "m1+m2", States: fires},
		{Name: "carts-writes", Metrics: on(onTable("carts", "WriteThrottleEvents")), States: quiet},
		{Name: "shop", Children: []string{"carts-writes", "inner", "lambda"}, States: fires},
		{Name: "inner", Children: []string{"orders-writes", "shop"}, States: fires},
		{Name: "shop-quiet", Children: []string{"carts-writes", "orders-puts"}, States: quiet},
		{Name: "lambda", Metrics: on(awsserver.AlarmMetric{Namespace: "AWS/Lambda", Name: "Errors", Dimensions: map[string]string{"FunctionName": "f"}}), States: fires},
		{Name: "account", Metrics: on(awsserver.AlarmMetric{Namespace: namespace, Name: "UserErrors"}), States: fires},
		{Name: "query", Expression: `SELECT SUM(WriteThrottleEvents) FROM SCHEMA("AWS/DynamoDB", TableName)`, States: fires},
	}
}

func TestAnAlarmNamesItsTableAndWhenItWentOff(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		ago := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
		l := connect(t, awsserver.New(awsserver.Config{Alarms: alarmsAt(now)}), Config{})
		for _, want := range []Alarm{
			{Name: "orders-writes", Table: "orders", Direction: telemetry.Write, Metrics: []string{"WriteThrottleEvents"}, Since: ago(40)},
			{Name: "index-reads", Table: "orders", Index: "by-status", Direction: telemetry.Read, Metrics: []string{"ReadThrottleEvents"}, Since: ago(90), Until: ago(70)},
			{Name: "orders-puts", Table: "orders", Direction: telemetry.Write, Metrics: []string{"ThrottledRequests of PutItem"}},
			{Name: "orders-math", Table: "orders", Metrics: []string{"ReadThrottleEvents", "WriteThrottleEvents"}, Since: ago(40)},
			{Name: "orders-band", Table: "orders", Direction: telemetry.Read, Metrics: []string{"ConsumedReadCapacityUnits"}, Since: ago(40)},
			// Of a composite alarm's children those count that are in ALARM.
			{Name: "shop", Table: "orders", Direction: telemetry.Write, Metrics: []string{"WriteThrottleEvents"}, Since: ago(40)},
		} {
			for _, name := range []string{want.Name, "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:" + want.Name} {
				got, err := l.Alarm(t.Context(), name)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
				}
			}
		}
	})
}

func TestAnAlarmWithoutItsHistoryIsDatedByItsState(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		server := awsserver.New(awsserver.Config{Alarms: alarmsAt(now)})
		server.Fail("DescribeAlarmHistory", awsserver.Fault{Kind: awsserver.Deny})
		l := connect(t, server, Config{})
		for name, since := range map[string]time.Time{"orders-writes": now.Add(-40 * time.Minute), "shop": now.Add(-40 * time.Minute), "index-reads": {}} {
			got, err := l.Alarm(t.Context(), name)
			if err != nil || !got.Since.Equal(since) {
				t.Errorf("%s: since %v, want %v (%v)", name, got.Since, since, err)
			}
		}
	})
}

func TestAlarmsThatLeadToNoTableSayWhatTheyAreOn(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Alarms: alarmsAt(time.Now().UTC())})
		l := connect(t, server, Config{})
		for name, says := range map[string][]string{
			"lambda":     {"on AWS/Lambda Errors, which names no table", "hint: hotpart watch"},
			"account":    {"AWS/DynamoDB UserErrors"},
			"query":      {"the expression SELECT SUM(WriteThrottleEvents)"},
			"two-tables": {"on several tables: carts, orders", "hint: hotpart watch carts orders"},
			"shop-quiet": {"on several tables: carts, orders"},
			"order":      {`there is no alarm "order" in eu-west-1`, "hint: there is orders-"},
			"zzz":        {"hint: there is "},
			"arn:aws:cloudwatch:us-east-1:1:alarm:orders-writes": {"is in us-east-1, not in eu-west-1", "hint: --region us-east-1"},
		} {
			_, err := l.Alarm(t.Context(), name)
			if err == nil {
				t.Errorf("%s: no error", name)
				continue
			}
			wantWords(t, err.Error(), says...)
		}
		server.Fail("DescribeAlarms", awsserver.Fault{Kind: awsserver.Deny})
		if _, err := l.Alarm(t.Context(), "orders-writes"); err == nil {
			t.Error("denied, and no error")
		} else {
			wantWords(t, err.Error(), "cloudwatch:DescribeAlarms is denied", "hint: allow cloudwatch:DescribeAlarms")
		}
		for _, kind := range []awsserver.FaultKind{awsserver.Hollow, awsserver.Garbage, awsserver.Break} {
			server.Fail("DescribeAlarms", awsserver.Fault{Kind: kind})
			if _, err := l.Alarm(t.Context(), "orders-writes"); err == nil {
				t.Errorf("%s: no error", kind)
			}
		}
	})
}
