package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func (a *adviser) shardKey() {
	if a.pattern() == shardPattern {
		a.reshard()
		return
	}
	n, suffix := a.shards(), a.suffix()
	why := fmt.Sprintf("%s of one key%s and a partition serves %s", a.wantedText("are"), a.whileBursting(), telemetry.Thousands(a.ceiling()))
	a.add(Recommendation{
		Action: ShardKey, Stage: FixThisWeek, Parameters: map[string]any{"shards": n, "suffix": suffix},
		Summary:  fmt.Sprintf("shard %s (%s suffix)", a.overKeys(n), suffix),
		Commands: []string{a.watch()},
		Why:      why + a.shardNote(),
		Tradeoff: a.shardTradeoff(suffix, n) + a.collisions(n) + a.nextLimit(),
		Undo:     "keep reading the old key until it is empty; stop writing suffixes to go back",
		Verify:   fmt.Sprintf("the %d new keys are ranked with about %s %s/s each and none is refused", n, telemetry.Thousands(a.demand()/float64(n)), a.event.Direction.Unit()),
	})
}

func (a *adviser) whileBursting() string {
	if a.has(SubMinuteBurst) {
		return " while a burst lasts"
	}
	return ""
}

// overKeys names what is spread over n keys: each key that fills a partition by itself.
func (a *adviser) overKeys(n int) string {
	if a.has(RollingKey) && a.res.PartitionKey != "" {
		return fmt.Sprintf("each %s over %d keys", a.res.PartitionKey, n)
	}
	if full := a.event.fullKeys(); full > 1 {
		return fmt.Sprintf("%s over %d keys each", a.event.someKeys(full), n)
	}
	return fmt.Sprintf("%s over %d keys", a.key(), n)
}

// oneItem reports whether the foremost key is a single item, not a collection. An index
// key is none: several items may share even its sort key.
func (a *adviser) oneItem() bool {
	if a.onIndex() {
		return false
	}
	if len(a.event.Keys) > 0 && a.event.Keys[0].Key.Sort != "" {
		return true
	}
	return a.res.PartitionKey != "" && a.res.SortKey == ""
}

// shardNote adds what the key's text and its being one item say about sharding it.
func (a *adviser) shardNote() string {
	var note string
	switch a.pattern() {
	case datePattern, hourPattern, timestampPattern:
		note = "; the key is a time, so all new writes meet on one key whatever its length"
	case counterPattern:
		note = "; a counter can be written to a random shard and summed when it is read"
	case statusPattern, countryPattern:
		note = "; a key with few values can't spread by itself"
	case tenantPattern:
		note = "; shard this one only, or all, by a count kept for each"
	}
	if a.oneItem() && a.pattern() != counterPattern {
		note += "; it is one item, so its shards are parts that a reader adds up or merges"
	}
	return note
}

func (a *adviser) shardTradeoff(suffix string, n int) string {
	switch {
	case a.oneItem():
		return fmt.Sprintf("reading it takes all %d parts, added up or merged by the reader; a condition on the whole item can't be checked in one write; a code change", n)
	case suffix == randomSuffix:
		return fmt.Sprintf("reading all of the key takes %d queries, merged by the reader; a code change", n)
	}
	return fmt.Sprintf("the suffix is a hash of another attribute, so one item is still one GetItem, but a query over all takes %d; a code change", n)
}

// shards is over how many keys the hot one should be spread, at least 2: each one's part
// of the wanted load, with headroom, must fit beside an ordinary partition's share. There
// are up to twice as many where each more is worth it, as it makes it likelier that no
// partition gets more of them than it carries, but not more than three times those that
// the least demand needs, for each one is a query more.
func (a *adviser) shards() int {
	const good, worth, lookedAt = 0.9, 0.05, 50
	n := max(2, int(math.Ceil(a.demand()*shardHeadroom/a.shardRoom())))
	if n > lookedAt {
		return n
	}
	most := min(2*n, 3*max(2, int(math.Ceil(a.leastDemand()/a.shardRoom()))))
	chance := a.apart(n, a.demand())
	for more := n + 1; more <= most && chance < good; more++ {
		if c := a.apart(more, a.demand()); c >= chance+worth*float64(more-n) {
			n, chance = more, c
		}
	}
	return n
}

// leastDemand is the least of what may be wanted of the hot key, as demand is the likely.
func (a *adviser) leastDemand() float64 {
	if d := a.event.Demand; d != nil && d.Likely > 0 {
		return a.demand() * math.Min(1, d.Low/d.Likely)
	}
	return a.demand()
}

// shardRoom is what shards may draw of one partition.
func (a *adviser) shardRoom() float64 { return math.Max(a.ceiling()/2, a.ceiling()-a.ordinary()) }

