package collectors

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const namespace = "AWS/DynamoDB"

// question is one series to ask for, in the spacing that it has.
type question struct {
	id     telemetry.SeriesID
	period time.Duration
}

// quotaPeriod is the spacing of the account's quota metrics (Developer Guide,
// "DynamoDB metrics and dimensions").
const quotaPeriod = 5 * time.Minute

// questions are all series of the watched tables, their indexes and the account,
// in a fixed order, but for what is felt of operations that aren't known to be used.
// They are named one by one: a search would find only what was published in the last
// two weeks, and what never happened must be asked for to be known as zero.
func (s *survey) questions(period time.Duration, used usage) []question {
	var out []question
	ask := func(id telemetry.SeriesID) { out = append(out, question{id, period}) }
	for _, table := range s.watched {
		for _, resource := range s.resources(table) {
			for _, d := range telemetry.Directions {
				askResource(resource, d, ask)
			}
		}
		for _, operation := range telemetry.APIOperations {
			ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.ThrottledRequests, Stat: telemetry.Sum, Operation: operation})
			ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.SuccessfulRequestLatency, Stat: telemetry.SampleCount, Operation: operation})
			ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.SuccessfulRequestLatency, Stat: telemetry.Average, Operation: operation})
			if use := (use{table, operation}); used[use] {
				out = append(out, use.felt(period)...)
			}
		}
		ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.TransactionConflict, Stat: telemetry.Sum})
		ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.ConditionalCheckFailedRequests, Stat: telemetry.Sum})
		if s.replicated(table) {
			ask(telemetry.SeriesID{Resource: table.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum, Traffic: "GlobalTable"})
		}
	}
	if len(s.watched) > 0 {
		account := telemetry.TableID{Account: s.watched[0].Account, Region: s.watched[0].Region}.Resource()
		for _, d := range telemetry.Directions {
			out = append(out, question{
				telemetry.SeriesID{Resource: account, Metric: telemetry.AccountTableMax(d), Stat: telemetry.Maximum},
				max(period, quotaPeriod),
			})
		}
	}
	return out
}

// askResource asks for one direction of a table or index.
func askResource(id telemetry.ResourceID, d telemetry.Direction, ask func(telemetry.SeriesID)) {
	for _, stat := range []telemetry.Statistic{telemetry.Sum, telemetry.Maximum, telemetry.Average, telemetry.SampleCount} {
		ask(telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(d), Stat: stat})
	}
	ask(telemetry.SeriesID{Resource: id, Metric: telemetry.Provisioned(d), Stat: telemetry.Average})
	ask(telemetry.SeriesID{Resource: id, Metric: telemetry.OnDemandMax(d), Stat: telemetry.Maximum})
	ask(telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum})
	for _, limit := range telemetry.Limits {
		ask(telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(d, limit), Stat: telemetry.Sum})
	}
}

// resources are a table and its indexes that are known.
func (s *survey) resources(table telemetry.TableID) []telemetry.ResourceID {
	out := []telemetry.ResourceID{table.Resource()}
	for _, index := range s.shared[table.Table] {
		out = append(out, table.WithIndex(index))
	}
	for _, t := range s.tables {
		if t.ID == table {
			for _, index := range t.Indexes {
				out = append(out, table.WithIndex(index.Name))
			}
		}
	}
	return out
}

// replicated reports whether writes arrive from other Regions.
func (s *survey) replicated(table telemetry.TableID) bool {
	return slices.ContainsFunc(s.tables, func(t telemetry.Table) bool { return t.ID == table && len(t.Replicas) > 0 })
}

// query is the question as CloudWatch takes it. Unit is left out: a wrong one
// would find nothing.
func (q question) query(id string) types.MetricDataQuery {
	var dimensions []types.Dimension
	dimension := func(name, value string) {
		if value != "" {
			dimensions = append(dimensions, types.Dimension{Name: aws.String(name), Value: aws.String(value)})
		}
	}
	dimension("TableName", q.id.Resource.Table)
	dimension("GlobalSecondaryIndexName", q.id.Resource.Index)
	dimension("Operation", q.id.Operation)
	dimension("Source", q.id.Traffic)
	return types.MetricDataQuery{
		Id: aws.String(id),
		MetricStat: &types.MetricStat{
			Metric: &types.Metric{Namespace: aws.String(namespace), MetricName: aws.String(string(q.id.Metric)), Dimensions: dimensions},
			Period: aws.Int32(int32(q.period.Seconds())),
			Stat:   aws.String(string(q.id.Stat)),
		},
	}
}
