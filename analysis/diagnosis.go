package analysis

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Cause is what is behind an event.
type Cause string

// The causes; contract and README define each.
const (
	HotKey        Cause = "hot_key"
	HotPartition  Cause = "hot_partition"
	TableCapacity Cause = "table_capacity"
	GSIPressure   Cause = "gsi_pressure"
	LargeItem     Cause = "large_item"
	AccountQuota  Cause = "account_quota"
	Undetermined  Cause = "undetermined"
)

// Causes lists all of them.
var Causes = [...]Cause{HotKey, HotPartition, TableCapacity, GSIPressure, LargeItem, AccountQuota, Undetermined}

// Factor is something that contributes to an event or shapes it.
type Factor string

// The contributing factors.
const (
	RetryAmplification   Factor = "retry_amplification"
	LargeItemFactor      Factor = "large_item"
	HotKeyFactor         Factor = "hot_key"
	SubMinuteBurst       Factor = "sub_minute_burst"
	AutoScalingLag       Factor = "auto_scaling_lag"
	AutoScalingAtMaximum Factor = "auto_scaling_at_maximum"
	ScaledIn             Factor = "scaled_in"
	OnDemandNewPeak      Factor = "on_demand_new_peak"
	TooFewPartitions     Factor = "too_few_partitions"
	RollingKey           Factor = "rolling_key"
	SplitInProgress      Factor = "split_in_progress"
	Unsplittable         Factor = "unsplittable"
	ScanFactor           Factor = "scan"
	ReplicatedWrites     Factor = "replicated_writes"
	GSIBackPressure      Factor = "gsi_back_pressure"
)

// Diagnosis is what is known at one moment. It is never written after it was
// returned.
type Diagnosis struct {
	Source telemetry.Source
	// Window is what the diagnosis looks back on; its end is the moment.
	Window telemetry.Window
	// FetchedAt is when the newest data were had; zero where unknown.
	FetchedAt time.Time
	// Tables are in order of account, Region and name.
	Tables []*Table
	// Events are in order of start, table, index and operation.
	Events []*Event
	// Marks are what happened beside the tables, such as deploys, oldest first: those in
	// the window, and in the quarter of an hour before it. No verdict rests on them.
	Marks []telemetry.Mark
	// Warnings are those still said, in the order they were first met, without duplicates.
	Warnings []telemetry.Warning
}

// Table is one table with its indexes.
type Table struct {
	ID telemetry.TableID
	// Mode is UnknownMode where there is no description.
	Mode telemetry.Mode
	// Description is nil where there is none.
	Description *telemetry.Table
	// Resources are the table itself, then its indexes by name.
	Resources []*Resource
	// Changes are what happened to capacity and partitions, oldest first.
	Changes []Change
}

// Resource is a table or an index.
type Resource struct {
	ID         telemetry.ResourceID
	Partitions Partitions
	// Insights is nil where the state is unknown.
	Insights *telemetry.Insights
	// Watch is whether and how its keys can be seen; KeysText says it in words.
	Watch KeyWatch
	// PartitionKey and SortKey name the key attributes, "" where unknown or none.
	PartitionKey, SortKey string
	Read, Write           *Load // never nil
}

// Load is the load in one direction.
func (r *Resource) Load(d telemetry.Direction) *Load {
	if d == telemetry.Read {
		return r.Read
	}
	return r.Write
}

// Partitions is how many partitions a resource is thought to have, and why.
type Partitions struct {
	Low, Likely, High int
	Source            PartitionSource
}

// PartitionSource is what a number of partitions was read from, the best first.
type PartitionSource string

// The sources.
const (
	FromStreamShards   PartitionSource = "stream_shards"
	FromWarmThroughput PartitionSource = "warm_throughput"
	FromProvisioned    PartitionSource = "provisioned"
	FromSize           PartitionSource = "size"
	Assumed            PartitionSource = "assumed"
)

