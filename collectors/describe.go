package collectors

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// description is a table as DescribeTable tells it; id holds where the ARN is
// missing.
func description(id telemetry.TableID, t *types.TableDescription) telemetry.Table {
	if told, ok := telemetry.ParseARN(aws.ToString(t.TableArn)); ok {
		id = told.TableID
	}
	attributes := map[string]string{}
	for _, a := range t.AttributeDefinitions {
		attributes[aws.ToString(a.AttributeName)] = string(a.AttributeType)
	}
	mode := capacityMode(t)
	out := telemetry.Table{
		ID: id, Status: string(t.TableStatus), Mode: mode,
		Keys: keyAttributes(t.KeySchema, attributes), Capacity: capacity(mode, t.ProvisionedThroughput, t.OnDemandThroughput),
		SizeBytes: t.TableSizeBytes, Items: t.ItemCount,
		StreamARN: aws.ToString(t.LatestStreamArn), Created: when(t.CreationDateTime),
	}
	if w := t.WarmThroughput; w != nil {
		out.Capacity.Warm = telemetry.Throughput{Read: positive(w.ReadUnitsPerSecond), Write: positive(w.WriteUnitsPerSecond)}
	}
	if b := t.BillingModeSummary; b != nil {
		out.SwitchedToOnDemand = when(b.LastUpdateToPayPerRequestDateTime)
	}
	for _, index := range t.GlobalSecondaryIndexes {
		out.Indexes = append(out.Indexes, globalIndex(index, mode, attributes))
	}
	for _, index := range t.LocalSecondaryIndexes {
		out.LocalIndexes = append(out.LocalIndexes, telemetry.LocalIndex{
			Name: aws.ToString(index.IndexName), Keys: keyAttributes(index.KeySchema, attributes), Projection: projection(index.Projection),
		})
	}
	for _, replica := range t.Replicas {
		if region := aws.ToString(replica.RegionName); region != "" {
			out.Replicas = append(out.Replicas, region)
		}
	}
	return out
}

func globalIndex(index types.GlobalSecondaryIndexDescription, mode telemetry.Mode, attributes map[string]string) telemetry.Index {
	out := telemetry.Index{
		Name: aws.ToString(index.IndexName), Status: string(index.IndexStatus), Backfilling: aws.ToBool(index.Backfilling),
		Keys: keyAttributes(index.KeySchema, attributes), Projection: projection(index.Projection),
		Capacity:  capacity(mode, index.ProvisionedThroughput, index.OnDemandThroughput),
		SizeBytes: index.IndexSizeBytes, Items: index.ItemCount,
	}
	if w := index.WarmThroughput; w != nil {
		out.Capacity.Warm = telemetry.Throughput{Read: positive(w.ReadUnitsPerSecond), Write: positive(w.WriteUnitsPerSecond)}
	}
	return out
}

// capacityMode is told by the billing mode; without one a table is provisioned,
// as all were before 2018, unless its provisioned throughput is zero.
func capacityMode(t *types.TableDescription) telemetry.Mode {
	if t.BillingModeSummary != nil {
		switch t.BillingModeSummary.BillingMode {
		case types.BillingModePayPerRequest:
			return telemetry.ModeOnDemand
		case types.BillingModeProvisioned:
			return telemetry.ModeProvisioned
		}
	}
	switch p := t.ProvisionedThroughput; {
	case p == nil:
		return telemetry.UnknownMode
	case p.ReadCapacityUnits != nil && *p.ReadCapacityUnits == 0 && aws.ToInt64(p.WriteCapacityUnits) == 0:
		return telemetry.ModeOnDemand
	}
	return telemetry.ModeProvisioned
}

// capacity leaves out what AWS writes for "none": zeros in on-demand mode, and -1
// for no on-demand maximum.
func capacity(mode telemetry.Mode, p *types.ProvisionedThroughputDescription, most *types.OnDemandThroughput) telemetry.Capacity {
	var out telemetry.Capacity
	if most != nil {
		out.OnDemandMax = telemetry.Throughput{Read: positive(most.MaxReadRequestUnits), Write: positive(most.MaxWriteRequestUnits)}
	}
	if p == nil {
		return out
	}
	out.LastIncrease, out.LastDecrease = when(p.LastIncreaseDateTime), when(p.LastDecreaseDateTime)
	out.DecreasesToday = int(max(0, aws.ToInt64(p.NumberOfDecreasesToday)))
	if mode != telemetry.ModeOnDemand {
		out.Provisioned = telemetry.Throughput{Read: positive(p.ReadCapacityUnits), Write: positive(p.WriteCapacityUnits)}
	}
	return out
}

func keyAttributes(schema []types.KeySchemaElement, attributes map[string]string) []telemetry.KeyAttribute {
	var out []telemetry.KeyAttribute
	for _, k := range schema {
		name := aws.ToString(k.AttributeName)
		out = append(out, telemetry.KeyAttribute{Name: name, Role: string(k.KeyType), Type: attributes[name]})
	}
	return out
}

func projection(p *types.Projection) telemetry.Projection {
	if p == nil {
		return telemetry.Projection{}
	}
	return telemetry.Projection{Type: string(p.ProjectionType), Attributes: p.NonKeyAttributes}
}

// positive is a rate, nil for what AWS writes where there is none.
func positive(units *int64) *telemetry.Rate {
	if units == nil || *units <= 0 {
		return nil
	}
	r := telemetry.Rate(*units)
	return &r
}

// when is a time of AWS's in UTC; the zero time where it has none, which some
// answers write as the epoch, or one of a year that can't be written.
func when(t *time.Time) time.Time {
	if t == nil || t.Unix() == 0 || !telemetry.Writable(*t) {
		return time.Time{}
	}
	return t.UTC()
}
