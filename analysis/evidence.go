package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Strength says in a word how much a piece of evidence weighs: "strong" where it makes the
// cause at least ten times likelier, or less likely, against the others; "moderate" at
// least three times; else "weak". "" where it weighs nothing and only explains.
func (v Evidence) Strength() string {
	odds := math.Exp(math.Abs(v.Weight))
	switch {
	case v.Weight == 0:
		return ""
	case odds >= 10:
		return "strong"
	case odds >= 3:
		return "moderate"
	}
	return "weak"
}

// Weightiest is the evidence on one side, the weightiest first; what weighs nothing
// comes last.
func (e *Event) Weightiest(supports bool) []Evidence {
	var out []Evidence
	for _, v := range e.Evidence {
		if v.Supports == supports {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, func(a, b Evidence) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return out
}

// Overturn says what would have to be seen for another verdict, and which that would be,
// one sentence each. It follows from the cause and its limit alone.
func (e *Event) Overturn() []string {
	var out []string
	add := func(seen, then string) { out = append(out, seen+": then "+then) }
	unit := e.Direction.Unit()
	ceiling := telemetry.Thousands(float64(partition.Ceiling(e.Direction))) + " " + unit + "/s"
	large := decimal(largeUnits(e.Direction)) + " " + unit
	if e.LimitInferred {
		add("a throttle metric that names another limit than "+limitPhrase(e.Limit), "the cause is sought there")
	}
	switch e.Cause {
	case HotKey:
		add("refusals that move from key to key, or fall on several of which none draws near "+ceiling, "a hot partition")
		add("requests for "+e.keyName("the key")+" that cost "+large+" or more each", "large items")
	case HotPartition:
		add("one key that draws near "+ceiling+" alone and takes most of the refusals", "a hot key")
		add("refused requests that cost "+large+" or more each", "large items")
	case LargeItem:
		add("refused requests that cost less than "+large+" each", "a hot key, or a hot partition")
	case TableCapacity:
		add("most refusals at a partition's limit while the table has capacity to spare", "a hot key, or a hot partition")
		add("single requests of "+large+" or more that came with the trouble", "large items")
	case GSIPressure:
		add("most refusals at the table's own limits instead of index "+e.Resource.Index+"'s", "the table's own keys or capacity")
	case AccountQuota:
		add("most refusals at the table's own limits, below the account's quota", "a hot key, or the table's capacity")
	case Undetermined:
		add("one key that takes most of the refusals", "a hot key")
		add("refusals spread over many keys, none of them near "+ceiling, "a hot partition")
	}
	return out
}
