package scenario

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// rule is one rule of Contributor Insights with all that it has counted.
type rule struct {
	unit   *unit
	kind   telemetry.RuleKind
	name   string
	labels []string
	keys   map[telemetry.Key][]telemetry.Point
	totals []telemetry.Point
	unique float64 // of the keys that are followed by name
	seen   map[Rest]sighting
}

// sighting is how many of a rest's unnamed keys a rule met, and how often each on
// average.
type sighting struct {
	keys int
	mean float64
}

// lightItems is how many items a light key has.
const lightItems = 3

// ranked is how many keys a rule keeps each minute.
const ranked = 25

type counted struct {
	key   telemetry.Key
	value float64
}

// ranker draws what a rule counts, minute by minute.
type ranker struct {
	w    *world
	rng  *rand.Rand
	u    *unit
	rule *rule
}

// count fills a rule from the simulated minutes.
func (r *ranker) count() {
	r.rule.unique = float64(len(r.u.keys))
	for _, m := range r.u.minutes {
		if m.second < int(r.u.spec.InsightsFrom.Seconds()) {
			continue
		}
		at := r.w.s.Start.Add(seconds(m.second))
		var list []counted
		total := 0.0
		for i := range m.keys {
			list = append(list, r.named(&m.keys[i], &total)...)
		}
		for i := range m.rests {
			list = append(list, r.anonymous(m, &m.rests[i], r.u.rests[i], &total)...)
		}
		if total > 0 {
			r.rule.totals = append(r.rule.totals, telemetry.Point{Time: at, Value: math.Round(total)})
		}
		list = merge(list)
		slices.SortStableFunc(list, func(a, b counted) int { return cmp.Compare(b.value, a.value) })
		for _, c := range list[:min(ranked, len(list))] {
			if v := math.Round(c.value); v >= 1 {
				r.rule.keys[c.key] = append(r.rule.keys[c.key], telemetry.Point{Time: at, Value: v})
			}
		}
	}
}

// merge adds up what different loads say of the same key.
func merge(list []counted) []counted {
	at := make(map[telemetry.Key]int, len(list))
	out := list[:0]
	for _, c := range list {
		if i, ok := at[c.key]; ok {
			out[i].value += c.value
			continue
		}
		at[c.key] = len(out)
		out = append(out, c)
	}
	return out
}

// value is what the rule counts of a key: 3W+R, or throttle errors.
func (r *ranker) value(k *keyMinute) float64 {
	if r.rule.kind.Throttled() {
		return k.refused
	}
	return 3*k.units[1] + k.units[0]
}

// events is how many single requests the value is made of.
func (r *ranker) events(k *keyMinute) float64 {
	if r.rule.kind.Throttled() {
		return k.refused
	}
	return k.requests[0] + k.requests[1]
}

// named ranks a key that was simulated by itself.
func (r *ranker) named(k *keyMinute, total *float64) []counted {
	v, n := r.value(k), r.events(k)
	if v < 0.5 || k.item == nil {
		return nil
	}
	*total += v
	name := k.item.Name
	if !r.rule.kind.WithSortKey() {
		return []counted{{telemetry.Key{Partition: name}, v}}
	}
	switch k.item.Spread {
	case partition.Collection:
		return r.items(name, k.item.Items, v, n)
	case partition.Growing:
		return r.items(name, int(n)+1, v, n)
	}
	return []counted{{telemetry.Key{Partition: name, Sort: k.item.Item}, v * (1 + 0.01*r.rng.NormFloat64())}}
}

// items ranks the busiest of a key's items.
func (r *ranker) items(name string, items int, value, events float64) []counted {
	if events <= 0 {
		return nil
	}
	var out []counted
	add := func(item int, count float64) {
		key := telemetry.Key{Partition: name, Sort: "ITEM#" + strconv.Itoa(item)}
		out = append(out, counted{key, count * value / events})
	}
	items = max(items, 1)
	if items <= ranked {
		for i := range items {
			add(i, poisson(r.rng, events/float64(items)))
		}
		r.rule.unique = max(r.rule.unique, float64(items))
		return out
	}
	for _, c := range topCounts(r.rng, items, events/float64(items), ranked) {
		add(r.rng.IntN(items), float64(c))
	}
	return out
}

// anonymous ranks the keys of a rest: its busiest by name, the others by chance.
func (r *ranker) anonymous(m *minute, k *keyMinute, rest Rest, total *float64) []counted {
	v, n := r.value(k), r.events(k)
	if v < 0.5 || n <= 0 {
		return nil
	}
	*total += v
	first, head, tail := rest.shares()
	var out []counted
	for i, share := range head {
		expected := share * n
		name := rest.name(first + i)
		if r.rule.kind.Throttled() {
			expected = r.headRefused(m, k, name, share)
		}
		if c := poisson(r.rng, expected); c > 0 {
			out = append(out, r.split(name, c, c*v/n)...)
		}
	}
	left := n * tail
	first += len(head)
	count := rest.Count - first
	if r.rule.kind.Throttled() {
		count = int(float64(count) * refusingShare(m))
	}
	if count <= 0 || left <= 0 {
		return out
	}
	seen := r.rule.seen[rest]
	r.rule.seen[rest] = sighting{max(seen.keys, count), seen.mean + left/float64(count)}
	for _, c := range topCounts(r.rng, count, left/float64(count), ranked) {
		name := rest.name(first + r.rng.IntN(rest.Count-first))
		out = append(out, r.split(name, float64(c), float64(c)*v/n)...)
	}
	return out
}

