package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// hotKey advises on one key that fills a partition.
func (a *adviser) hotKey() {
	a.waitForSplit()
	if a.reads() {
		a.eventualReads()
		a.cacheReads()
	}
	if !a.reads() || !a.oneItem() {
		a.shardKey()
	}
	if a.has(SubMinuteBurst) {
		a.paceLoad("spread the bursts evenly over time, at no more than")
	}
	if a.has(LargeItemFactor) {
		a.shrinkItem()
	}
	switch a.pattern() {
	case datePattern, hourPattern, growingPattern:
		a.timeBucket()
	}
	a.redesignKey()
}

// hotPartition advises on a full partition that no single key explains.
func (a *adviser) hotPartition() {
	a.waitForSplit()
	if a.reads() {
		a.eventualReads()
	}
	switch {
	case a.has(RollingKey):
		a.rollingKey()
	case a.has(OnDemandNewPeak), a.has(TooFewPartitions):
		a.prewarm(RelieveNow)
	case len(a.event.Keys) > 0:
		a.shardNeighbour()
		a.prewarm(FixThisWeek)
	default:
		a.prewarm(RelieveNow)
	}
	if a.has(SubMinuteBurst) {
		a.paceLoad("spread the bursts evenly over time, at no more than")
	}
	if a.reads() {
		a.cacheReads()
	}
	if a.has(RollingKey) || a.pattern() != "" || len(a.event.Recommendations) == 0 {
		a.redesignKey()
	}
}

// rollingKey advises on a hot spot that moves from key to key. Times come as they come;
// any other order is a choice of whoever loads or scans.
func (a *adviser) rollingKey() {
	switch a.pattern() {
	case datePattern, hourPattern, timestampPattern:
	default:
		a.paceLoad("take the keys in shuffled order, at no more than")
	}
	a.timeBucket()
	a.shardKey()
}

// shardNeighbour advises sharding the heaviest of keys that share a partition, where it
// alone draws so much that a split would leave it near the ceiling.
func (a *adviser) shardNeighbour() {
	if r := a.event.Keys[0].Rate; r != nil && r.Likely >= 0.5*a.ceiling() && !a.reads() {
		a.shardKey()
	}
}

func (a *adviser) waitForSplit() {
	s := a.event.Splitting
	if s == nil || !s.Cures {
		return
	}
	if !a.event.Ongoing {
		a.add(Recommendation{
			Action: WaitForSplit, Stage: DoNothing, Parameters: map[string]any{"minutes": 0},
			Summary:  "change nothing yet: it has ended by itself, as after a split",
			Commands: []string{a.watch()},
			Why:      s.Why + "; AWS asks to see first whether splitting has solved it",
			Verify:   "no refusals at the next peak of the same size",
		})
		return
	}
	minutes := a.waitMinutes()
	a.add(Recommendation{
		Action: WaitForSplit, Stage: RelieveNow, Parameters: map[string]any{"minutes": minutes},
		Summary:  fmt.Sprintf("wait up to %d minutes: DynamoDB is likely to split the partition", minutes),
		Commands: []string{a.watch()},
		Why:      s.Why,
		Tradeoff: "refusals go on meanwhile; DynamoDB promises no time",
		Verify:   "refusals shrink in steps while the load stays",
	})
}

