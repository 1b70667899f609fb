package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Random draws a scenario from a wide family: every cause, limit and contributing
// factor, quiet tables among them. The same seed gives the same scenario. Its
// Name is the kind and the seed; the truth is still told by the simulation alone.
func Random(seed uint64) *Scenario {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 0x5851f42d4c957f2d))}
	kind := kinds[d.IntN(len(kinds))]
	d.table()
	kind.draw(d)
	d.finish()
	d.s.Name = fmt.Sprintf("%s-%d", kind.name, seed)
	d.s.Title = kind.name
	return d.s
}

// kind is a member of the family. Those that are told apart with more trouble
// stand in the list more than once.
type kind struct {
	name string
	draw func(*drawer)
}

var kinds = []kind{
	{"hot-write-key", (*drawer).hotWriteKey},
	{"hot-write-key", (*drawer).hotWriteKey},
	{"hot-read-key", (*drawer).hotReadKey},
	{"hot-read-key", (*drawer).hotReadKey},
	{"hot-collection", (*drawer).hotCollection},
	{"burst-on-a-key", (*drawer).burstOnKey},
	{"warm-neighbours", (*drawer).warmNeighbours},
	{"warm-neighbours", (*drawer).warmNeighbours},
	{"few-partitions", (*drawer).fewPartitions},
	{"on-demand-new-peak", (*drawer).newPeak},
	{"rolling-key", (*drawer).rollingKey},
	{"provisioned-exhausted", (*drawer).exhausted},
	{"provisioned-exhausted", (*drawer).exhausted},
	{"capacity-bursts", (*drawer).capacityBursts},
	{"auto-scaling", (*drawer).autoScaling},
	{"scaled-in", (*drawer).scaledIn},
	{"scan", (*drawer).scan},
	{"replicated-writes", (*drawer).replicated},
	{"on-demand-maximum", (*drawer).onDemandMaximum},
	{"account-quota", (*drawer).accountQuota},
	{"index-underprovisioned", (*drawer).indexStarved},
	{"index-underprovisioned", (*drawer).indexStarved},
	{"index-hot-key", (*drawer).indexHotKey},
	{"index-hot-key", (*drawer).indexHotKey},
	{"index-reads", (*drawer).indexReads},
	{"large-items", (*drawer).largeItems},
	{"large-items", (*drawer).largeItems},
	{"large-beside-hot", (*drawer).largeBesideHot},
	{"two-incidents", (*drawer).twoIncidents},
	{"mild-key", (*drawer).mildKey},
	{"half-hot-pair", (*drawer).halfHotPair},
	{"busy-reader", (*drawer).busyReader},
	{"popular-keys", (*drawer).popularKeys},
	{"new-index", (*drawer).newIndex},
	{"tiny-table", (*drawer).tinyTable},
	{"brief", (*drawer).brief},
	{"partial-key", (*drawer).partialKey},
	{"tiny-burst", (*drawer).tinyBurst},
	{"index-behind-key", (*drawer).indexBehindKey},
	{"repeated", (*drawer).repeated},
	{"sequence", (*drawer).sequence},
	{"raised-in-vain", (*drawer).raisedInVain},
	{"already-there", (*drawer).alreadyThere},
	{"healthy-busy", (*drawer).healthyBusy},
	{"healthy-near-ceiling", (*drawer).nearCeiling},
	{"healthy-scattered", (*drawer).scattered},
	{"healthy-scattered", (*drawer).scattered},
	{"healthy-absorbed", (*drawer).absorbed},
	{"healthy-full", (*drawer).full},
	{"healthy-large", (*drawer).quietLarge},
}

// drawer draws a scenario piece by piece.
type drawer struct {
	*rand.Rand
	s       *Scenario
	from    time.Duration // of the trouble
	to      time.Duration
	pattern string
}

func (d *drawer) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

// around draws on a logarithmic scale.
func (d *drawer) around(low, high float64) float64 {
	return math.Round(low * math.Pow(high/low, d.Float64()))
}

func (d *drawer) chance(p float64) bool { return d.Float64() < p }

func (d *drawer) minutes(low, high int) time.Duration {
	return time.Duration(low+d.IntN(high-low+1)) * time.Minute
}

func pick[T any](d *drawer, from ...T) T { return from[d.IntN(len(from))] }