// split is a light key's entry: one for the key, or one for each of the few items
// that it has.
func (r *ranker) split(name string, count, value float64) []counted {
	if !r.rule.kind.WithSortKey() {
		return []counted{{telemetry.Key{Partition: name}, value}}
	}
	const items = lightItems
	var out []counted
	left := count
	for i := range items {
		part := math.Min(left, poisson(r.rng, count/items))
		if i == items-1 {
			part = left
		}
		if part > 0 {
			out = append(out, counted{telemetry.Key{Partition: name, Sort: "ITEM#" + strconv.Itoa(i)}, part * value / count})
		}
		left -= part
	}
	return out
}

// headRefused is how many refusals a light key meets in a minute: it depends on
// the partition it lies on.
func (r *ranker) headRefused(m *minute, k *keyMinute, name string, share float64) float64 {
	at := partition.Point{Hash: partition.Position(r.w.salt(r.u), name)}
	total := 0.0
	for i := range m.parts {
		p := &m.parts[i]
		if p.width == 0 && p.from == p.to || at.Hash < p.from.Hash || at.Hash >= p.to.Hash {
			continue
		}
		for d := range 2 {
			if k.refusedBy[d] == 0 || p.demand[d] <= 0 {
				continue
			}
			total += share * k.wanted[d] * retried(p.served[d]/p.demand[d], k.attempts)
		}
		break
	}
	return total
}

// retried is the expected number of refusals of one request that is tried up to
// attempts times when each try passes with the given chance.
func retried(pass float64, attempts int) float64 {
	if pass >= 1 {
		return 0
	}
	if pass <= 0 {
		return float64(max(attempts, 1))
	}
	return (1 - pass) * (1 - math.Pow(1-pass, float64(max(attempts, 1)))) / pass
}

// refusingShare is the share of the key space on partitions that refused.
func refusingShare(m *minute) float64 {
	total := 0.0
	for i := range m.parts {
		p := &m.parts[i]
		if p.demand[0] > p.served[0]+0.5 || p.demand[1] > p.served[1]+0.5 {
			total += p.width
		}
	}
	return min(1, total)
}

// ranking is the rule's report over a window: the 25 keys with the highest
// minute.
func (r *rule) ranking(id telemetry.ResourceID, from, to time.Time) telemetry.Ranking {
	out := telemetry.Ranking{
		Resource: id, Kind: r.kind, Rule: r.name, KeyLabels: r.labels, Start: from, End: to,
		Contributors: []telemetry.Contributor{},
	}
	total := 0.0
	for _, p := range within(r.totals, from, to) {
		total += p.Value
	}
	unique := r.unique
	for _, s := range r.seen {
		unique += math.Round(float64(s.keys) * -math.Expm1(-s.mean))
	}
	if total == 0 {
		unique = 0
	}
	out.Aggregate, out.Unique = &total, &unique
	for key, points := range r.keys {
		if points = within(points, from, to); len(points) > 0 {
			out.Contributors = append(out.Contributors, telemetry.Contributor{Key: key, Points: slices.Clone(points)})
		}
	}
	slices.SortFunc(out.Contributors, func(a, b telemetry.Contributor) int {
		if c := cmp.Compare(highest(b.Points), highest(a.Points)); c != 0 {
			return c
		}
		if a.Key.Partition != b.Key.Partition {
			return cmp.Compare(a.Key.Partition, b.Key.Partition)
		}
		return cmp.Compare(a.Key.Sort, b.Key.Sort)
	})
	out.Contributors = out.Contributors[:min(len(out.Contributors), telemetry.MaxContributors)]
	return out
}

func highest(points []telemetry.Point) float64 {
	most := 0.0
	for _, p := range points {
		most = max(most, p.Value)
	}
	return most
}

// within are the points from one time to before another.
func within(points []telemetry.Point, from, to time.Time) []telemetry.Point {
	at := func(p telemetry.Point, t time.Time) int { return p.Time.Compare(t) }
	i, _ := slices.BinarySearchFunc(points, from, at)
	j, _ := slices.BinarySearchFunc(points, to, at)
	return points[i:j]
}

// ruleName is how DynamoDB names a rule; created differs from rule to rule.
func ruleName(kind telemetry.RuleKind, u *unit, table string, created int64) string {
	name := table
	if u.name != "" {
		name += "-" + u.name
	}
	return fmt.Sprintf("DynamoDBContributorInsights-%s-%s-%d", kind, name, created)
}

// strays adds the keys of stray refusals to a throttle rule.
func (r *ranker) strays(stray map[strayAt]float64) {
	if len(r.u.rests) == 0 {
		return
	}
	for _, m := range r.u.minutes {
		n := stray[strayAt{m.second, 0}] + stray[strayAt{m.second, 1}]
		if n == 0 {
			continue
		}
		key := telemetry.Key{Partition: r.u.rests[0].name(r.rng.IntN(r.u.rests[0].Count))}
		if r.rule.kind.WithSortKey() {
			key.Sort = "ITEM#0"
		}
		at := r.w.s.Start.Add(seconds(m.second))
		r.rule.keys[key] = telemetry.SortPoints(append(r.rule.keys[key], telemetry.Point{Time: at, Value: n}))
		r.rule.totals = telemetry.SortPoints(append(r.rule.totals, telemetry.Point{Time: at, Value: n}))
		r.rule.unique++
	}
}
