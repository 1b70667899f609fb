package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// askedBy are the command lines that use an action which diagnose TABLE doesn't.
var askedBy = map[string][]string{
	"dynamodb:ListTables":             {"doctor", "orders"},
	"cloudwatch:ListMetrics":          {"diagnose", "orders", "--linked-accounts"},
	"cloudwatch:DescribeAlarms":       {"diagnose", "--alarm", "orders-writes"},
	"cloudwatch:DescribeAlarmHistory": {"diagnose", "--alarm", "orders-writes"},
}

// ofEverything is an account whose table has all that can be asked for: a stream, an index,
// auto scaling, and an alarm that is on.
func ofEverything(t *testing.T) *awsserver.Server {
	b := renamed(t, whole(t, "scaling-too-late"), "orders")
	arn := "arn:aws:dynamodb:" + b.Tables[0].ID.Region + ":" + b.Tables[0].ID.Account + ":table/orders/stream/2026-01-02T03:04:05.678"
	b.Tables[0].StreamARN = arn
	b.Shards = []telemetry.Shards{{Table: b.Tables[0].ID, Stream: arn, Shards: []telemetry.Shard{{ID: "shardId-1", Open: true}}}}
	now := time.Now().UTC()
	return awsserver.New(awsserver.Config{Batch: b, Begin: now.Truncate(time.Minute).Add(-40 * time.Minute), Alarms: []awsserver.Alarm{{
		Name:    "orders-writes",
		Metrics: []awsserver.AlarmMetric{{Namespace: "AWS/DynamoDB", Name: "WriteThrottleEvents", Dimensions: map[string]string{"TableName": "orders"}}},
		States:  []awsserver.AlarmState{{At: now.Add(-20 * time.Minute), State: "ALARM"}},
	}}})
}

// renamed gives a batch's one table another name.
func renamed(t *testing.T, b telemetry.Batch, name string) telemetry.Batch {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var out telemetry.Batch
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), b.Tables[0].ID.Table, name)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Each action of the policy, with it alone denied from the start: what is said of it, and
// what is found all the same.
func TestEachActionThatIsDeniedIsNamedWithWhatItCosts(t *testing.T) {
	var all strings.Builder
	for _, p := range collectors.Permissions() {
		args, special := askedBy[p.Action]
		if !special {
			args = []string{"diagnose", "orders"}
		}
		server := ofEverything(t)
		_, action, _ := strings.Cut(p.Action, ":")
		server.Fail(action, awsserver.Fault{Kind: awsserver.Deny})
		onAWS(t, server, server.Region())
		format := []string{"--format", "json"}
		if args[0] != "diagnose" {
			format = nil
		}
		status, out, errs := hotpart(t, append(slices.Clone(args), format...)...)
		if server.Count(action) == 0 {
			t.Errorf("%s is never asked for: what uses it?", p.Action)
		}
		fmt.Fprintf(&all, "%s: hotpart %s\n%s\n", p.Action, strings.Join(args, " "), saidOf(p.Action, status, out, errs))
	}
	path := filepath.Join("testdata", "denied.txt")
	if *update {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(all.String(), "\n")); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", path, diff)
	}
}

// saidOf is what a run says of an action, and what it finds.
func saidOf(action string, status int, out, errs string) string {
	var b strings.Builder
	for line := range strings.Lines(errs) {
		if status != statusDone || strings.HasPrefix(line, "hotpart: alarm") && strings.Contains(line, "isn't known") {
			b.WriteString("  " + line)
		}
	}
	var report struct {
		Events   []struct{ Cause, Limit string }
		Warnings []struct{ Text string }
	}
	if json.Unmarshal([]byte(out), &report) != nil {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "failed ") && strings.Contains(line, action) {
				b.WriteString("  " + strings.Join(strings.Fields(line), " ") + "\n")
			}
		}
		return b.String()
	}
	for _, w := range report.Warnings {
		if strings.Contains(w.Text, action) {
			b.WriteString("  " + w.Text + "\n")
		}
	}
	for _, e := range report.Events {
		fmt.Fprintf(&b, "  found: %s, limit %s\n", e.Cause, e.Limit)
	}
	return b.String()
}