// table draws the table with its ordinary traffic.
func (d *drawer) table() {
	d.s = blank()
	s := d.s
	s.Start = time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(d.IntN(400*24*60)) * time.Minute)
	s.Length = d.minutes(60, 120)
	s.Region = pick(d, "eu-west-1", "us-east-1", "ap-south-1", "eu-central-1")
	s.Account = pick(d, "111122223333", "444455556666", "123456789012")
	d.from = d.minutes(10, 25)
	d.to = 0
	if d.chance(0.7) {
		d.to = d.from + d.minutes(6, int((s.Length-d.from).Minutes())-6)
	}
	s.Table.Name = pick(d, "orders", "sessions", "Inventory", "audit-log", "device.shadow", "tenant_ledger", "playerState", "Messages") +
		pick(d, "", "-v2", "_2026", ".live", "-table")
	s.Table.Partitions = 2 + d.IntN(14)
	s.Table.HashKey = pick(d, "pk", "customer_id", "tenantId", "id", "PartitionKey")
	if d.chance(0.6) {
		s.Table.SortKey = pick(d, "sk", "created_at", "SortKey")
	}
	s.Table.Stream = d.chance(0.4)
	s.Table.Items = int64(d.around(2e5, 5e7))
	s.Table.Bytes = s.Table.Items * int64(d.around(200, 3000))
	// Data alone would have split a table that large.
	s.Table.Bytes = min(s.Table.Bytes, int64(s.Table.Partitions)*partition.PartitionBytes*8/10)
	s.Table.SplitMinutes = d.between(partition.SplitMinutesEarliest+2, partition.SplitMinutesLatest)
	if d.chance(0.15) {
		s.Table.SplitMinutes = 0
	}
	s.DescribedAfter = d.chance(0.5)
	d.mode()
	d.ordinary()
	for range d.IntN(3) {
		d.index(pick(d, "by-status", "gsi1", "email-index", "created_at.idx", "by-org", "GSI2PK-index"))
	}
}

// mode is on-demand, or provisioned with ample room.
func (d *drawer) mode() {
	t := &d.s.Table
	if d.chance(0.5) {
		t.Partitions = max(t.Partitions, partition.NewTablePartitions)
		t.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
		return
	}
	d.provision(&t.Resource, float64(t.Partitions)*2000, float64(t.Partitions)*950)
}

// provision sets throughput, and the saved seconds that may be less than promised.
func (d *drawer) provision(r *Resource, read, write float64) {
	r.Capacity = Capacity{
		ProvisionedRead: telemetry.Rate(math.Ceil(max(read, 5))), ProvisionedWrite: telemetry.Rate(math.Ceil(max(write, 5))),
		Saved: pick(d, 300.0, 300, d.between(60, 300)),
	}
}

// ordinary is light traffic on many keys: at most a third of what the
// partitions carry.
func (d *drawer) ordinary() {
	t := &d.s.Table
	d.pattern = pick(d, "TENANT#%", "user.%@example.org", "GAME#%|room", "EXEC#%", "Größe/%", "%")
	rest := Rest{Count: int(d.around(5000, 500000)), Pattern: d.pattern, Zipf: pick(d, 0, 0.5, 0.7, 0.9, 1.0)}
	carried := float64(t.Partitions)
	wave := Shape{Wave: d.between(0, 0.15), Period: d.minutes(25, 70)}
	d.s.Loads = append(d.s.Loads,
		Load{
			Name: "writes", Direction: telemetry.Write, Rate: d.around(10, 250*carried), Units: pick(d, 1.0, 1, 1.2, 2),
			Operations: d.operations(telemetry.Write), Rest: rest, Attempts: d.attempts(), Shape: wave,
		},
		Load{
			Name: "reads", Direction: telemetry.Read, Rate: d.around(20, 700*carried), Units: pick(d, 0.5, 1, 1),
			Operations: d.operations(telemetry.Read), Rest: rest, Attempts: d.attempts(), Shape: wave, Eventual: pick(d, 0.0, 1, d.Float64()),
		})
	d.calm(&d.s.Loads[0])
	d.calm(&d.s.Loads[1])
}

// calm keeps the busiest key of a skewed load to a third of a partition.
func (d *drawer) calm(l *Load) {
	head, _ := l.Rest.allShares()
	if len(head) == 0 {
		return
	}
	ceiling := float64(partition.Ceiling(l.Direction))
	if top := head[0] * l.Rate * l.Units; top > 0.3*ceiling {
		l.Rate *= 0.3 * ceiling / top
	}
}

func (d *drawer) attempts() int { return pick(d, 1, 3, 3, 4, 4, 10) }

