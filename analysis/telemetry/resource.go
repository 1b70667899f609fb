package telemetry

import (
	"cmp"
	"strings"
)

// TableID names a table. Account and Region are "" where the source doesn't
// tell them.
type TableID struct {
	Account string `json:"account,omitempty"`
	Region  string `json:"region,omitempty"`
	Table   string `json:"table,omitempty"`
}

// ResourceID names what has capacity of its own: a table (Index is "") or one
// of its global secondary indexes. A local secondary index shares its table's
// partitions and capacity and has no ResourceID. An empty Table stands for
// the whole account in that Region.
type ResourceID struct {
	TableID
	Index string `json:"index,omitempty"`
}

// Resource is the table itself, as a resource.
func (id TableID) Resource() ResourceID { return ResourceID{TableID: id} }

// WithIndex is the global secondary index of that name.
func (id TableID) WithIndex(index string) ResourceID {
	return ResourceID{TableID: id, Index: index}
}

// Compare orders tables by account, Region and name.
func (id TableID) Compare(other TableID) int {
	return cmp.Or(cmp.Compare(id.Account, other.Account), cmp.Compare(id.Region, other.Region), cmp.Compare(id.Table, other.Table))
}

// Compare orders a table's resources together, itself first.
func (id ResourceID) Compare(other ResourceID) int {
	return cmp.Or(id.TableID.Compare(other.TableID), cmp.Compare(id.Index, other.Index))
}

// String is "orders", or "orders/by-status" for an index, uncleaned.
func (id ResourceID) String() string {
	if id.Index == "" {
		return id.Table
	}
	return id.Table + "/" + id.Index
}

// ParseARN reads arn:aws:dynamodb:REGION:ACCOUNT:table/TABLE and the same
// followed by /index/INDEX or /stream/LABEL (the label is dropped). ok is false
// for anything else.
func ParseARN(arn string) (id ResourceID, ok bool) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "dynamodb" {
		return ResourceID{}, false
	}
	path := strings.Split(parts[5], "/")
	if len(path) < 2 || path[0] != "table" || path[1] == "" {
		return ResourceID{}, false
	}
	id = TableID{Account: parts[4], Region: parts[3], Table: path[1]}.Resource()
	if len(path) >= 4 && path[2] == "index" {
		id.Index = path[3]
	}
	return id, true
}

// Direction is the half of the traffic that a limit applies to. DynamoDB meters
// reads and writes independently (Developer Guide, "Burst and adaptive
// capacity").
type Direction string

// The two directions.
const (
	Read  Direction = "read"
	Write Direction = "write"
)

// Directions lists both, reads first.
var Directions = [...]Direction{Read, Write}

// Unit is the field's name for a capacity unit of the direction: RCU or WCU.
func (d Direction) Unit() string {
	if d == Read {
		return "RCU"
	}
	return "WCU"
}

// Limit is which of AWS's four limits refused a request.
type Limit string

// The limits, and UnknownLimit where only the sum of all refusals is known.
const (
	KeyRangeLimit    Limit = "key_range"
	ProvisionedLimit Limit = "provisioned"
	MaxOnDemandLimit Limit = "max_on_demand"
	AccountLimit     Limit = "account"
	UnknownLimit     Limit = "unknown"
)

// Limits lists the four limits that have metrics of their own.
var Limits = [...]Limit{KeyRangeLimit, ProvisionedLimit, MaxOnDemandLimit, AccountLimit}