// Load is one direction of a resource over the window.
type Load struct {
	Direction telemetry.Direction
	// Ceiling is one partition's limit: 3,000 read or 1,000 write units a second.
	Ceiling telemetry.Rate
	// Minutes are measured, oldest first, one for each period of the window. Loads that
	// are alike may share them.
	Minutes []Minute
	// Earlier are the same hours of earlier days, the nearest first; empty where nobody
	// asked for them.
	Earlier []Earlier
	// Rows are modelled: partitions, the worst first. Each has a cell for each of
	// Minutes. Empty where nothing is known of the load.
	Rows []*Row
	// Keys are measured as far as Contributor Insights ranks them, the worst first.
	Keys []*KeyLoad
	// Peak is the busiest minute's mean rate; nil where no minute is known.
	Peak *telemetry.Rate
	// Throttled is the sum of throttle events over the window.
	Throttled float64
	// RefusalsOnly says that refusals were asked for and nothing else: consumed units
	// are unknown because nobody wanted them, as of the quiet tables of a fleet.
	RefusalsOnly bool
}

// Minute is what CloudWatch said of one minute (or one longer period).
type Minute struct {
	Start time.Time
	// Consumed is the mean rate; State tells whether it is known.
	Consumed telemetry.Rate
	State    telemetry.State
	// Capacity is the table-wide limit in force, provisioned or on-demand maximum;
	// 0 where there is none or it is unknown. CapacityAge is how old the value is.
	Capacity    telemetry.Rate
	CapacityAge time.Duration
	// Throttled counts throttle events in all and by limit; ThrottleState tells
	// whether the total is known, LimitState whether the parts are.
	Throttled     float64
	ByLimit       LimitCounts
	ThrottleState telemetry.State
	LimitState    telemetry.State
	// Largest is the most units one request used; 0 where unknown.
	Largest telemetry.Units
	// Requests are successful requests by the operations of this direction, of the
	// table and its indexes together; -1 where unknown.
	Requests float64
	// Provisional marks a minute so new that AWS may still revise it.
	Provisional bool
}

// LimitCounts are throttle events by the limit that refused.
type LimitCounts struct{ KeyRange, Provisioned, MaxOnDemand, Account float64 }

// Of is the count for one limit; 0 for UnknownLimit.
func (c LimitCounts) Of(l telemetry.Limit) float64 {
	switch l {
	case telemetry.KeyRangeLimit:
		return c.KeyRange
	case telemetry.ProvisionedLimit:
		return c.Provisioned
	case telemetry.MaxOnDemandLimit:
		return c.MaxOnDemand
	case telemetry.AccountLimit:
		return c.Account
	}
	return 0
}

// Row is a partition as modelled, or several alike ones.
type Row struct {
	// Keys are the ranked keys thought to sit here, the heaviest first; empty for
	// ordinary partitions.
	Keys []telemetry.Key
	// Count is how many partitions the row stands for; at least 1.
	Count int
	// Shared marks keys that are consistent with sharing one partition, but not
	// proven to.
	Shared bool
	// Split marks a key that is thought to be spread over several partitions; the
	// cells then show the busiest of them.
	Split bool
	Cells []Cell
	// Peak is the highest likely cell.
	Peak telemetry.Rate
}

// Cell is one partition in one minute, as a minute's mean. Low to High bounds it.
type Cell struct {
	State             telemetry.State
	Likely, Low, High telemetry.Rate
	// Throttled are throttle events put down to this partition; an estimate.
	Throttled float64
}

// KeyLoad is one ranked key over the window.
type KeyLoad struct {
	Key telemetry.Key
	// Cells hold the key's load in this direction, one for each minute; the range
	// is what 3W+R and the table's totals leave open. Unknown where not ranked.
	Cells []Cell
	// Peak is the highest likely cell.
	Peak telemetry.Rate
	// Throttled are the errors that the throttle rules count for the key, all
	// directions; -1 where no throttle rule ranks it.
	Throttled float64
	// FirstSeen is the first minute in which the key was ranked.
	FirstSeen time.Time
	// Item is "" for an item collection, else the one sort key that carries the
	// key's load, where the rankings show it.
	Item string
	// Row is the index in Load.Rows where the key is thought to sit; -1 if unknown.
	Row int
}

// Change is something that happened to a table's capacity or partitions.
type Change struct {
	At        time.Time
	Resource  telemetry.ResourceID
	Direction telemetry.Direction // "" for both
	Kind      ChangeKind
	// From and To are units a second, or partitions; 0 where unknown.
	From, To float64
	// Text is one short line, such as "WCU 8,000→6,000 (auto scaling)".
	Text string
}

