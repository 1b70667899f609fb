package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// what says what is behind the event, with its numbers as far as they are known.
func (e *Event) what(l *Load) string {
	switch e.Cause {
	case HotKey:
		if n := e.fullKeys(); n > 1 {
			return e.someKeys(n) + " fill a partition each" + e.hottestText()
		}
		return e.keyName("one key") + " fills one partition" + e.hottestText()
	case HotPartition:
		return e.sharedText() + e.hottestText()
	case LargeItem:
		return e.largeText(l)
	case TableCapacity:
		return e.capacityText(l)
	case GSIPressure:
		return e.indexText(l)
	case AccountQuota:
		return "the account's per-table quota is reached" + e.servedText()
	}
	return "refused at " + limitPhrase(e.Limit) + " for a reason the data don't show"
}

// keyName is the foremost key, or a substitute where none is known.
func (e *Event) keyName(otherwise string) string {
	if len(e.Keys) == 0 {
		return otherwise
	}
	k := e.Keys[0].Key
	if k.Sort != "" {
		return k.Partition + " / " + k.Sort
	}
	return k.Partition
}

// hottestText is ": about 1,000 of 1,000 WCU/s (modelled)", or a range where the model leaves
// more open than a twentieth.
func (e *Event) hottestText() string {
	h := e.Hottest
	if h == nil {
		return ""
	}
	const narrow = 1.05
	unit := e.Direction.Unit() + "/s"
	low, high, ceiling := float64(h.Low), float64(h.High), telemetry.Thousands(float64(h.Ceiling))
	if slices.Contains(e.Contributing, SubMinuteBurst) {
		return fmt.Sprintf(", in bursts of seconds: %s to %s of %s %s as a minute's mean (modelled)", telemetry.Thousands(low), telemetry.Thousands(high), ceiling, unit)
	}
	if high <= narrow*low {
		return fmt.Sprintf(": about %s of %s %s (modelled)", telemetry.Thousands(float64(h.Rate)), ceiling, unit)
	}
	return fmt.Sprintf(": %s to %s of %s %s (modelled)", telemetry.Thousands(low), telemetry.Thousands(high), ceiling, unit)
}

// sharedText says what fills a partition where no single key does.
func (e *Event) sharedText() string {
	switch {
	case slices.Contains(e.Contributing, RollingKey):
		return "the hot key moves on, and each fills its partition in turn"
	case slices.Contains(e.Contributing, OnDemandNewPeak):
		return "a new on-demand peak outgrew the partitions there are"
	case slices.Contains(e.Contributing, TooFewPartitions):
		return "the load is near what all partitions together serve"
	case len(e.Keys) > 1:
		return e.someKeys(len(e.Keys)) + " are consistent with sharing one full partition"
	}
	return "a partition is full and no single key explains it"
}

// fullKeys counts the event's leading keys that draw about all a partition serves.
func (e *Event) fullKeys() int {
	const about = 0.85
	for n, k := range e.Keys {
		if k.Rate == nil || k.Rate.Likely < about*float64(partition.Ceiling(e.Direction)) {
			return n
		}
	}
	return len(e.Keys)
}

// someKeys names the first two of n keys and counts the others; n is at least 2.
func (e *Event) someKeys(n int) string {
	first, second := e.Keys[0].Key.Partition, e.Keys[1].Key.Partition
	if more := n - 2; more > 0 {
		return fmt.Sprintf("%s, %s and %d more", first, second, more)
	}
	return first + " and " + second
}

func (e *Event) largeText(l *Load) string {
	fills := "fill " + limitPhrase(e.Limit)
	if e.Limit == telemetry.KeyRangeLimit {
		fills = "fill one partition"
	}
	who := "requests"
	if len(e.Keys) > 0 {
		who = "requests for " + e.keyName("")
	}
	if largest := e.largest(l); largest > 0 {
		return fmt.Sprintf("%s that cost up to %s %s each %s%s", who, decimal(largest), e.Direction.Unit(), fills, e.hottestText())
	}
	return "costly " + who + " " + fills + e.hottestText()
}

func (e *Event) capacityText(l *Load) string {
	whose := "the table's provisioned throughput is used up"
	if e.Limit == telemetry.MaxOnDemandLimit {
		whose = "the table's own on-demand maximum is reached"
	}
	return whose + e.usedText(l)
}

// usedText is ": 498 of 500 WCU/s" in the minute with the most refusals.
func (e *Event) usedText(l *Load) string {
	used, allowed := e.usedOfAllowed(l)
	if allowed <= 0 {
		return e.servedText()
	}
	const half = 0.8
	text := fmt.Sprintf(": %s of %s %s/s", telemetry.Thousands(used), telemetry.Thousands(allowed), e.Direction.Unit())
	if used < half*allowed {
		text += " as a minute's mean, in shorter bursts"
	}
	return text
}

