package scenario

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// snapshot is what a description shows of a resource at one time.
type snapshot struct {
	provisioned, maximum [2]telemetry.Rate
	partitions           int
	up, down             int
	decreases            int
}

func (u *unit) snapshot() snapshot {
	return snapshot{u.provisioned, u.maximum, len(u.res.Partitions()), u.lastUp, u.lastDown, u.decreases}
}

func rate(r telemetry.Rate) *telemetry.Rate {
	if r <= 0 {
		return nil
	}
	return &r
}

// capacity describes a resource as DescribeTable does.
func (w *world) capacity(u *unit, s snapshot) telemetry.Capacity {
	both := func(p [2]telemetry.Rate) telemetry.Throughput {
		return telemetry.Throughput{Read: rate(p[0]), Write: rate(p[1])}
	}
	c := telemetry.Capacity{
		Provisioned: both(s.provisioned), OnDemandMax: both(s.maximum), Warm: both(warm(u, s)),
		DecreasesToday: s.decreases,
	}
	if s.up != never {
		c.LastIncrease = w.s.Start.Add(seconds(s.up))
	}
	if s.down != never {
		c.LastDecrease = w.s.Start.Add(seconds(s.down))
	}
	return c
}

// warm is the warm throughput: what is provisioned while the partitions carry
// it, else what they carry; a new on-demand table's at least.
func warm(u *unit, s snapshot) [2]telemetry.Rate {
	carried := [2]telemetry.Rate{
		telemetry.Rate(s.partitions) * partition.ReadCeiling, telemetry.Rate(s.partitions) * partition.WriteCeiling,
	}
	if u.spec.Capacity.OnDemand {
		return [2]telemetry.Rate{max(carried[0], partition.NewTableRead), max(carried[1], partition.NewTableWrite)}
	}
	return [2]telemetry.Rate{min(carried[0], s.provisioned[0]), min(carried[1], s.provisioned[1])}
}

// describe is the table's description; snapshots are the table's and then the
// indexes'.
func (w *world) describe(snapshots []snapshot, at time.Time) telemetry.Table {
	s, t := w.s, &w.s.Table
	out := telemetry.Table{
		ID: s.id("").TableID, Status: "ACTIVE", Mode: mode(t.Capacity), Keys: keyAttributes(&t.Resource),
		Capacity: w.capacity(w.table, snapshots[0]), SizeBytes: some(t.Bytes), Items: some(t.Items),
		Replicas: t.Replicas, Created: s.Start.AddDate(-1, -2, -3), At: at,
	}
	if t.Capacity.OnDemand {
		out.SwitchedToOnDemand = out.Created
	}
	if t.Stream {
		out.StreamARN = w.stream()
	}
	if t.Local != "" {
		out.LocalIndexes = []telemetry.LocalIndex{{
			Name:       t.Local,
			Keys:       []telemetry.KeyAttribute{{Name: t.HashKey, Role: "HASH", Type: "S"}, {Name: t.Local, Role: "RANGE", Type: "S"}},
			Projection: telemetry.Projection{Type: "ALL"},
		}}
	}
	for i := range s.Indexes {
		x := &s.Indexes[i]
		out.Indexes = append(out.Indexes, telemetry.Index{
			Name: x.Name, Status: "ACTIVE", Keys: keyAttributes(&x.Resource),
			Projection: telemetry.Projection{Type: x.Projection},
			Capacity:   w.capacity(w.index[i], snapshots[i+1]), SizeBytes: some(x.Bytes), Items: some(x.Items),
		})
	}
	return out
}

func some(n int64) *int64 {
	if n <= 0 {
		return nil
	}
	return &n
}

func mode(c Capacity) telemetry.Mode {
	if c.OnDemand {
		return telemetry.ModeOnDemand
	}
	return telemetry.ModeProvisioned
}

func keyAttributes(r *Resource) []telemetry.KeyAttribute {
	keys := []telemetry.KeyAttribute{{Name: r.HashKey, Role: "HASH", Type: "S"}}
	if r.SortKey != "" {
		keys = append(keys, telemetry.KeyAttribute{Name: r.SortKey, Role: "RANGE", Type: "S"})
	}
	return keys
}

func (w *world) stream() string {
	return fmt.Sprintf("arn:aws:dynamodb:%s:%s:table/%s/stream/2025-01-01T00:00:00.000", w.s.Region, w.s.Account, w.s.Table.Name)
}