// ordinary is what a partition draws beside the event's keys: what no ranked key accounts
// for, or a partition's part of all that other keys draw, if that is more; 0 where unknown.
func (a *adviser) ordinary() float64 {
	var out float64
	for _, row := range slices.Backward(a.load.Rows) {
		if len(row.Keys) == 0 {
			out = float64(row.Peak)
			break
		}
	}
	var beside []float64
	for i, m := range a.load.Minutes {
		if drawn := keysDraw(a.load, a.event, i); during(a.event, m) && m.State == telemetry.Known && drawn > 0 {
			beside = append(beside, float64(m.Consumed)-drawn)
		}
	}
	const most = 0.9
	if len(beside) > 0 {
		out = math.Max(out, quantile(beside, most)/float64(max(1, a.res.Partitions.Likely)))
	}
	return out
}

// apart is the chance that no partition gets more of n shards of each full key than it
// carries where demand is wanted.
func (a *adviser) apart(n int, demand float64) float64 {
	const many = 256 // of which one more or less is no matter
	carries := int(a.shardRoom() * float64(n) / math.Max(1, demand))
	return partition.Apart(n*max(1, a.event.fullKeys()), min(many, max(1, a.res.Partitions.Likely)), carries)
}

// collisions states the chance that more of n shards meet on one partition than it
// carries, which hashing leaves to luck.
func (a *adviser) collisions(n int) string {
	on := plural(a.res.Partitions.Likely, "partition", "partitions")
	low, chance := 1-a.apart(n, a.leastDemand()), 1-a.apart(n, a.demand())
	if chance < 0.005 {
		return fmt.Sprintf("; wherever they fall on %s, each carries its part", on)
	}
	about := "about " + percent(chance)
	if percent(low) != percent(chance) {
		about = fmt.Sprintf("%s if %s %s/s are wanted of a key and %s if %s are", percent(low), telemetry.Thousands(a.leastDemand()),
			a.event.Direction.Unit(), percent(chance), telemetry.Thousands(a.demand()))
	}
	return fmt.Sprintf("; the chance that more of them meet on one of %s than it carries is %s: refusals then go on, fewer, until a split parts them", on, about)
}

// nextLimit warns of the table-wide limit that is met once no partition refuses any more.
func (a *adviser) nextLimit() string {
	now, then := a.capacityNow(), a.demandOfAll()
	if now <= 0 || then <= now {
		return ""
	}
	return fmt.Sprintf("; what is wanted comes to about %s %s/s in all (modelled), more than the %s that %s may use: raise that before",
		telemetry.Thousands(then), a.event.Direction.Unit(), telemetry.Thousands(now), a.place())
}

// reshard advises more shards for a key that is sharded already.
func (a *adviser) reshard() {
	siblings := a.siblings()
	n := max(siblings+1, int(math.Ceil(float64(siblings)*a.demand()*shardHeadroom/a.ceiling())))
	a.add(Recommendation{
		Action: ShardKey, Stage: FixThisWeek, Parameters: map[string]any{"shards": n, "suffix": a.suffix()},
		Summary:  fmt.Sprintf("raise the shards of %s from %d seen to %d", a.key()+" and its like", siblings, n),
		Commands: []string{a.watch()},
		Why:      "the keys carry a shard suffix already, and each of them is still too heavy for a partition",
		Tradeoff: "readers must know the new count before writers use it",
		Undo:     "readers keep the higher count; writers go back to the lower",
		Verify:   "no shard is refused",
	})
}

// siblings counts the ranked keys that share the foremost key's logical key.
func (a *adviser) siblings() int {
	n, logical := 0, logicalKey(a.key())
	for _, k := range a.load.Keys {
		if logicalKey(k.Key.Partition) == logical {
			n++
		}
	}
	return max(2, n)
}

// Suffixes of sharded keys, in the contract's words.
const (
	randomSuffix     = "random"
	calculatedSuffix = "calculated"
)

// suffix is random where the key is written and hardly read, or is one item, whose parts
// are all read together; else calculated, so that a reader can work out an item's shard.
func (a *adviser) suffix() string {
	const hardly = 0.1
	writes, reads := a.keyPeak(a.res.Write), a.keyPeak(a.res.Read)
	switch {
	case a.reads():
		return calculatedSuffix
	case a.oneItem(), a.pattern() == counterPattern, reads <= hardly*writes:
		return randomSuffix
	}
	return calculatedSuffix
}

// keyPeak is the foremost key's busiest minute in a direction; the resource's own where
// no key is ranked.
func (a *adviser) keyPeak(l *Load) float64 {
	for _, k := range l.Keys {
		if k.Key.Partition == a.key() {
			return float64(k.Peak)
		}
	}
	if len(l.Keys) > 0 || l.Peak == nil {
		return 0
	}
	return float64(*l.Peak)
}
