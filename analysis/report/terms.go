package report

import (
	"slices"
	"strings"
)

// term explains one term of the field. Names are what it is looked up by, the first
// the one that is listed.
type term struct {
	names []string
	text  string
}

// Terms lists the terms that Explain knows, in alphabetical order.
func Terms() []string {
	var out []string
	for _, t := range terms {
		out = append(out, t.names[0])
	}
	return out
}

// Glossary lists all names of each term that Explain knows, the usual one first.
func Glossary() [][]string {
	var out [][]string
	for _, t := range terms {
		out = append(out, slices.Clone(t.names))
	}
	return out
}

// Explain says what a term of the field means, in three to six lines that name AWS's
// own source. Case, hyphens and underscores don't matter. ok is false for an unknown
// term.
func Explain(name string) (text string, ok bool) {
	wanted := plainTerm(name)
	for _, t := range terms {
		for _, n := range t.names {
			if plainTerm(n) == wanted {
				return t.text, true
			}
		}
	}
	return "", false
}

func plainTerm(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(s))), " ")
}

// terms are in alphabetical order of their first name.
var terms = []term{
	{[]string{"account quota", "account limit", "table quota"}, `The most that one table or index may read or write a second: 40,000 units each
by default, adjustable on request (L-CF0CBE56 for reads, L-AB614373 for
writes). It is metered over the whole table, so neither sharding nor more
capacity helps.
Source: Developer Guide, "Quotas in Amazon DynamoDB" and "Account limit
exceeded".`},
	{[]string{"adaptive capacity"}, `DynamoDB lets a busy partition use throughput that its neighbours leave unused,
at once and at no charge, up to the partition's own ceiling and as long as the
table's total isn't exceeded. It never lifts the ceiling itself.
Source: Developer Guide, "Burst and adaptive capacity".`},
	{[]string{"auto scaling", "application auto scaling"}, `Application Auto Scaling raises provisioned capacity after consumption has been
above its target for two minutes; the alarm and the change take minutes more.
Peaks shorter than that are over before it acts. Each index needs a policy of
its own.
Source: Developer Guide, "Managing throughput capacity with DynamoDB auto
scaling".`},
	{[]string{"backoff", "exponential backoff", "back off retries"}, `Waiting longer after each refusal, with a random part (jitter), before trying
again. It gives the limit time to recover; it cures no cause. AWS advises to
stop after about a minute. SDKs try four times by default since November 2026.
Source: Developer Guide, "Error handling with DynamoDB".`},
	{[]string{"burst capacity", "burst"}, `Unused provisioned capacity is kept for up to 300 seconds and spent on bursts,
best effort. So a table may serve more than it is provisioned for, and refuse a
minute later at the same load. A minute's mean hides bursts of seconds.
Source: Developer Guide, "Burst and adaptive capacity".`},
	{[]string{"cause", "causes"}, `What is behind an event: hot_key, hot_partition, table_capacity, gsi_pressure,
large_item, account_quota, or undetermined where the data can't tell. The cause
is not the limit: a large item can hit a partition's limit or the table's.
Source for the limits: Developer Guide, "Diagnosing throttling".`},
	{[]string{"contributor insights", "cloudwatch contributor insights"}, `Ranks the most accessed and the most throttled keys of a table or index, a
minute at a time, at most 25. It counts 3 x write units + read units, shows
keys in plain text, and a key missing in a minute was not ranked then, not
idle.
Source: Developer Guide, "CloudWatch Contributor Insights for DynamoDB".`},
	{[]string{"eventually consistent read", "eventual consistency"}, `A read that may miss the last second's writes. It costs half the units of a
strongly consistent one and can be served by any replica; AWS measured 4,500
units/s from one partition that way. Reads of a global secondary index always
are.
Source: Developer Guide, "Read consistency"; Database Blog, "Scaling DynamoDB",
part 2.`},
	{[]string{"GSI back-pressure", "gsi pressure", "index back-pressure", "back-pressure"}, `Each write to a table is copied to its global secondary indexes. An index
without the capacity, or with a hot key of its own, refuses the copy, and then
the table's writes are refused, even those that the index doesn't hold.
Source: Developer Guide, "GSI throttling"; Amazon DynamoDB Labs, capacity
exercise.`},
	{[]string{"hot key", "hot item"}, `One partition key value, an item or a collection of items, that draws what a
whole partition can serve: 3,000 read or 1,000 write units a second. The rest
of the table may be idle. Sharding the key or caching its reads cures it.
Source: Developer Guide, "Best practices for partition keys".`},
	{[]string{"hot partition"}, `A partition at its ceiling that no single key explains: warm keys that share
it, a load that rolls over the keys, or too few partitions for the load. Often
DynamoDB splits it within minutes.
Source: Developer Guide, "Key range throughput exceeded"; Database Blog,
"Scaling DynamoDB".`},
	{[]string{"item collection"}, `All items with the same partition key value. Without a local secondary index it
may be split over partitions by sort key; with one it stays on one partition
and may hold no more than 10 GB.
Source: Developer Guide, "Partitions and data distribution".`},
	{[]string{"key range", "key-range throttling", "key range throughput"}, `The limit of one partition, which holds a range of hashed keys: 3,000 read and
1,000 write units a second, in provisioned and on-demand mode alike. The
metrics are Read- and WriteKeyRangeThroughputThrottleEvents.
Source: Developer Guide, "Key range throughput exceeded".`},
	{[]string{"large item"}, `A write costs a unit for each KB of the whole item, however little changes; a
strongly consistent read a unit for each 4 KB. A 100 KB item can be written ten
times a second on one partition. Shrink it, split it, or keep the bulk in S3.
Source: Developer Guide, "DynamoDB read and write operations", "Storing large
items".`},
	{[]string{"local secondary index", "lsi"}, `An index that shares its table's partitions and capacity. Its presence keeps
each item collection on one partition, so split for heat can't spread a hot
key.
Source: Developer Guide, "Burst and adaptive capacity", "Local secondary
indexes".`},
	{[]string{"on-demand maximum", "max on-demand", "maximum throughput"}, `A limit that the owner puts on an on-demand table or index to bound its cost.
What goes beyond it is refused, as MaxOnDemandThroughput. Raise it or take it
away (-1); retries and warm throughput don't get past it.
Source: Developer Guide, "Maximum throughput for on-demand tables".`},
	{[]string{"on-demand mode", "on-demand"}, `Capacity that follows the load: at once up to twice the previous peak, beyond
that over about 30 minutes. A new table starts at 4,000 writes and 12,000 reads
a second. Its partitions have the same ceilings as any.
Source: Developer Guide, "On-demand capacity mode".`},
	{[]string{"partition"}, `Where items live, by the hash of their partition key: about 10 GB, and 3,000
read and 1,000 write units a second. DynamoDB never shows partitions, so every
number on one is a model. Partitions are split, never merged.
Source: Developer Guide, "Partitions and data distribution".`},
	{[]string{"provisioned throughput", "table capacity", "provisioned capacity"}, `The read and write units a second that a table or index is paid for. Ordinary
traffic above it is refused once burst capacity is spent. An index has its own.
Source: Developer Guide, "Provisioned capacity exceeded".`},
	{[]string{"RCU", "read capacity unit", "read unit"}, `One strongly consistent read a second of up to 4 KB, or two eventually
consistent ones. A transactional read costs two. A Query adds up its items and
rounds once to 4 KB; filters and projections don't make it cheaper.
Source: Developer Guide, "DynamoDB read and write operations".`},
	{[]string{"retry amplification", "retry storm"}, `Refused requests come back, each SDK's attempts count one by one, and so
refusals grow while what is served stands still. The numbers then say less
about users than about clients. Backoff with jitter brings them down; the cause
remains.
Source: Developer Guide, "Error handling with DynamoDB"; AWS Developer Tools
Blog.`},
	{[]string{"rolling key", "rolling hot partition"}, `A hot spot that moves: time-ordered keys, or a scan or load that goes key by
key, fill one partition after another. No key stays hot, so splits come too
late. Shuffle the order, or put shards into the key.
Source: Developer Guide, "Key range throughput exceeded", "Distributing write
activity".`},
	{[]string{"sharding", "write sharding", "shard key"}, shardingText},
	{[]string{"split for heat", "adaptive split", "split"}, `DynamoDB splits a partition whose load stays near the ceiling, after minutes,
so that hot keys part ways. It can't split a single item, a collection under a
local secondary index, or the newest end of an ever-growing sort key.
Source: Database Blog, "Scaling DynamoDB", parts 2 and 3; USENIX ATC 2022.`},
	{[]string{"throttle event", "throttling", "refusal"}, `One refusal of one item by one limit, not a request: a batch of ten makes up to
ten, a write with three indexes up to four. ThrottledRequests counts requests,
and a batch only when all of it was refused. Occasional ones are normal.
Source: Developer Guide, "DynamoDB metrics and dimensions".`},
	{[]string{"undetermined"}, `The verdict where the data fit two causes about equally well: most often a
partition's limit without key rankings. The report then says what would tell,
as a rule turning on Contributor Insights in mode ACCESSED_AND_THROTTLED_KEYS.
Source: Developer Guide, "Diagnosing throttling".`},
	{[]string{"warm throughput", "pre-warming", "prewarm"}, `The reads and writes a second that a table or index serves at once, as it
stands. It grows with use and never falls; it can be raised ahead of a peak,
for a charge, which makes partitions.
Source: Developer Guide, "Understanding DynamoDB warm throughput".`},
	{[]string{"WCU", "write capacity unit", "write unit"}, `One write a second of an item of up to 1 KB; a transactional write costs two.
An update pays for the larger of the item before and after, a failed condition
too. Each index that the write touches is paid for as well.
Source: Developer Guide, "DynamoDB read and write operations".`},
}

// shardingText explains sharding; Details tells more.
const shardingText = `Spreading one key over several by a suffix: random where it is mostly written,
calculated from another attribute where items are read one by one. Reading all
of it then takes a query for each shard.
Source: Developer Guide, "Using write sharding to distribute workloads evenly".`
