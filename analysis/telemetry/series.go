package telemetry

import (
	"slices"
	"strings"
	"time"
)

// Metric is a metric of the namespace AWS/DynamoDB, by CloudWatch's own name.
type Metric string

// The metrics that bear on throttling, capacity, request size, latency and
// limits (Developer Guide, "DynamoDB metrics and dimensions").
const (
	ConsumedReadCapacityUnits  Metric = "ConsumedReadCapacityUnits"
	ConsumedWriteCapacityUnits Metric = "ConsumedWriteCapacityUnits"

	ProvisionedReadCapacityUnits  Metric = "ProvisionedReadCapacityUnits"
	ProvisionedWriteCapacityUnits Metric = "ProvisionedWriteCapacityUnits"
	OnDemandMaxReadRequestUnits   Metric = "OnDemandMaxReadRequestUnits"
	OnDemandMaxWriteRequestUnits  Metric = "OnDemandMaxWriteRequestUnits"
	AccountMaxReads               Metric = "AccountMaxReads"
	AccountMaxWrites              Metric = "AccountMaxWrites"
	AccountMaxTableLevelReads     Metric = "AccountMaxTableLevelReads"
	AccountMaxTableLevelWrites    Metric = "AccountMaxTableLevelWrites"

	ReadThrottleEvents  Metric = "ReadThrottleEvents"
	WriteThrottleEvents Metric = "WriteThrottleEvents"
	ThrottledRequests   Metric = "ThrottledRequests"

	ReadKeyRangeThroughputThrottleEvents     Metric = "ReadKeyRangeThroughputThrottleEvents"
	WriteKeyRangeThroughputThrottleEvents    Metric = "WriteKeyRangeThroughputThrottleEvents"
	ReadProvisionedThroughputThrottleEvents  Metric = "ReadProvisionedThroughputThrottleEvents"
	WriteProvisionedThroughputThrottleEvents Metric = "WriteProvisionedThroughputThrottleEvents"
	ReadMaxOnDemandThroughputThrottleEvents  Metric = "ReadMaxOnDemandThroughputThrottleEvents"
	WriteMaxOnDemandThroughputThrottleEvents Metric = "WriteMaxOnDemandThroughputThrottleEvents"
	ReadAccountLimitThrottleEvents           Metric = "ReadAccountLimitThrottleEvents"
	WriteAccountLimitThrottleEvents          Metric = "WriteAccountLimitThrottleEvents"

	SuccessfulRequestLatency       Metric = "SuccessfulRequestLatency"
	SystemErrors                   Metric = "SystemErrors"
	UserErrors                     Metric = "UserErrors"
	ConditionalCheckFailedRequests Metric = "ConditionalCheckFailedRequests"
	TransactionConflict            Metric = "TransactionConflict"
	ReturnedItemCount              Metric = "ReturnedItemCount"
	TimeToLiveDeletedItemCount     Metric = "TimeToLiveDeletedItemCount"
	ReplicationLatency             Metric = "ReplicationLatency"
	OnlineIndexPercentageProgress  Metric = "OnlineIndexPercentageProgress"
	OnlineIndexConsumedWriteUnits  Metric = "OnlineIndexConsumedWriteCapacity"
	OnlineIndexThrottleEvents      Metric = "OnlineIndexThrottleEvents"
)

// Metrics lists every metric above. A producer skips what it doesn't find here.
var Metrics = []Metric{
	ConsumedReadCapacityUnits, ConsumedWriteCapacityUnits,
	ProvisionedReadCapacityUnits, ProvisionedWriteCapacityUnits,
	OnDemandMaxReadRequestUnits, OnDemandMaxWriteRequestUnits,
	AccountMaxReads, AccountMaxWrites, AccountMaxTableLevelReads, AccountMaxTableLevelWrites,
	ReadThrottleEvents, WriteThrottleEvents, ThrottledRequests,
	ReadKeyRangeThroughputThrottleEvents, WriteKeyRangeThroughputThrottleEvents,
	ReadProvisionedThroughputThrottleEvents, WriteProvisionedThroughputThrottleEvents,
	ReadMaxOnDemandThroughputThrottleEvents, WriteMaxOnDemandThroughputThrottleEvents,
	ReadAccountLimitThrottleEvents, WriteAccountLimitThrottleEvents,
	SuccessfulRequestLatency, SystemErrors, UserErrors, ConditionalCheckFailedRequests,
	TransactionConflict, ReturnedItemCount, TimeToLiveDeletedItemCount, ReplicationLatency,
	OnlineIndexPercentageProgress, OnlineIndexConsumedWriteUnits, OnlineIndexThrottleEvents,
}

// AbsentMeansZero reports whether a missing point of a series that was asked
// for and answered in full means that nothing happened. It is so for counters
// of refusals and errors, which yield points only when the event happens
// (CloudWatch, "Configuring how alarms treat missing data"). It is not so for
// consumed units, latency and capacity: there a missing point is unknown.
func (m Metric) AbsentMeansZero() bool {
	switch m {
	case ThrottledRequests, SystemErrors, UserErrors, ConditionalCheckFailedRequests,
		TransactionConflict, TimeToLiveDeletedItemCount:
		return true
	}
	return strings.HasSuffix(string(m), "ThrottleEvents")
}

