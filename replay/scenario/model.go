package scenario

import (
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Scenario is a table, its indexes, what is asked of them and how they are
// observed. Times within it are offsets from the window's start.
type Scenario struct {
	// Name is the file's name without its ending; Title and About are for
	// people, About a paragraph on what the scenario teaches.
	Name, Title, About string

	Start   time.Time // of the window, whole minutes, UTC
	Length  time.Duration
	Account string
	Region  string
	// Quota is the account's quota for one table in each direction, and
	// QuotaSaved how many seconds of it the table can run ahead.
	Quota      telemetry.Rate
	QuotaSaved float64

	// Legacy leaves out the metrics by cause, as before August 2025.
	Legacy bool
	// DescribedAfter takes the description at the window's end, with all that
	// has changed by then; else it is taken at the start.
	DescribedAfter bool
	// Stray is how many refusals an hour come from nowhere in particular.
	Stray float64
	// Gaps is how many minutes lack their consumed points.
	Gaps int

	Table     Table
	Indexes   []Index
	Loads     []Load
	Changes   []Change
	Scaling   []Scaling
	Expect    []Expectation
	ExpectNil bool // nothing is expected to be wrong
}

// Capacity is a table's or index's mode and its limits; 0 is none.
type Capacity struct {
	OnDemand                       bool
	ProvisionedRead, MaximumRead   telemetry.Rate
	ProvisionedWrite, MaximumWrite telemetry.Rate
	// Saved is how many seconds of unused provisioned throughput are kept, at
	// most partition.BurstSeconds.
	Saved float64
}

// Resource is what a table and an index have in common.
type Resource struct {
	Name       string
	Capacity   Capacity
	Partitions int
	// Uneven lets the partitions be as earlier splits may have left them, some
	// twice as wide as others.
	Uneven bool
	Bytes  int64
	Items  int64
	// HashKey and SortKey name the key attributes; SortKey may be "".
	HashKey, SortKey string
	Insights         InsightsState
	// InsightsFrom is when the rules began to count; 0 is before the window.
	InsightsFrom time.Duration
	// SplitMinutes is as in partition.Config.
	SplitMinutes float64
}

// InsightsState is what Contributor Insights does.
type InsightsState string

// The states that a scenario can name.
const (
	InsightsAccessed  InsightsState = "accessed"
	InsightsThrottled InsightsState = "throttled"
	InsightsOff       InsightsState = "off"
	InsightsEnabling  InsightsState = "enabling"
	InsightsFailed    InsightsState = "failed"
	InsightsDenied    InsightsState = "denied"
)

// Table is the table.
type Table struct {
	Resource
	Local    string // the name of a local secondary index, "" for none
	Stream   bool
	Replicas []string
}

// Index is a global secondary index. Keys and Rest say how the table's writes
// fall on its keys, whatever their keys in the table.
type Index struct {
	Resource
	Projection string  // ALL, KEYS_ONLY or INCLUDE
	Entry      float64 // write units an entry costs
	Affected   float64 // share of the table's writes that reach the index
	Keys       []Key
	Rest       Rest
}

// Key is a partition key with its share of a load.
type Key struct {
	Name  string
	Share float64 // 0 to 1
	// Spread says whether one item, all items or the newest item is used; Item
	// is that one item's sort key, Items how many there are.
	Spread partition.Spread
	Item   string
	Items  int
}

// Rest is the many keys that share what the named ones leave. Pattern holds one
// %, which stands for a number. Zipf is the exponent; 0 is uniform.
type Rest struct {
	Count   int
	Zipf    float64
	Pattern string
	// skip is how many of the busiest are left out, being simulated by
	// themselves.
	skip int
}

// Load is a stream of requests.
type Load struct {
	Name      string
	Direction telemetry.Direction
	Index     string // reads may be of an index
	Rate      float64
	Shape     Shape
	// Operations are API operations and their shares; shares add up to 1.
	Operations []Operation
	// Units is what one request costs, LargeUnits what the share Large of them
	// costs.
	Units, Large, LargeUnits float64
	// ItemBytes and LargeBytes are what items weigh, where the scenario says so
	// instead of Units and LargeUnits.
	ItemBytes, LargeBytes int
	Eventual              float64 // share of the reads, 0 to 1
	Keys                  []Key
	Together              bool // all named keys on one partition
	Rest                  Rest
	// Rolling changes the one busy key this often; 0 never.
	Rolling time.Duration
	// Attempts is how often a request is tried, the first time included.
	Attempts int
	// Replicated writes come from another Region's replica.
	Replicated bool
}

// Operation is an API operation and its share of a load.
type Operation struct {
	Name  string
	Share float64
}

// Shape says when and how evenly a load comes. The zero value is steady
// throughout.
type Shape struct {
	From, To time.Duration // To 0: until the end
	// FromRate is where a Ramp starts from; it takes Ramp to reach the rate.
	FromRate float64
	Ramp     time.Duration
	Steps    int // the ramp goes in so many steps; 0 is smooth
	// A burst of Burst comes every Every, the mean rate staying the same
	// within it: between bursts nothing comes.
	Burst, Every time.Duration
	// Wave is how far the rate swings to either side, as a share, in a Period.
	Wave   float64
	Period time.Duration
	// Jitter is how much the rate varies by chance over tens of seconds: the
	// standard deviation of its logarithm.
	Jitter float64
}

// Change sets a capacity during the incident. Index is "" for the table.
type Change struct {
	At        time.Duration
	Index     string
	Direction telemetry.Direction
	Maximum   bool // the on-demand maximum, not the provisioned throughput
	Rate      telemetry.Rate
}

// Scaling is a target-tracking policy. Target is a share, 0.2 to 0.9.
type Scaling struct {
	Index     string
	Direction telemetry.Direction
	Min, Max  telemetry.Rate
	Target    float64
}

// Expectation is what the author expects to be found; tests hold the simulated
// truth against it.
type Expectation struct {
	Index        string
	Direction    telemetry.Direction
	Cause        string
	Limit        telemetry.Limit
	Contributing []string
}