func (a *adviser) shardKey() {
	if a.pattern() == shardPattern {
		a.reshard()
		return
	}
	n, suffix := a.shards(), a.suffix()
	why := fmt.Sprintf("about %s %s/s are wanted of one key%s and a partition serves %s", thousands(a.demand()), unitName(a.event.Direction), a.whileBursting(), thousands(a.ceiling()))
	a.add(Recommendation{
		Action: ShardKey, Stage: FixThisWeek, Parameters: map[string]any{"shards": n, "suffix": suffix},
		Summary:  fmt.Sprintf("shard %s (%s suffix)", a.overKeys(n), suffix),
		Commands: []string{a.watch()},
		Why:      why + a.shardNote(),
		Tradeoff: shardTradeoff(suffix, n) + a.collisions(n),
		Undo:     "keep reading the old key until it is empty; stop writing suffixes to go back",
		Verify:   fmt.Sprintf("the %d new keys are ranked with about %s %s/s each and none is refused", n, thousands(a.demand()/float64(n)), unitName(a.event.Direction)),
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

// oneItem reports whether the foremost key is a single item, not a collection.
func (a *adviser) oneItem() bool {
	if len(a.event.Keys) > 0 && a.event.Keys[0].Key.Sort != "" {
		return true
	}
	return !a.onIndex() && a.res.PartitionKey != "" && a.res.SortKey == ""
}

// shardNote adds what the key's text says about sharding it.
func (a *adviser) shardNote() string {
	switch a.pattern() {
	case datePattern, hourPattern, timestampPattern:
		return "; the key is a time, so all new writes meet on one key whatever its length"
	case counterPattern:
		return "; a counter can be written to a random shard and summed when it is read"
	case statusPattern, countryPattern:
		return "; a key with few values can't spread by itself"
	case tenantPattern:
		return "; shard this one only, or all, by a count kept for each"
	}
	if a.oneItem() {
		return "; it is one item, so its shards are parts that a reader adds up or merges"
	}
	return ""
}

func shardTradeoff(suffix string, n int) string {
	if suffix == "random" {
		return fmt.Sprintf("reading all of the key takes %d queries, merged by the reader; a code change", n)
	}
	return fmt.Sprintf("the suffix is a hash of another attribute, so one item is still one GetItem, but a query over all takes %d; a code change", n)
}

// collisions states the chance that two of n shards meet on one partition, which hashing
// leaves to luck, and whether a partition would carry them both.
func (a *adviser) collisions(n int) string {
	apart := 1.0
	for i := range n {
		apart *= math.Max(0, 1-float64(i)/float64(max(1, a.res.Partitions.Likely)))
	}
	text := fmt.Sprintf("; the chance that two of them share one of %d partitions is about %s", a.res.Partitions.Likely, percent(1-apart))
	if 2*a.demand()/float64(n)+a.ordinary() <= a.ceiling() {
		return text + ", and it would carry both"
	}
	return text + ", until a split parts them"
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

// suffix is random where the key is written and hardly read, else calculated, so that
// an item's shard can be worked out by its reader.
func (a *adviser) suffix() string {
	const hardly = 0.1
	writes, reads := a.keyPeak(a.res.Write), a.keyPeak(a.res.Read)
	if a.reads() || reads > hardly*writes {
		return "calculated"
	}
	return "random"
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

func (a *adviser) redesignKey() {
	text := "choose a partition key with many evenly used values for " + a.res.ID.Table
	if a.res.PartitionKey != "" {
		text += " (now " + a.res.PartitionKey + ")"
	}
	why := "the limit is a partition's, and the key decides what shares one"
	if s := a.event.Splitting; s != nil && !s.Cures && s.Why != "" {
		why += "; no split will help: " + s.Why
	}
	a.add(Recommendation{
		Action: RedesignKey, Stage: Redesign, Parameters: map[string]any{}, Summary: text,
		Why:      why,
		Tradeoff: "a migration: a new table or index, double writes and a backfill",
		Undo:     "keep the old table until the new one has carried a full peak",
		Verify:   "no key draws more than a tenth of a partition's limit",
	})
}

// timeBucket advises on keys that are times, together with shards.
func (a *adviser) timeBucket() {
	seconds := 3600
	switch a.pattern() {
	case hourPattern:
		seconds = 300
	case timestampPattern:
		seconds = 60
	}
	a.add(Recommendation{
		Action: TimeBucketKey, Stage: Redesign, Parameters: map[string]any{"bucket_seconds": seconds},
		Summary:  fmt.Sprintf("put a bucket of %d s beside a shard suffix into the key", seconds),
		Why:      "old items then no longer share the partition that takes the newest",
		Tradeoff: "a bucket alone doesn't spread what is written now: all of it meets in the current bucket, so shard it too",
		Undo:     "readers keep both forms for as long as old items live",
		Verify:   "load moves from bucket to bucket without refusals",
	})
}

// eventualReads is no advice for an index, whose reads are eventually consistent
// already, nor where a partition serves more than strongly consistent reads can draw.
func (a *adviser) eventualReads() {
	h := a.event.Hottest
	eventual := h != nil && h.Low > partition.MaxMeanRead
	if a.onIndex() || eventual {
		return
	}
	a.add(Recommendation{
		Action: EventuallyConsistentReads, Stage: RelieveNow, Parameters: map[string]any{},
		Summary:  "read " + a.keyOrPlace() + " with eventual consistency where strong reads are used",
		Commands: []string{a.watch()},
		Why:      "it halves the units of each strongly consistent read and spreads them over replicas",
		Tradeoff: "a read may miss a write of the last second; no gain where reads are eventual already",
		Undo:     "set ConsistentRead again",
		Verify:   "consumed read units fall by up to half at the same number of requests",
	})
}

func (a *adviser) keyOrPlace() string {
	if len(a.event.Keys) == 0 {
		return a.place()
	}
	return a.key()
}

func (a *adviser) cacheReads() {
	ratio := a.hitRatio()
	a.add(Recommendation{
		Action: CacheReads, Stage: FixThisWeek, Parameters: map[string]any{"hit_ratio": ratio},
		Summary:  fmt.Sprintf("cache reads of %s: a hit ratio of %s keeps them at four fifths of the limit", a.keyOrPlace(), percent(ratio)),
		Commands: []string{a.watch()},
		Why:      fmt.Sprintf("about %s RCU/s are wanted and the limit is %s", thousands(a.demand()), thousands(a.limit())),
		Tradeoff: "cached items are as old as their time to live; DAX also hides its hits from Contributor Insights",
		Undo:     "take the cache out of the path once the load is below the limit",
		Verify:   "the key's ranked load falls by the hit ratio",
	})
}

// prewarm advises raising warm throughput, which makes partitions: to what is wanted with
// headroom, and where the table is warm enough for that in all, to twice what it is. A
// table that is far warmer has partitions enough; more of them would not spread this.
func (a *adviser) prewarm(stage Stage) {
	read, write := a.warmNow(telemetry.Read), a.warmNow(telemetry.Write)
	wanted, now := a.demandOfAll()*limitHeadroom, a.warmNow(a.event.Direction)
	target := friendly(wanted)
	if target <= now {
		target = math.Min(friendly(2*now), float64(partition.TableQuotaDefault))
	}
	const far = 4
	if target <= now || far*wanted < now {
		return
	}
	if a.reads() {
		read = target
	} else {
		write = target
	}
	a.add(Recommendation{
		Action: Prewarm, Stage: stage, Parameters: map[string]any{"read_units": read, "write_units": write},
		Summary:  fmt.Sprintf("pre-warm %s to %s %ss/s", a.place(), thousands(target), a.event.work()),
		Commands: []string{a.warm(read, write), a.describe()},
		Why:      "warm throughput is what a table serves at once; raising it makes partitions before the load does",
		Tradeoff: "charged once for the rise; takes a while; can't be lowered again",
		Verify:   "WarmThroughput.Status is ACTIVE and refusals stop",
	})
}

// warmNow is the described warm throughput, else what the partitions thought to exist
// serve.
func (a *adviser) warmNow(d telemetry.Direction) float64 {
	if w := a.capacity().Warm.In(d); w != nil && *w > 0 {
		return float64(*w)
	}
	return float64(max(1, a.res.Partitions.Likely)) * float64(partition.Ceiling(d))
}
