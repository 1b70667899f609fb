package capture

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestModeAndCapacityAreTakenAsAWSMeansThem(t *testing.T) {
	rate := func(r telemetry.Rate) *telemetry.Rate { return &r }
	pair := func(read, write telemetry.Rate) telemetry.Throughput {
		return telemetry.Throughput{Read: rate(read), Write: rate(write)}
	}
	const (
		onDemand  = `"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"}`
		zeroUnits = `"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}`
		tenUnits  = `"ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":20}`
	)
	tests := map[string]struct {
		fields string
		mode   telemetry.Mode
		want   telemetry.Capacity
	}{
		"no billing mode":               {tenUnits, telemetry.ModeProvisioned, telemetry.Capacity{Provisioned: pair(10, 20)}},
		"no billing mode, no units":     {zeroUnits, telemetry.ModeOnDemand, telemetry.Capacity{}},
		"nothing told":                  {`"TableStatus":"ACTIVE"`, telemetry.UnknownMode, telemetry.Capacity{}},
		"on-demand, zeros":              {onDemand + "," + zeroUnits, telemetry.ModeOnDemand, telemetry.Capacity{}},
		"provisioned after on-demand":   {`"BillingModeSummary":{"BillingMode":"PROVISIONED","LastUpdateToPayPerRequestDateTime":"2020-07-28T13:14:48.366000-07:00"},` + tenUnits, telemetry.ModeProvisioned, telemetry.Capacity{Provisioned: pair(10, 20)}},
		"warm":                          {onDemand + `,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}`, telemetry.ModeOnDemand, telemetry.Capacity{Warm: pair(12000, 4000)}},
		"an emulator's warm throughput": {onDemand + `,"WarmThroughput":{"ReadUnitsPerSecond":0,"WriteUnitsPerSecond":0}`, telemetry.ModeOnDemand, telemetry.Capacity{}},
		"a maximum in one direction":    {onDemand + `,"OnDemandThroughput":{"MaxReadRequestUnits":500,"MaxWriteRequestUnits":-1}`, telemetry.ModeOnDemand, telemetry.Capacity{OnDemandMax: telemetry.Throughput{Read: rate(500)}}},
		"never increased": {
			`"ProvisionedThroughput":{"ReadCapacityUnits":"10","WriteCapacityUnits":20.0,"LastIncreaseDateTime":0,"LastDecreaseDateTime":1596009600.5,"NumberOfDecreasesToday":3}`,
			telemetry.ModeProvisioned,
			telemetry.Capacity{Provisioned: pair(10, 20), LastDecrease: time.Date(2020, 7, 29, 8, 0, 0, 500e6, time.UTC), DecreasesToday: 3},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"describe-table.json": `{"Table":{"TableName":"orders",` + tt.fields + `}}`})
			if got.Tables[0].Mode != tt.mode {
				t.Errorf("mode %s, want %s", got.Tables[0].Mode, tt.mode)
			}
			if diff := cmp.Diff(tt.want, got.Tables[0].Capacity); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTableDescriptionIsFoundInAnyWrapping(t *testing.T) {
	const inner = `{"TableName":"orders","TableArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders","TableStatus":"UPDATING"}`
	for name, document := range map[string]string{
		"describe-table": `{"Table":` + inner + `}`,
		"update-table":   `{"TableDescription":` + inner + `}`,
		"unwrapped":      inner,
		"a list":         `[{"Table":` + inner + `}]`,
		"by ARN only":    `{"Table":{"TableArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders","TableStatus":"UPDATING"}}`,
		"the later wins": `{"Table":{"TableName":"orders"}}` + `{"Table":` + inner + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"describe-table.json": document})
			if len(got.Tables) != 1 || got.Tables[0].ID != ordersID || got.Tables[0].Status != "UPDATING" {
				t.Errorf("got %+v", got.Tables)
			}
		})
	}
	wantWarnings(t, decoded(t, map[string]string{"describe-table.json": `{"TableNames":["orders"]}`}),
		"unreadable_file: describe-table.json:1: holds no description of a table; ignored")
}