// Consumed is the metric of consumed units in a direction.
func Consumed(d Direction) Metric {
	return pick(d, ConsumedReadCapacityUnits, ConsumedWriteCapacityUnits)
}

// Provisioned is the metric of provisioned capacity in a direction.
func Provisioned(d Direction) Metric {
	return pick(d, ProvisionedReadCapacityUnits, ProvisionedWriteCapacityUnits)
}

// OnDemandMax is the metric of the configured on-demand maximum in a direction.
func OnDemandMax(d Direction) Metric {
	return pick(d, OnDemandMaxReadRequestUnits, OnDemandMaxWriteRequestUnits)
}

// AccountTableMax is the metric of the account's per-table quota in a direction.
func AccountTableMax(d Direction) Metric {
	return pick(d, AccountMaxTableLevelReads, AccountMaxTableLevelWrites)
}

// ThrottleEvents is the metric that counts refusals in a direction by the limit
// that refused; UnknownLimit gives the one that counts them all.
func ThrottleEvents(d Direction, l Limit) Metric {
	switch l {
	case KeyRangeLimit:
		return pick(d, ReadKeyRangeThroughputThrottleEvents, WriteKeyRangeThroughputThrottleEvents)
	case ProvisionedLimit:
		return pick(d, ReadProvisionedThroughputThrottleEvents, WriteProvisionedThroughputThrottleEvents)
	case MaxOnDemandLimit:
		return pick(d, ReadMaxOnDemandThroughputThrottleEvents, WriteMaxOnDemandThroughputThrottleEvents)
	case AccountLimit:
		return pick(d, ReadAccountLimitThrottleEvents, WriteAccountLimitThrottleEvents)
	}
	return pick(d, ReadThrottleEvents, WriteThrottleEvents)
}

func pick(d Direction, read, write Metric) Metric {
	if d == Read {
		return read
	}
	return write
}

// APIOperations lists the values of the Operation dimension (Developer Guide,
// "Dimensions for DynamoDB metrics"), without GetRecords, which reads streams.
var APIOperations = []string{
	"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems",
	"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems",
	"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction",
}

// OperationDirection tells whether an API operation reads or writes. ok is false
// for PartiQL operations, which may do either, and for unknown names.
func OperationDirection(operation string) (d Direction, ok bool) {
	switch operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems":
		return Read, true
	case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
		return Write, true
	}
	return "", false
}

// Statistic is a CloudWatch statistic.
type Statistic string

// The statistics that these metrics offer. For consumed units, Maximum is the
// most that any single request used; SampleCount is not a number of requests.
// P99 is a percentile, which is not to be had of consumed units and can't be
// joined over periods: the worst of several is all that can be said of them.
const (
	Sum         Statistic = "Sum"
	Average     Statistic = "Average"
	Minimum     Statistic = "Minimum"
	Maximum     Statistic = "Maximum"
	SampleCount Statistic = "SampleCount"
	P99         Statistic = "p99"
)

// Statistics lists every statistic above. A producer skips what it doesn't find here.
var Statistics = []Statistic{Sum, Average, Minimum, Maximum, SampleCount, P99}

// SeriesID names one series. It is comparable.
type SeriesID struct {
	Resource ResourceID `json:"resource"`
	Metric   Metric     `json:"metric"`
	Stat     Statistic  `json:"stat"`
	// Operation is an API operation, such as "PutItem", for the metrics that
	// have that dimension, else "".
	Operation string `json:"operation,omitempty"`
	// Traffic is the dimension Source of consumed write units ("Customer" or
	// "GlobalTable" for replicated writes), else "".
	Traffic string `json:"traffic,omitempty"`
}

// Point is one value of a series. Time is the start of its period.
type Point struct {
	Time  time.Time `json:"t"`
	Value float64   `json:"v"`
}

// Status is what CloudWatch said of a series' completeness.
type Status string

// The four values of StatusCode. InternalError's and Forbidden's points are
// never used, so producers drop them.
const (
	Complete      Status = "Complete"
	PartialData   Status = "PartialData"
	InternalError Status = "InternalError"
	Forbidden     Status = "Forbidden"
)

// Series is one series' points over a request's window, oldest first. A series
// that was asked for and has no points is present with none: that tells
// "nothing was published" from "nobody asked".
type Series struct {
	ID     SeriesID      `json:"id"`
	Period time.Duration `json:"period"`
	Status Status        `json:"status"`
	Points []Point       `json:"points"`
}

// State says what a missing or present value means.
type State uint8

// Unknown is the zero value: nobody asked, or AWS gave no answer. Pending is
// too new to have been published. Known includes a known zero.
const (
	Unknown State = iota
	Pending
	Known
)

// SortPoints orders points oldest first and keeps the last given of those with
// the same time. It works in place.
func SortPoints(points []Point) []Point {
	slices.SortStableFunc(points, func(a, b Point) int { return a.Time.Compare(b.Time) })
	kept := points[:0]
	for _, p := range points {
		if n := len(kept); n > 0 && kept[n-1].Time.Equal(p.Time) {
			kept[n-1] = p
			continue
		}
		kept = append(kept, p)
	}
	return kept
}