func (e *Event) servedText() string {
	if e.Demand == nil {
		return ""
	}
	return fmt.Sprintf(": %s %s/s served", telemetry.Thousands(e.Demand.Low), e.Direction.Unit())
}

func (e *Event) indexText(l *Load) string {
	blocks := "; no write to the table is blocked"
	if e.Direction == telemetry.Write {
		blocks = ", which blocks writes to the table"
	}
	text := "index " + e.Resource.Index + " refuses" + blocks
	switch e.Limit {
	case telemetry.KeyRangeLimit:
		who := "one of its partitions is full"
		if len(e.Keys) > 0 && slices.Contains(e.Contributing, HotKeyFactor) {
			who = e.keyName("") + " fills one of its partitions"
		}
		if load := strings.TrimLeft(e.hottestText(), ":, "); load != "" {
			who += ", " + load
		}
		return text + ": " + who
	case telemetry.ProvisionedLimit, telemetry.MaxOnDemandLimit:
		return text + e.usedText(l)
	}
	return text + " at " + limitPhrase(e.Limit)
}

// inside reports whether a minute lies within the event.
func (e *Event) inside(m Minute) bool {
	return !m.Start.Before(e.Start) && m.Start.Before(e.End)
}

// largest is the most units that one request used during the event; 0 where unknown.
func (e *Event) largest(l *Load) float64 {
	var most telemetry.Units
	if l != nil {
		for _, m := range l.Minutes {
			if e.inside(m) {
				most = max(most, m.Largest)
			}
		}
	}
	return float64(most)
}

// usedOfAllowed is the load and the table-wide limit in the event's minute with the most
// refusals, of those where both are known; zeros where there is none.
func (e *Event) usedOfAllowed(l *Load) (used, allowed float64) {
	if l == nil {
		return 0, 0
	}
	most := -1.0
	for _, m := range l.Minutes {
		if !e.inside(m) || m.State != telemetry.Known || m.Capacity <= 0 {
			continue
		}
		if m.Throttled > most {
			most, used, allowed = m.Throttled, float64(m.Consumed), float64(m.Capacity)
		}
	}
	return used, allowed
}

// span says since when, and whether it is over.
func (e *Event) span() string {
	if e.Ongoing {
		return "since " + clock(e.Start)
	}
	if !sameDay(e.Start, e.End) {
		return fmt.Sprintf("from %s to %s, over", clock(e.Start), e.End.UTC().Format("Jan 2 15:04"))
	}
	return fmt.Sprintf("from %s to %s, over", clock(e.Start), clock(e.End))
}

func clock(t time.Time) string { return t.UTC().Format("15:04") }

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// RefusedText says how much of the wanted work met a refusal, such as
// "1 in 60 to 1 in 6 writes refused"; the count of refusals where the number of
// requests isn't known. It is a range because refusals are attempts: a client's
// retries of one operation count one by one.
func (e *Event) RefusedText() string {
	work := e.work() + "s"
	r := e.Refused
	if r == nil || r.High <= 0 {
		if e.ThrottledEvents <= 0 {
			return "no refusals counted"
		}
		return plural(int(math.Ceil(e.ThrottledEvents)), "refusal", "refusals")
	}
	low, high := oneIn(r.Low), oneIn(r.High)
	if r.High >= 0.3 {
		low, high = percent(r.Low), percent(r.High)
		work = "of " + work
	}
	if low == high || r.Low <= 0 {
		if r.Low <= 0 {
			high = "up to " + high
		}
		return high + " " + work + " refused"
	}
	return low + " to " + high + " " + work + " refused"
}

// oneIn writes a share as "1 in 6", to two digits.
func oneIn(share float64) string {
	if share <= 0 {
		return "none"
	}
	n := 1 / share
	scale := math.Pow(10, math.Max(0, math.Floor(math.Log10(n))-1))
	return "1 in " + telemetry.Thousands(math.Round(n/scale)*scale)
}

// limitPhrase names a limit in words.
func limitPhrase(l telemetry.Limit) string {
	switch l {
	case telemetry.KeyRangeLimit:
		return "a partition's limit"
	case telemetry.ProvisionedLimit:
		return "the provisioned throughput"
	case telemetry.MaxOnDemandLimit:
		return "the on-demand maximum"
	case telemetry.AccountLimit:
		return "the account's per-table quota"
	}
	return "an unknown limit"
}
