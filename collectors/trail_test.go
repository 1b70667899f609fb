package collectors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

func texts(marks []telemetry.Mark) []string {
	var out []string
	for _, m := range telemetry.SortMarks(marks) {
		out = append(out, m.Resource.String()+" "+m.Text)
	}
	return out
}

type request = map[string]any

func TestChangesOfWatchedTablesAreMarks(t *testing.T) {
	b := incident(t, "index-pressure")
	table := b.Tables[0].ID.Table
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		ago := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
		server := awsserver.New(awsserver.Config{Batch: b, Begin: ago(60), Trail: []awsserver.TrailEvent{
			{At: ago(90), Name: "UpdateTable", User: "early", Request: request{"tableName": table}},
			{At: ago(70), Name: "UpdateTable", User: "alice", Request: request{
				"tableName": table, "billingMode": "PROVISIONED", "provisionedThroughput": request{"readCapacityUnits": 500, "writeCapacityUnits": 4000},
				"globalSecondaryIndexUpdates": []any{request{"update": request{"indexName": "by-status", "provisionedThroughput": request{"readCapacityUnits": 5, "writeCapacityUnits": 40}}}, request{"create": request{"indexName": "new"}}},
			}},
			{At: ago(30), Name: "UpdateTable", User: "x", InvokedBy: "dynamodb.application-autoscaling.amazonaws.com", Request: request{"tableName": table}},
			{At: ago(29), Name: "UpdateTable", User: "bob", ErrorCode: "ValidationException", Request: request{"tableName": table}},
			{At: ago(28), Name: "UpdateTable", User: "bob", Request: request{"tableName": "another"}},
			{At: ago(27), Name: "UpdateTable", User: "x", InvokedBy: "cloudformation.amazonaws.com", Request: request{"tableName": b.Tables[0].ID.Table, "onDemandThroughput": request{"maxReadRequestUnits": -1, "maxWriteRequestUnits": 900}}},
			{At: ago(26), Name: "RegisterScalableTarget", User: "carol", Request: request{
				"serviceNamespace": "dynamodb", "resourceId": "table/" + table + "/index/by-status", "scalableDimension": "dynamodb:index:WriteCapacityUnits", "minCapacity": 5, "maxCapacity": 5000,
			}},
			{At: ago(25), Name: "RegisterScalableTarget", User: "carol", Request: request{"serviceNamespace": "ecs", "resourceId": "service/a/b"}},
			{At: ago(24), Name: "UpdateTimeToLive", User: "dan", Request: request{"tableName": table, "timeToLiveSpecification": request{"enabled": true}}},
			{At: ago(23), Name: "DescribeTable", User: "dan", Request: request{"tableName": table}},
		}})
		l := connect(t, server, Config{Tables: []string{table}, Region: b.Tables[0].ID.Region})
		first, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			table + " UpdateTable: provisioned, 500 RCU, 4,000 WCU, index by-status 5 RCU, 40 WCU, new index new (alice)",
			table + " UpdateTable: no maximum of reads, at most 900 writes a second (cloudformation)",
			table + "/by-status RegisterScalableTarget: writes, 5 to 5,000 (carol)",
		}
		if diff := cmp.Diff(want, texts(first.Marks)); diff != "" {
			t.Errorf("marks (-want +got):\n%s", diff)
		}
		if first.Marks[0].Resource.TableID != first.Tables[0].ID {
			t.Errorf("a mark is of %v, the table is %v", first.Marks[0].Resource, first.Tables[0].ID)
		}
		// Two kinds of call have their turn with each poll, each every five minutes.
		var later []string
		for range 10 {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			later = append(later, texts(b.Marks)...)
		}
		if got := server.Count("LookupEvents"); got < 12 || got > 14 {
			t.Errorf("%d look-ups in eleven polls, want about two for every five minutes of each of six", got)
		}
		if diff := cmp.Diff([]string{table + " UpdateTimeToLive: on (dan)"}, later[:1]); diff != "" {
			t.Errorf("later marks (-want +got):\n%s", diff)
		}
	})
}

func TestDeniedCloudTrailIsSaidForAsLongAndAskedEachHour(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-time.Hour)})
		server.Fail("LookupEvents", awsserver.Fault{Kind: awsserver.Deny})
		l := connect(t, server, Config{Tables: tableNames(b)})
		said := 0
		for range 90 {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if warned(b, telemetry.Denied) != "" {
				said++
			}
		}
		if n := server.Count("LookupEvents"); said != 90 || n != 2 {
			t.Errorf("said %d times, asked %d times in an hour and a half", said, n)
		}
		server.Fail("LookupEvents", awsserver.Fault{})
		for range 40 {
			b = next(t, l)
		}
		if text := warned(b, telemetry.Denied); text != "" {
			t.Errorf("once it is allowed, %q is said", text)
		}
	})
}

// A network without a way to CloudTrail drops the calls.
func TestSilentCloudTrailHoldsNoPollUp(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-time.Hour)})
		server.Fail("LookupEvents", awsserver.Fault{Kind: awsserver.Hang})
		l := connect(t, server, Config{Tables: tableNames(b)})
		begun := time.Now()
		got, err := l.Next(t.Context())
		if took := time.Since(begun); err != nil || took > trailLimit || len(codes(got)) > 1 {
			t.Errorf("%v after %v, warnings %v", err, took, got.Warnings)
		}
	})
}

func TestRecordsThatAreNotAsDocumentedAreSurvived(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		server := awsserver.New(awsserver.Config{Batch: b, Begin: now.Add(-time.Hour), Trail: []awsserver.TrailEvent{
			{At: now.Add(-10 * time.Minute), Name: "UpdateTable", User: "eve", Request: request{"tableName": b.Tables[0].ID.Table, "provisionedThroughput": "many", "billingMode": "PROVISIONED"}},
			{At: now.Add(-9 * time.Minute), Name: "UpdateTable", User: "eve"},
			{At: now.Add(-8 * time.Minute), Name: "UpdateTable", Request: request{"tableName": 7}},
			{At: now.Add(-7 * time.Minute), Name: "RegisterScalableTarget", Request: request{"resourceId": "table"}},
		}})
		l := connect(t, server, Config{Tables: tableNames(b)})
		got, err := l.Next(t.Context())
		if want := []string{b.Tables[0].ID.Table + " UpdateTable (eve)"}; err != nil || !cmp.Equal(want, texts(got.Marks)) {
			t.Errorf("%v, %v", err, texts(got.Marks))
		}
		server.Fail("LookupEvents", awsserver.Fault{Kind: awsserver.Hollow})
		if _, err := l.Next(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
