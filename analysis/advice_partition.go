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
	if !a.reads() || !a.oneItem() {
		a.redesignKey()
	}
	a.shedLoad()
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
		a.splitWhileOver(s)
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

// splitWhileOver advises on an event that is over: to leave it where a split was seen to
// end it, else to let the next one last long enough for a split.
func (a *adviser) splitWhileOver(s *Splitting) {
	r := Recommendation{
		Action: WaitForSplit, Stage: DoNothing, Parameters: map[string]any{"minutes": 0},
		Summary:  "change nothing yet: it has ended by itself, as after a split",
		Commands: []string{a.watch()},
		Why:      s.Why + "; AWS asks to see first whether splitting has solved it",
		Verify:   "no refusals at the next peak of the same size",
	}
	if !a.has(SplitInProgress) {
		r.Parameters["minutes"] = partition.SplitMinutesLatest
		r.Summary = fmt.Sprintf("wait up to %d minutes at the next peak: DynamoDB is likely to split the partition then", partition.SplitMinutesLatest)
		r.Why = s.Why + "; it is over, and no split was seen to end it"
		r.Verify = "at a peak that lasts, refusals shrink in steps while the load stays"
	}
	a.add(r)
}

func (a *adviser) redesignKey() {
	text := "choose a partition key with many evenly used values for " + a.res.ID.Table
	if a.res.PartitionKey != "" {
		text += " (now " + a.res.PartitionKey + ")"
	}
	why := "the limit is a partition's, and the key decides what shares one" + a.keyIdea()
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

// keyIdea says what kind of key would do, by what the present one looks like.
func (a *adviser) keyIdea() string {
	switch a.pattern() {
	case tenantPattern:
		return "; a composite key, as of the tenant and what it works on, spreads a tenant, and a table of its own keeps its load from refusing the others'"
	case statusPattern, countryPattern:
		return "; a composite key, as of this value and the item's own id, has many values where this has few"
	case datePattern, hourPattern, timestampPattern:
		return "; a composite key, as of the device or user and the day, spreads what arrives together"
	case counterPattern:
		return "; a counter for each part of what is counted, added up when it is read, has no single hot item"
	}
	return "; a composite key, of this attribute and a second one that varies, has more values"
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
// already, nor where a partition serves more than strongly consistent reads can draw, or
// reads cost less than those.
func (a *adviser) eventualReads() {
	h := a.event.Hottest
	if eventual := h != nil && h.Low > partition.MaxMeanRead; eventual || a.onIndex() || a.event.Eventual {
		return
	}
	a.add(Recommendation{
		Action: EventuallyConsistentReads, Stage: RelieveNow, Parameters: map[string]any{},
		Summary:  "read " + a.keysOrPlace() + " with eventual consistency where strong reads are used",
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

// keysOrPlace names all that share a full partition, else what keyOrPlace does.
func (a *adviser) keysOrPlace() string {
	if n := len(a.event.Keys); a.event.Cause == HotPartition && n > 1 {
		return a.event.someKeys(n)
	}
	return a.keyOrPlace()
}

func (a *adviser) cacheReads() {
	ratio := a.hitRatio()
	what, whole, verify := "them", a.wantedText("are"), "the key's ranked load falls by the hit ratio"
	if a.event.Cause == HotPartition {
		what, verify = "their partition", "the keys' ranked loads fall by the hit ratio"
		whole = fmt.Sprintf("about %s RCU/s are wanted of the partition (modelled)", telemetry.Thousands(a.cacheable()))
	}
	a.add(Recommendation{
		Action: CacheReads, Stage: FixThisWeek, Parameters: map[string]any{"hit_ratio": ratio},
		Summary:  fmt.Sprintf("cache reads of %s: a hit ratio of %s keeps %s at four fifths of the limit", a.keysOrPlace(), percent(ratio), what),
		Commands: []string{a.watch()},
		Why:      fmt.Sprintf("%s and the limit is %s%s", whole, telemetry.Thousands(a.limit()), a.cautionText(a.cacheable())),
		Tradeoff: "cached items are as old as their time to live; DAX also hides its hits from Contributor Insights",
		Undo:     "take the cache out of the path once the load is below the limit",
		Verify:   verify,
	})
}

// partitionDemand is what was wanted of a partition that several keys share: what it
// served, unranked keys included, and what the ranked ones wanted beyond what they got.
func (a *adviser) partitionDemand() float64 {
	d := a.demand()
	if h, e := a.event.Hottest, a.event.Demand; h != nil && e != nil {
		d = math.Max(d, float64(h.Rate)+math.Max(0, e.Likely-e.Low))
	}
	return d
}
