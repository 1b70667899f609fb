package capture

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestTargetsAndPoliciesAreJoined(t *testing.T) {
	got := decoded(t, map[string]string{
		"describe-scalable-targets.json": `{"ScalableTargets":[
{"ServiceNamespace":"dynamodb","ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","MinCapacity":400,"MaxCapacity":8000,"SuspendedState":{"DynamicScalingInSuspended":true,"DynamicScalingOutSuspended":false}},
{"ResourceId":"table/orders/index/by-status","ScalableDimension":"dynamodb:index:ReadCapacityUnits","MinCapacity":5,"MaxCapacity":10,"SuspendedState":{"DynamicScalingOutSuspended":true}},
{"ResourceId":"service/x/y","ScalableDimension":"ecs:service:DesiredCount","MinCapacity":1,"MaxCapacity":2}]}`,
		"describe-scaling-policies.json": `{"ScalingPolicies":[
{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","PolicyType":"TargetTrackingScaling","TargetTrackingScalingPolicyConfiguration":{"TargetValue":80.0}},
{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:ReadCapacityUnits","TargetTrackingScalingPolicyConfiguration":{"TargetValue":70}},
{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:ReadCapacityUnits","PolicyType":"StepScaling"}]}`,
	})
	rate := func(r telemetry.Rate) *telemetry.Rate { return &r }
	percent := func(p float64) *float64 { return &p }
	want := []telemetry.ScalingTarget{
		{Resource: ordersID.Resource(), Direction: telemetry.Write, Min: rate(400), Max: rate(8000), Percent: percent(80)},
		{Resource: ordersID.WithIndex("by-status"), Direction: telemetry.Read, Min: rate(5), Max: rate(10), Suspended: true},
		{Resource: ordersID.Resource(), Direction: telemetry.Read, Percent: percent(70)},
	}
	if diff := cmp.Diff(want, got.Targets); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got)
}

func TestActivitiesAreOldestFirstWithTheirCapacity(t *testing.T) {
	got := decoded(t, map[string]string{"describe-scaling-activities.json": `{"ScalingActivities":[
{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","StartTime":1772446200.5,"StatusCode":"InProgress","Description":"Setting write capacity units to 2392.","Cause":"monitor alarm"},
{"ResourceId":"table/orders/index/by-status","ScalableDimension":"dynamodb:index:ReadCapacityUnits","StartTime":"2026-03-02T14:04:00+04:00","EndTime":"2026-03-02T14:04:38+04:00","Description":"Attempting to scale"},
{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:WriteCapacityUnits","Description":"no time"}]}`})
	rate := telemetry.Rate(2392)
	want := []telemetry.ScalingActivity{
		{Resource: ordersID.WithIndex("by-status"), Direction: telemetry.Read, Start: at("10:04"), End: at("10:04").Add(38 * time.Second), Description: "Attempting to scale"},
		{
			Resource: ordersID.Resource(), Direction: telemetry.Write, Start: at("10:10").Add(500 * time.Millisecond), Capacity: &rate,
			Status: "InProgress", Description: "Setting write capacity units to 2392.", Cause: "monitor alarm",
		},
	}
	if diff := cmp.Diff(want, got.Activities); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestStreamPagesAreJoined(t *testing.T) {
	const arn = `"StreamArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/2024-04-12T00:43:03.078"`
	first := `{"StreamDescription":{` + arn + `,"LastEvaluatedShardId":"shardId-00000001772445840000-0000aaaa","Shards":[
{"ShardId":"shardId-00000001772445840000-0000aaaa","SequenceNumberRange":{"StartingSequenceNumber":"1","EndingSequenceNumber":"2"}}]}}`
	second := `{"StreamDescription":{` + arn + `,"Shards":[
{"ShardId":"shardId-00000001772445840000-0000aaaa","SequenceNumberRange":{"StartingSequenceNumber":"1","EndingSequenceNumber":"2"}},
{"ShardId":"shardId-00000001772445900000-0000bbbb","ParentShardId":"shardId-00000001772445840000-0000aaaa","SequenceNumberRange":{"StartingSequenceNumber":"3"}},
{"ShardId":"shard-of-an-emulator"}]}}`
	want := telemetry.Shards{
		Table: ordersID, Stream: "arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/2024-04-12T00:43:03.078",
		Shards: []telemetry.Shard{
			{ID: "shardId-00000001772445840000-0000aaaa", Opened: at("10:04")},
			{ID: "shardId-00000001772445900000-0000bbbb", Parent: "shardId-00000001772445840000-0000aaaa", Open: true, Opened: at("10:05")},
			{ID: "shard-of-an-emulator", Open: true},
		},
	}
	got := decoded(t, map[string]string{"describe-stream.json": first + second})
	if diff := cmp.Diff([]telemetry.Shards{want}, got.Shards); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got)

	got = decoded(t, map[string]string{"describe-stream.json": first})
	if !got.Shards[0].Truncated {
		t.Error("a description that ends early isn't marked")
	}
	wantWarnings(t, got, "partial_data: orders: the description of its stream ends before the last shard")
}