// shards are the table's stream shards: one open shard a partition. Those of
// partitions that were split are closed and are their children's parents.
func (w *world) shards(after bool) telemetry.Shards {
	opened := map[int]time.Time{}
	parent := map[int]int{}
	closed := map[int]bool{}
	for _, split := range w.table.res.Splits() {
		second := split.Second - 60*warmUp
		if !after && second > 0 {
			break
		}
		closed[split.Parent] = true
		for _, child := range split.Children {
			opened[child], parent[child] = w.s.Start.Add(seconds(second)), split.Parent
		}
	}
	ids := []int{}
	for id := range w.s.Table.Partitions {
		// Shards roll over about every four hours.
		opened[id] = w.s.Start.Add(-time.Duration(20+(id*37)%200) * time.Minute)
		ids = append(ids, id)
	}
	for id := range parent {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	name := func(id int) string {
		return fmt.Sprintf("shardId-%020d-%08x", opened[id].UnixMilli(), 0x1000+id)
	}
	out := telemetry.Shards{Table: w.s.id("").TableID, Stream: w.stream(), Shards: []telemetry.Shard{}}
	for _, id := range ids {
		shard := telemetry.Shard{ID: name(id), Open: !closed[id], Opened: opened[id]}
		if p, ok := parent[id]; ok {
			shard.Parent = name(p)
		}
		out.Shards = append(out.Shards, shard)
	}
	return out
}

// rules are a resource's rules of Contributor Insights in this scenario.
func (w *world) rules(u *unit) []*rule {
	state := u.spec.Insights
	if state != InsightsAccessed && state != InsightsThrottled {
		return nil
	}
	created := w.s.Start.AddDate(0, -5, -len(u.name)).UnixMilli() + int64(len(u.name))*7919
	var out []*rule
	for _, kind := range telemetry.RuleKinds {
		if kind.WithSortKey() && u.spec.SortKey == "" || state == InsightsThrottled && !kind.Throttled() {
			continue
		}
		labels := []string{u.spec.HashKey}
		if kind.WithSortKey() {
			labels = append(labels, u.spec.SortKey)
		}
		out = append(out, &rule{
			unit: u, kind: kind, name: ruleName(kind, u, w.s.Table.Name, created), labels: labels,
			keys: map[telemetry.Key][]telemetry.Point{}, seen: map[Rest]sighting{},
		})
	}
	return out
}

// insights is the state of Contributor Insights on a resource.
func (w *world) insights(u *unit, rules []*rule) telemetry.Insights {
	out := telemetry.Insights{Resource: w.s.id(u.name), Updated: w.s.Start.AddDate(0, -5, 0)}
	if from := u.spec.InsightsFrom; from > 0 {
		out.Updated = w.s.Start.Add(from)
	}
	switch u.spec.Insights {
	case InsightsAccessed:
		out.Status, out.Mode = "ENABLED", "ACCESSED_AND_THROTTLED_KEYS"
	case InsightsThrottled:
		out.Status, out.Mode = "ENABLED", "THROTTLED_KEYS"
	case InsightsEnabling:
		out.Status, out.Mode, out.Updated = "ENABLING", "ACCESSED_AND_THROTTLED_KEYS", w.s.end()
	case InsightsFailed:
		out.Status, out.Failure = "FAILED", "LimitExceededException: the account has reached its limit of Contributor Insights rules"
	case InsightsDenied:
		out = telemetry.Insights{Resource: out.Resource, Status: "DENIED"}
	default:
		out = telemetry.Insights{Resource: out.Resource, Status: "DISABLED"}
	}
	if w.s.Legacy {
		out.Mode = ""
	}
	for _, r := range rules {
		out.Rules = append(out.Rules, r.name)
	}
	return out
}

// strays draws refusals from nowhere in particular: one to three in a minute.
func (w *world) strays() map[strayAt]float64 {
	out := map[strayAt]float64{}
	n := int(math.Round(w.s.Stray * w.s.Length.Hours()))
	for range n {
		at := strayAt{60 * w.rng.IntN(int(w.s.Length.Minutes())), w.rng.IntN(2)}
		if w.table.minutes[at.second/60].units[at.direction] > 60 {
			out[at] += 1 + float64(w.rng.IntN(3)/2)
		}
	}
	return out
}
