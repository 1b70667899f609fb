package analysis

import (
	"fmt"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// wontHelp names the fixes that people reach for and that would not cure the event,
// the most tempting first.
func (a *adviser) wontHelp() {
	switch a.event.Cause {
	case HotKey, HotPartition, LargeItem:
		a.againstPartition()
	case TableCapacity:
		a.againstTable()
	case GSIPressure:
		a.againstIndex()
	case AccountQuota:
		a.avoid("more table capacity", "the quota holds whatever the table is set to")
		a.avoid("sharding keys", "the quota counts the whole table, however its load is spread")
	case Undetermined:
		a.avoid("raising capacity on a guess", "it cures neither a hot key nor a hot partition, and the data don't tell which limit's cause it is")
	}
}

// partitionLimit is why no table-wide setting reaches a partition's limit.
func (a *adviser) partitionLimit() string {
	text := fmt.Sprintf("one partition serves %s %s/s, whatever the %s is allowed", telemetry.Thousands(a.ceiling()), a.event.Direction.Unit(), a.kind())
	if used, allowed := a.event.usedOfAllowed(a.load); allowed > 0 {
		text += fmt.Sprintf("; only %s of %s are used", telemetry.Thousands(used), telemetry.Thousands(allowed))
	}
	return text
}

func (a *adviser) kind() string {
	if a.onIndex() {
		return "index"
	}
	return "table"
}

func (a *adviser) againstPartition() {
	if a.event.Limit != telemetry.KeyRangeLimit && a.event.Limit != telemetry.UnknownLimit {
		a.avoid("more retries", "costly requests are refused again until they cost less or more is allowed")
		return
	}
	grows := a.has(TooFewPartitions) || a.has(OnDemandNewPeak)
	if grows {
		a.avoid("sharding keys", "no key is hot: there are too few partitions for the load")
	} else {
		a.avoid("more table capacity", a.partitionLimit())
	}
	if !a.onDemand() && !grows {
		a.avoid("switching to on-demand", "an on-demand table's partitions have the same limit")
	}
	if a.reads() && a.event.Cause == HotKey && a.oneItem() {
		a.avoid("sharding the key", "it is one item, so shards are copies that every write must reach; a cache carries repeated reads")
	}
	if s := a.event.Splitting; s != nil && !s.Cures {
		a.avoid("waiting for a split", s.Why)
	}
}

func (a *adviser) againstTable() {
	if a.has(ScanFactor) {
		a.avoid("more capacity for the scan", "a scan takes as much as it is given")
	}
	if a.event.Limit == telemetry.MaxOnDemandLimit {
		a.avoid("pre-warming", "the maximum is a setting of yours and holds however warm the table is")
		a.avoid("more retries", "the maximum refuses them too")
		a.avoid("sharding keys", "the maximum counts the whole table, however its load is spread")
		return
	}
	a.avoid("sharding keys", "the whole table's throughput is used up, and no key stands out")
	if a.has(AutoScalingAtMaximum) {
		a.avoid("waiting for auto scaling", "it is at its maximum")
	}
	if a.has(AutoScalingLag) {
		a.avoid("a higher auto scaling maximum", "auto scaling came too late, not too low")
	}
	a.avoid("waiting for a split", "splitting spreads load over partitions and adds no throughput")
}

func (a *adviser) againstIndex() {
	a.avoid("more table capacity", "an index has throughput of its own; the table's is not what refuses")
	switch {
	case a.event.Limit == telemetry.KeyRangeLimit:
		a.avoid("more index capacity", a.partitionLimit())
	case a.event.Limit == telemetry.ProvisionedLimit && !a.has(HotKeyFactor):
		a.avoid("sharding the table's key", "the index is spread by its own key, not by the table's")
	}
	if a.reads() {
		a.avoid("eventually consistent reads", "reads of a global secondary index already are")
	} else {
		a.avoid("more retries", "each retried write asks the index again")
	}
}
