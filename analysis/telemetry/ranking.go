package telemetry

import (
	"strings"
	"time"
)

// RuleKind is which of Contributor Insights' four rules a ranking comes from.
type RuleKind string

// The rules (Developer Guide, "CloudWatch Contributor Insights for DynamoDB: How
// it works"). The first two rank by consumed throughput, 3 x write units + read
// units a minute; the last two count throttle errors a minute. The two units
// never share an axis.
const (
	AccessedPartitionKeys  RuleKind = "PKC"
	AccessedItems          RuleKind = "SKC" // partition and sort key together
	ThrottledPartitionKeys RuleKind = "PKT"
	ThrottledItems         RuleKind = "SKT" // partition and sort key together
)

// RuleKinds lists all four.
var RuleKinds = [...]RuleKind{AccessedPartitionKeys, AccessedItems, ThrottledPartitionKeys, ThrottledItems}

// Throttled reports whether the rule counts throttle errors.
func (k RuleKind) Throttled() bool { return k == ThrottledPartitionKeys || k == ThrottledItems }

// WithSortKey reports whether the rule ranks partition and sort key together.
func (k RuleKind) WithSortKey() bool { return k == AccessedItems || k == ThrottledItems }

// ruleNamePrefix begins the name of every rule that DynamoDB manages.
const ruleNamePrefix = "DynamoDBContributorInsights-"

// RuleKindOf reads the kind from a rule's name, the only part of such a name
// that can be read reliably. ok is false for other rules.
func RuleKindOf(rule string) (kind RuleKind, ok bool) {
	rest, found := strings.CutPrefix(rule, ruleNamePrefix)
	if !found || len(rest) < 4 || rest[3] != '-' {
		return "", false
	}
	for _, k := range RuleKinds {
		if rest[:3] == string(k) {
			return k, true
		}
	}
	return "", false
}

// Key is a key as Contributor Insights shows it, byte for byte. Sort is "" for
// rankings by partition key alone.
type Key struct {
	Partition string `json:"p"`
	Sort      string `json:"s,omitempty"`
}

// Contributor is one ranked key. Its points are oldest first; a minute without
// a point means that the key was not ranked in that minute, not that it was
// idle.
type Contributor struct {
	Key    Key     `json:"key"`
	Points []Point `json:"points"`
}

// MaxContributors is the most contributors a DynamoDB rule reports (Developer
// Guide, "CloudWatch Contributor Insights for DynamoDB: How it works").
const MaxContributors = 25

// Ranking is one report of one rule. An empty ranking is not the same as none:
// the rule was asked and had nothing to say.
type Ranking struct {
	Resource ResourceID `json:"resource"`
	Kind     RuleKind   `json:"kind"`
	Rule     string     `json:"rule"`
	// KeyLabels are the names of the key attributes, where AWS gives them.
	KeyLabels []string `json:"key_labels,omitempty"`
	// Start and End bound the report's window; zero where unknown.
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
	// Aggregate is AggregateValue, over all contributors, and Unique is
	// ApproximateUniqueCount; both over the report's window, nil where unknown.
	Aggregate    *float64      `json:"aggregate,omitempty"`
	Unique       *float64      `json:"unique,omitempty"`
	Contributors []Contributor `json:"contributors"`
}