func (d *drawer) operations(direction telemetry.Direction) []Operation {
	share := math.Round(100*d.between(0.2, 0.8)) / 100
	if direction == telemetry.Write {
		return pick(d,
			[]Operation{{"UpdateItem", 1}},
			[]Operation{{"PutItem", 1}},
			[]Operation{{"PutItem", share}, {"UpdateItem", 1 - share}},
			[]Operation{{"BatchWriteItem", 1}},
			[]Operation{{"TransactWriteItems", share}, {"UpdateItem", 1 - share}})
	}
	return pick(d,
		[]Operation{{"GetItem", 1}},
		[]Operation{{"Query", 1}},
		[]Operation{{"GetItem", share}, {"Query", 1 - share}},
		[]Operation{{"BatchGetItem", share}, {"GetItem", 1 - share}})
}

// index adds an innocent index: its keys are many, its capacity is ample.
func (d *drawer) index(name string) *Index {
	if slices.ContainsFunc(d.s.Indexes, func(x Index) bool { return x.Name == name }) {
		name += "-2"
	}
	if d.s.has(name) {
		return &d.s.Indexes[0]
	}
	t := &d.s.Table
	x := Index{
		Resource: Resource{
			Name: name, HashKey: pick(d, "status", "email", "orgId", "GSI1PK"), Partitions: t.Partitions + d.IntN(4),
			Items: t.Items, Bytes: t.Bytes / 2, Insights: InsightsAccessed, SplitMinutes: t.SplitMinutes,
		},
		Projection: pick(d, "ALL", "KEYS_ONLY", "INCLUDE"), Entry: 1, Affected: pick(d, 1, 0.9, 0.5),
		Rest: Rest{Count: int(d.around(5000, 200000)), Pattern: pick(d, "acme, \"north\" #%", "org-%", "user.%@example.org")},
	}
	if t.Capacity.OnDemand {
		x.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	} else {
		d.provision(&x.Resource, 300, float64(t.Capacity.ProvisionedWrite))
	}
	d.s.Indexes = append(d.s.Indexes, x)
	return &d.s.Indexes[len(d.s.Indexes)-1]
}

// trouble is the shape of an incident: sudden, ramped or in steps.
func (d *drawer) trouble() Shape {
	s := Shape{From: d.from, To: d.to}
	switch d.IntN(3) {
	case 0:
		s.From += time.Duration(d.IntN(60)) * time.Second
	case 1:
		s.Ramp = d.minutes(2, 6)
	case 2:
		s.Ramp, s.Steps = d.minutes(2, 6), 2+d.IntN(2)
	}
	return s
}

// finish draws how the incident is observed.
func (d *drawer) finish() {
	s := d.s
	for _, c := range []struct {
		chance float64
		state  InsightsState
	}{{0.06, InsightsOff}, {0.06, InsightsThrottled}, {0.02, InsightsEnabling}, {0.02, InsightsFailed}, {0.02, InsightsDenied}} {
		if d.chance(c.chance) {
			s.Table.Insights = c.state
			for i := range s.Indexes {
				s.Indexes[i].Insights = c.state
			}
			break
		}
	}
	s.Legacy = d.chance(0.12)
	d.rough()
	if s.Legacy {
		// Causes and the mode for throttled keys alone came together.
		s.Start = s.Start.AddDate(-2, 0, 0)
		if s.Table.Insights == InsightsThrottled {
			s.Table.Insights = InsightsAccessed
		}
		for i := range s.Indexes {
			if s.Indexes[i].Insights == InsightsThrottled {
				s.Indexes[i].Insights = InsightsAccessed
			}
		}
	}
	if d.chance(0.3) && s.Stray == 0 {
		s.Stray = d.between(1, 6)
	}
	if d.chance(0.1) {
		s.Gaps = 1 + d.IntN(3)
	}
}

// rough draws what real traffic and real tables have besides: chance, uneven
// partitions, rules that are off on an index or were turned on late.
func (d *drawer) rough() {
	s := d.s
	for i := range s.Loads {
		if d.chance(0.5) {
			s.Loads[i].Shape.Jitter = d.between(0.03, 0.2)
			if s.Loads[i].Shape.From != 0 || len(s.Loads[i].Keys) > 0 {
				s.Loads[i].Shape.Jitter = d.between(0.02, 0.08)
			}
		}
	}
	spread := 0.0
	for _, l := range s.Loads {
		if len(l.Keys) == 0 && l.Index == "" {
			spread += l.Rate * l.Units / float64(partition.Ceiling(l.Direction))
		}
	}
	if spread < 0.3*float64(s.Table.Partitions) && d.chance(0.4) {
		s.Table.Uneven = true
	}
	if d.chance(0.05) {
		s.Table.InsightsFrom = d.from + d.minutes(2, 5)
	}
	for i := range s.Indexes {
		if d.chance(0.15) {
			s.Indexes[i].Insights = InsightsOff
		}
	}
}