func TestIndexesAndReplicasAreDescribed(t *testing.T) {
	got := decoded(t, map[string]string{"describe-table.json": `{"Table":{"TableName":"orders","TableSizeBytes":27603050000,"ItemCount":0,
"LatestStreamArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/2024-04-12T00:43:03.078",
"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"B"}],
"GlobalSecondaryIndexes":[{"IndexName":"g","IndexStatus":"CREATING","Backfilling":true,"IndexSizeBytes":0,
 "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["y"]},
 "ProvisionedThroughput":{"ReadCapacityUnits":50,"WriteCapacityUnits":25},"WarmThroughput":{"ReadUnitsPerSecond":50,"WriteUnitsPerSecond":25}}],
"LocalSecondaryIndexes":[{"IndexName":"l","Projection":{"ProjectionType":"ALL"},"ItemCount":2}],
"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
"Replicas":[{"RegionName":"ap-southeast-1","ReplicaStatus":"ACTIVE","ReplicaStatusDescription":"region: ‘ap-southeast-1’."}]}}`})
	rate := func(r telemetry.Rate) *telemetry.Rate { return &r }
	count := func(n int64) *int64 { return &n }
	want := telemetry.Table{
		ID: ordersID, Mode: telemetry.ModeProvisioned, SizeBytes: count(27603050000), Items: count(0),
		Capacity:  telemetry.Capacity{Provisioned: telemetry.Throughput{Read: rate(1), Write: rate(1)}},
		StreamARN: "arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/2024-04-12T00:43:03.078",
		Indexes: []telemetry.Index{{
			Name: "g", Status: "CREATING", Backfilling: true, SizeBytes: count(0),
			Keys:       []telemetry.KeyAttribute{{Name: "pk", Role: "HASH", Type: "B"}},
			Projection: telemetry.Projection{Type: "INCLUDE", Attributes: []string{"y"}},
			Capacity:   telemetry.Capacity{Provisioned: telemetry.Throughput{Read: rate(50), Write: rate(25)}, Warm: telemetry.Throughput{Read: rate(50), Write: rate(25)}},
		}},
		LocalIndexes: []telemetry.LocalIndex{{Name: "l", Projection: telemetry.Projection{Type: "ALL"}}},
		Replicas:     []string{"ap-southeast-1"},
	}
	if diff := cmp.Diff(want, got.Tables[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEveryDocumentOfATableCarriesTheSameID(t *testing.T) {
	const bare = `{"Table":{"TableName":"orders"}}`
	tests := map[string]struct {
		files map[string]string
		want  telemetry.TableID
	}{
		"by the table's ARN": {nil, ordersID},
		"by an index's ARN": {
			map[string]string{"describe-table.json": `{"Table":{"TableName":"orders","GlobalSecondaryIndexes":[{"IndexArn":"arn:aws-cn:dynamodb:cn-north-1:111122223333:table/orders/index/i"}]}}`},
			telemetry.TableID{Account: "111122223333", Region: "cn-north-1", Table: "orders"},
		},
		"by the stream's ARN": {
			map[string]string{"describe-table.json": bare, "describe-stream.json": `{"StreamDescription":{"StreamArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders/stream/x"}}`},
			ordersID,
		},
		"by another table's ARN": {
			map[string]string{"describe-table.json": bare + `{"Table":{"TableName":"users","TableArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/users"}}`},
			ordersID,
		},
		"by capture.json": {
			map[string]string{"describe-table.json": bare, "capture.json": `{"account":"111122223333","region":"eu-west-1"}`},
			ordersID,
		},
		"of an emulator": {
			map[string]string{"describe-table.json": `{"Table":{"TableName":"orders","TableArn":"arn:aws:dynamodb:ddblocal:000000000000:table/orders"}}`},
			telemetry.TableID{Account: "000000000000", Region: "ddblocal", Table: "orders"},
		},
		"not told": {map[string]string{"describe-table.json": bare}, telemetry.TableID{Table: "orders"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{
				"describe-contributor-insights.json":                           `{"TableName":"orders","ContributorInsightsStatus":"ENABLED","ContributorInsightsRuleList":["DynamoDBContributorInsights-PKC-orders-1"]}`,
				"insight-report.DynamoDBContributorInsights-PKC-orders-1.json": `{"KeyLabels":["pk"],"Contributors":[]}`,
				"describe-scalable-targets.json":                               `{"ScalableTargets":[{"ResourceId":"table/orders","ScalableDimension":"dynamodb:table:ReadCapacityUnits"}]}`,
			}
			maps.Copy(files, tt.files)
			got := decoded(t, files)
			ids := map[string]telemetry.TableID{
				"table": got.Tables[0].ID, "series": got.Series[0].ID.Resource.TableID, "insights": got.Insights[0].Resource.TableID,
				"ranking": got.Rankings[0].Resource.TableID, "target": got.Targets[0].Resource.TableID,
			}
			for what, id := range ids {
				if id != tt.want {
					t.Errorf("%s: %+v, want %+v", what, id, tt.want)
				}
			}
		})
	}
}
