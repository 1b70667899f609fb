package capture

import (
	"github.com/hotpart/hotpart/analysis/telemetry"
)

type tableDocument struct {
	Table            *tableDescription
	TableDescription *tableDescription
	// Some people cut the wrapper off.
	tableDescription
}

type tableDescription struct {
	TableName, TableArn, TableStatus, LatestStreamArn text
	KeySchema                                         []keyElement
	AttributeDefinitions                              []struct{ AttributeName, AttributeType text }
	BillingModeSummary                                *struct {
		BillingMode                       text
		LastUpdateToPayPerRequestDateTime stamp
	}
	CreationDateTime          stamp
	TableSizeBytes, ItemCount number
	GlobalSecondaryIndexes    []indexDescription
	LocalSecondaryIndexes     []indexDescription
	Replicas                  []struct{ RegionName text }
	capacityDescription
}

type indexDescription struct {
	IndexName, IndexArn, IndexStatus text
	Backfilling                      bool
	KeySchema                        []keyElement
	Projection                       struct {
		ProjectionType   text
		NonKeyAttributes []text
	}
	IndexSizeBytes, ItemCount number
	capacityDescription
}

type keyElement struct{ AttributeName, KeyType text }

type capacityDescription struct {
	ProvisionedThroughput *struct {
		ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday number
		LastIncreaseDateTime, LastDecreaseDateTime                    stamp
	}
	OnDemandThroughput struct{ MaxReadRequestUnits, MaxWriteRequestUnits number }
	WarmThroughput     struct{ ReadUnitsPerSecond, WriteUnitsPerSecond number }
}

func (doc tableDocument) description() *tableDescription {
	switch {
	case doc.Table != nil:
		return doc.Table
	case doc.TableDescription != nil:
		return doc.TableDescription
	}
	return &doc.tableDescription
}

// name is the table's name, by its ARN where the name is missing, else "".
func (t *tableDescription) name() string {
	if t.TableName != "" {
		return string(t.TableName)
	}
	id, _ := telemetry.ParseARN(string(t.TableArn))
	return id.Table
}

func (t *tableDescription) learn(n *names) {
	n.learn(t.TableArn)
	n.learn(t.LatestStreamArn)
	for _, index := range t.GlobalSecondaryIndexes {
		n.learn(index.IndexArn)
		n.learnIndex(t.name(), string(index.IndexName))
	}
}

// mode is told by the billing mode; without one a table is provisioned, as all
// were before 2018, unless its description shows no provisioned throughput.
func (t *tableDescription) mode() telemetry.Mode {
	if t.BillingModeSummary != nil {
		switch t.BillingModeSummary.BillingMode {
		case "PAY_PER_REQUEST":
			return telemetry.ModeOnDemand
		case "PROVISIONED":
			return telemetry.ModeProvisioned
		}
	}
	switch p := t.ProvisionedThroughput; {
	case p == nil:
		return telemetry.UnknownMode
	case p.ReadCapacityUnits.value == 0 && p.WriteCapacityUnits.value == 0 && p.ReadCapacityUnits.told:
		return telemetry.ModeOnDemand
	}
	return telemetry.ModeProvisioned
}

func (t *tableDescription) table(id telemetry.TableID) telemetry.Table {
	types := map[text]string{}
	for _, a := range t.AttributeDefinitions {
		types[a.AttributeName] = string(a.AttributeType)
	}
	mode := t.mode()
	out := telemetry.Table{
		ID: id, Status: string(t.TableStatus), Mode: mode,
		Keys: keys(t.KeySchema, types), Capacity: t.capacity(mode),
		SizeBytes: t.TableSizeBytes.count(), Items: t.ItemCount.count(),
		StreamARN: string(t.LatestStreamArn), Created: t.CreationDateTime.time,
	}
	if t.BillingModeSummary != nil {
		out.SwitchedToOnDemand = t.BillingModeSummary.LastUpdateToPayPerRequestDateTime.time
	}
	for _, index := range t.GlobalSecondaryIndexes {
		out.Indexes = append(out.Indexes, telemetry.Index{
			Name: string(index.IndexName), Status: string(index.IndexStatus), Backfilling: index.Backfilling,
			Keys: keys(index.KeySchema, types), Projection: index.projection(), Capacity: index.capacity(mode),
			SizeBytes: index.IndexSizeBytes.count(), Items: index.ItemCount.count(),
		})
	}
	for _, index := range t.LocalSecondaryIndexes {
		out.LocalIndexes = append(out.LocalIndexes, telemetry.LocalIndex{
			Name: string(index.IndexName), Keys: keys(index.KeySchema, types), Projection: index.projection(),
		})
	}
	for _, replica := range t.Replicas {
		if replica.RegionName != "" {
			out.Replicas = append(out.Replicas, string(replica.RegionName))
		}
	}
	return out
}

func (i indexDescription) projection() telemetry.Projection {
	out := telemetry.Projection{Type: string(i.Projection.ProjectionType)}
	for _, name := range i.Projection.NonKeyAttributes {
		out.Attributes = append(out.Attributes, string(name))
	}
	return out
}

// capacity leaves out what AWS writes for "none": zeros in on-demand mode, -1
// for no on-demand maximum, and the zeros of emulators for warm throughput.
func (c capacityDescription) capacity(mode telemetry.Mode) telemetry.Capacity {
	out := telemetry.Capacity{
		OnDemandMax: telemetry.Throughput{Read: c.OnDemandThroughput.MaxReadRequestUnits.positive(), Write: c.OnDemandThroughput.MaxWriteRequestUnits.positive()},
		Warm:        telemetry.Throughput{Read: c.WarmThroughput.ReadUnitsPerSecond.positive(), Write: c.WarmThroughput.WriteUnitsPerSecond.positive()},
	}
	p := c.ProvisionedThroughput
	if p == nil {
		return out
	}
	out.LastIncrease, out.LastDecrease = p.LastIncreaseDateTime.time, p.LastDecreaseDateTime.time
	if n := p.NumberOfDecreasesToday.count(); n != nil {
		const mostADay = 27 // Service Quotas, "Decreasing provisioned throughput"
		out.DecreasesToday = int(min(*n, mostADay))
	}
	if mode != telemetry.ModeOnDemand {
		out.Provisioned = telemetry.Throughput{Read: p.ReadCapacityUnits.positive(), Write: p.WriteCapacityUnits.positive()}
	}
	return out
}

func keys(schema []keyElement, types map[text]string) []telemetry.KeyAttribute {
	var out []telemetry.KeyAttribute
	for _, k := range schema {
		out = append(out, telemetry.KeyAttribute{Name: string(k.AttributeName), Role: string(k.KeyType), Type: types[k.AttributeName]})
	}
	return out
}