// ChangeKind is what kind of change it was.
type ChangeKind string

// The kinds of change.
const (
	CapacityRaised  ChangeKind = "capacity_raised"
	CapacityLowered ChangeKind = "capacity_lowered"
	ModeSwitched    ChangeKind = "mode_switched"
	PartitionSplit  ChangeKind = "partition_split"
)

// Event is one incident on one resource in one direction.
type Event struct {
	// ID is ACCOUNT/REGION/TABLE/INDEX/OPERATION/START and stays while the event
	// lives, even when later data move the start.
	ID        string
	Resource  telemetry.ResourceID
	Direction telemetry.Direction
	// Start is the first minute of the sustained run of trouble; End (exclusive)
	// the end of its last.
	Start, End time.Time
	// Ongoing means it still stands at the window's end.
	Ongoing bool
	Cause   Cause
	Limit   telemetry.Limit
	// LimitInferred is set where no cause-specific metric named the limit.
	LimitInferred bool
	// Confidence is the probability that Cause is right. Below NoteBelow the event
	// is a note.
	Confidence   float64
	Contributing []Factor
	// Keys are the keys behind it, the foremost first.
	Keys []EventKey
	// ThrottledEvents counts refusals between Start and End.
	ThrottledEvents float64
	// Refused is the share of wanted operations of this direction that were
	// refused at least once or for good, as a range; nil where no request count is
	// known. Low assumes all refusals are retries of few operations.
	Refused *Range
	// Demand is what was asked for in the worst minute on the limit concerned (the
	// hottest partition for a partition's limit, else the whole resource), in units
	// a second. Low is what was served; nil where unknown.
	Demand *Estimate
	// Hottest is what the busiest partition served in the worst minute; nil where
	// it doesn't apply or isn't known.
	Hottest *Hottest
	// SecondsAtCeiling bounds the seconds spent at the limit over the event; nil
	// where it doesn't apply.
	SecondsAtCeiling *Range
	// Splitting says whether DynamoDB will cure it by itself; nil where the limit
	// is not a partition's or the data don't tell.
	Splitting *Splitting
	// Evidence is for and against, the weightiest first.
	Evidence []Evidence
	// Users is what it was to those who sent requests; nil where no request is counted.
	Users *Users
	// Context says which marks came shortly before, the nearest first, one sentence each.
	// It weighs nothing: what comes before need not be a cause.
	Context []string
	// Eventual is set where the refused reads cost half a unit each, as only eventually
	// consistent ones do.
	Eventual bool
	// Missing says what the data lack and what would tell, one sentence each.
	Missing         []string
	Recommendations []Recommendation
	// WontHelp names the fixes people reach for that would not cure this.
	WontHelp []WontHelp
}

// NoteBelow is the confidence under which an event is only a note: listed, not
// in the verdict line.
const NoteBelow = 0.5

// Note reports whether the event is only a note.
func (e *Event) Note() bool { return e.Confidence < NoteBelow }

// Range is a closed interval.
type Range struct{ Low, High float64 }

// Estimate is a value with its range.
type Estimate struct{ Likely, Low, High float64 }

// Hottest is the busiest partition's served load as a minute's mean.
type Hottest struct {
	Rate, Low, High, Ceiling telemetry.Rate
	// At is the minute.
	At time.Time
}

// EventKey is a key behind an event.
type EventKey struct {
	Key telemetry.Key
	// Rate is the key's busiest minute in units a second, Low to High its range;
	// nil where unknown (throttled-keys mode, or unranked).
	Rate *Estimate
	// ThrottledEvents is what the throttle rules count within the event; nil where
	// none ranks the key.
	ThrottledEvents *float64
	// Pattern is what the key's text looks like, such as "date" or "shard suffix";
	// "" where nothing is recognised.
	Pattern string
}

// Splitting is whether split for heat will help.
type Splitting struct {
	Cures bool
	// Minutes is how long it may still take; nil where unknown.
	Minutes *Range
	Why     string
}

// Evidence is one reason for or against the verdict.
type Evidence struct {
	Supports bool
	Text     string
	// Weight is the natural logarithm of the likelihood ratio.
	Weight float64
}

// WontHelp is a fix that would not cure the event.
type WontHelp struct{ Fix, Why string }
