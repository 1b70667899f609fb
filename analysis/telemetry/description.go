package telemetry

import (
	"strconv"
	"strings"
	"time"
)

// Mode is a table's capacity mode.
type Mode string

// The modes; UnknownMode where no description was had.
const (
	ModeProvisioned Mode = "provisioned"
	ModeOnDemand    Mode = "on_demand"
	UnknownMode     Mode = "unknown"
)

// Throughput is a pair of rates; nil is not told, or not set.
type Throughput struct {
	Read  *Rate `json:"read,omitempty"`
	Write *Rate `json:"write,omitempty"`
}

// In is the rate in one direction.
func (t Throughput) In(d Direction) *Rate {
	if d == Read {
		return t.Read
	}
	return t.Write
}

// KeyAttribute is one attribute of a key schema. Role is "HASH" or "RANGE".
type KeyAttribute struct {
	Name string `json:"name"`
	Role string `json:"role"`
	Type string `json:"type,omitempty"` // "S", "N" or "B"; "" where unknown
}

// Capacity is what a table or index is allowed, as described.
type Capacity struct {
	// Provisioned is nil in on-demand mode.
	Provisioned Throughput `json:"provisioned,omitzero"`
	// OnDemandMax is the configured maximum; nil is no maximum.
	OnDemandMax Throughput `json:"on_demand_max,omitzero"`
	// Warm is the warm throughput: what the resource supports at once.
	Warm           Throughput `json:"warm,omitzero"`
	LastIncrease   time.Time  `json:"last_increase,omitzero"`
	LastDecrease   time.Time  `json:"last_decrease,omitzero"`
	DecreasesToday int        `json:"decreases_today,omitempty"`
}

// Table is DescribeTable's answer. Sizes and counts are refreshed by AWS about
// every six hours.
type Table struct {
	ID       TableID        `json:"id"`
	Status   string         `json:"status,omitempty"`
	Mode     Mode           `json:"mode"`
	Keys     []KeyAttribute `json:"keys,omitempty"`
	Capacity Capacity       `json:"capacity,omitzero"`
	// SizeBytes and Items are nil where not told.
	SizeBytes    *int64       `json:"size_bytes,omitempty"`
	Items        *int64       `json:"items,omitempty"`
	Indexes      []Index      `json:"indexes,omitempty"`
	LocalIndexes []LocalIndex `json:"local_indexes,omitempty"`
	StreamARN    string       `json:"stream_arn,omitempty"`
	Replicas     []string     `json:"replicas,omitempty"` // Regions
	Created      time.Time    `json:"created,omitzero"`
	// SwitchedToOnDemand is when the table was last switched to on-demand; it
	// stays set when the table is provisioned again.
	SwitchedToOnDemand time.Time `json:"switched_to_on_demand,omitzero"`
	// At is when the description was taken; zero where unknown. A description
	// taken after an incident shows what has already changed.
	At time.Time `json:"at,omitzero"`
}

// Index is a global secondary index.
type Index struct {
	Name        string         `json:"name"`
	Status      string         `json:"status,omitempty"`
	Backfilling bool           `json:"backfilling,omitempty"`
	Keys        []KeyAttribute `json:"keys,omitempty"`
	Projection  Projection     `json:"projection,omitzero"`
	Capacity    Capacity       `json:"capacity,omitzero"`
	SizeBytes   *int64         `json:"size_bytes,omitempty"`
	Items       *int64         `json:"items,omitempty"`
}

// LocalIndex is a local secondary index. Its presence keeps each item
// collection on one partition.
type LocalIndex struct {
	Name       string         `json:"name"`
	Keys       []KeyAttribute `json:"keys,omitempty"`
	Projection Projection     `json:"projection,omitzero"`
}

// Projection is what an index copies: Type is "ALL", "KEYS_ONLY" or "INCLUDE".
type Projection struct {
	Type       string   `json:"type,omitempty"`
	Attributes []string `json:"attributes,omitempty"`
}

// Insights is the state of Contributor Insights on a table or index.
type Insights struct {
	Resource ResourceID `json:"resource"`
	// Status is ENABLING, ENABLED, DISABLING, DISABLED, FAILED, or DENIED
	// where we were not allowed to ask.
	Status string `json:"status"`
	// Mode is ACCESSED_AND_THROTTLED_KEYS or THROTTLED_KEYS; "" on answers
	// from before August 2025, which mean the former.
	Mode    string    `json:"mode,omitempty"`
	Rules   []string  `json:"rules,omitempty"`
	Updated time.Time `json:"updated,omitzero"`
	Failure string    `json:"failure,omitempty"`
}

// Quotas are an account's limits in one Region, from DescribeLimits; nil is not
// told. Table* apply to each table, Account* to the sum of provisioned capacity.
type Quotas struct {
	Account    string     `json:"account,omitempty"`
	Region     string     `json:"region,omitempty"`
	PerTable   Throughput `json:"per_table,omitzero"`
	PerAccount Throughput `json:"per_account,omitzero"`
}

// Shards are the shards of a table's stream. AWS's workshop maps each open shard
// to one partition of the table; shards roll over about every four hours and on
// a split.
type Shards struct {
	Table  TableID `json:"table"`
	Stream string  `json:"stream,omitempty"`
	Shards []Shard `json:"shards"`
	// Truncated is set where further pages were not read.
	Truncated bool `json:"truncated,omitempty"`
}

// Shard is one stream shard. Parent is "" where it isn't told. Opened is what
// ShardOpened reads from the id.
type Shard struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent,omitempty"`
	Open   bool      `json:"open"`
	Opened time.Time `json:"opened,omitzero"`
}

// ShardOpened is when a shard was opened, in UTC. Its id is shardId-<20 digits>-<hex>, and
// the digits are milliseconds since the epoch (observed; not documented). The zero time
// where they aren't, or tell a year after 9999, which can't be written.
func ShardOpened(id string) time.Time {
	parts := strings.Split(id, "-")
	if len(parts) != 3 || parts[0] != "shardId" || len(parts[1]) != 20 {
		return time.Time{}
	}
	milliseconds, err := strconv.ParseInt(parts[1], 10, 64)
	opened := time.UnixMilli(milliseconds).UTC()
	if err != nil || milliseconds <= 0 || !Writable(opened) {
		return time.Time{}
	}
	return opened
}

// Writable reports whether a time can be written in a report or a recording: RFC 3339, and
// so JSON, has the years 0 to 9999.
func Writable(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }

// ScalingTarget is what Application Auto Scaling may do to one direction of a
// resource. Percent is the target utilization; nil without a policy.
type ScalingTarget struct {
	Resource  ResourceID `json:"resource"`
	Direction Direction  `json:"direction"`
	// Min and Max are nil where only the policy is known.
	Min       *Rate    `json:"min,omitempty"`
	Max       *Rate    `json:"max,omitempty"`
	Percent   *float64 `json:"percent,omitempty"`
	Suspended bool     `json:"suspended,omitempty"`
}

// ScalingActivity is one action of Application Auto Scaling.
type ScalingActivity struct {
	Resource  ResourceID `json:"resource"`
	Direction Direction  `json:"direction"`
	Start     time.Time  `json:"start"`
	End       time.Time  `json:"end,omitzero"` // zero while under way
	// Capacity is the capacity that was set; nil where the text doesn't say.
	Capacity    *Rate  `json:"capacity,omitempty"`
	Status      string `json:"status,omitempty"`
	Description string `json:"description,omitempty"`
	Cause       string `json:"cause,omitempty"`
}
