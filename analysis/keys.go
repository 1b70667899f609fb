package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// keyTrack is one partition key of a resource over the window, as the rankings
// show it.
type keyTrack struct {
	key telemetry.Key // partition key alone
	// accessed is 3 x write units + read units, and refused the throttle errors, in
	// each step; NaN where the key wasn't ranked. Reports count by the minute, also
	// where the window's steps are longer.
	accessed, refused []float64
	// items are the sort keys ranked under the key.
	items map[string]*itemTrack
	// load is the part in the scene's direction, a second, with its range.
	load []Cell
}

// itemTrack is what one item drew over the window; first is the step in which it was
// first ranked.
type itemTrack struct {
	accessed, refused float64
	first             int
}

// keyTracks merges the four rankings of a resource by partition key, in order of
// first appearance. A key that only the item rankings show gets the sum of its
// items, which is a floor.
//
// Of more than MaxKeys keys it takes those with the highest peaks.
func (f *facts) keyTracks(id telemetry.ResourceID) []*keyTrack {
	b := keyBuilder{facts: f, byKey: map[string]*keyTrack{}, leading: f.leadingKeys(id)}
	b.partitionKeys(id, telemetry.AccessedPartitionKeys)
	b.partitionKeys(id, telemetry.ThrottledPartitionKeys)
	b.items(id, telemetry.AccessedItems)
	b.items(id, telemetry.ThrottledItems)
	return slices.DeleteFunc(b.tracks, func(k *keyTrack) bool {
		n := len(k.accessed)
		return rankedSteps(k.accessed, 0, n) == 0 && rankedSteps(k.refused, 0, n) == 0
	})
}

type keyBuilder struct {
	facts  *facts
	byKey  map[string]*keyTrack
	tracks []*keyTrack
	// leading are the partition keys to follow; nil for all.
	leading map[string]bool
}

// follows reports whether a key is one of those to lay out.
func (b *keyBuilder) follows(k telemetry.Key) bool { return b.leading == nil || b.leading[k.Partition] }

func (b *keyBuilder) track(partition string) *keyTrack {
	k := b.byKey[partition]
	if k == nil {
		k = &keyTrack{
			key:      telemetry.Key{Partition: partition},
			accessed: unknowns(b.facts.steps()),
			refused:  unknowns(b.facts.steps()),
			items:    map[string]*itemTrack{},
		}
		b.byKey[partition] = k
		b.tracks = append(b.tracks, k)
	}
	return k
}

func (b *keyBuilder) partitionKeys(id telemetry.ResourceID, kind telemetry.RuleKind) {
	r := b.facts.rankings[rankingID{id, kind}]
	if r == nil {
		return
	}
	for _, key := range r.keys {
		if !b.follows(key) {
			continue
		}
		k := b.track(key.Partition)
		values := k.accessed
		if kind.Throttled() {
			values = k.refused
		}
		for _, p := range r.points[key] {
			if i := b.facts.step(p.Time); i >= 0 && i < len(values) {
				values[i] = zeroIfNaN(values[i]) + p.Value
			}
		}
	}
}

// items adds what the item rankings know; where the partition key itself is not
// ranked in a step, its items' sum stands for it.
func (b *keyBuilder) items(id telemetry.ResourceID, kind telemetry.RuleKind) {
	r := b.facts.rankings[rankingID{id, kind}]
	if r == nil {
		return
	}
	ranked := b.facts.rankings[rankingID{id, partitionKind(kind)}] != nil
	sums := map[*keyTrack][]float64{}
	for _, key := range r.keys {
		if !b.follows(key) {
			continue
		}
		k := b.track(key.Partition)
		it := k.items[key.Sort]
		if it == nil {
			it = &itemTrack{first: b.facts.steps()}
			k.items[key.Sort] = it
		}
		if sums[k] == nil {
			sums[k] = unknowns(b.facts.steps())
		}
		for _, p := range r.points[key] {
			i := b.facts.step(p.Time)
			if i < 0 || i >= len(sums[k]) {
				continue
			}
			sums[k][i] = zeroIfNaN(sums[k][i]) + p.Value
			it.first = min(it.first, i)
			if kind.Throttled() {
				it.refused += p.Value
			} else {
				it.accessed += p.Value
			}
		}
	}
	if ranked {
		return
	}
	for k, s := range sums {
		if kind.Throttled() {
			k.refused = s
		} else {
			k.accessed = s
		}
	}
}

func partitionKind(k telemetry.RuleKind) telemetry.RuleKind {
	if k.Throttled() {
		return telemetry.ThrottledPartitionKeys
	}
	return telemetry.AccessedPartitionKeys
}

// item is the sort key that carries at least four fifths of what the key drew, by
// load or else by refusals; "" where none does or nothing is known.
func (k *keyTrack) item() string {
	var accessed, refused float64
	for i := range k.accessed {
		accessed += zeroIfNaN(k.accessed[i])
		refused += zeroIfNaN(k.refused[i])
	}
	const most = 0.8
	for _, sort := range sortedKeys(k.items) {
		it := k.items[sort]
		if accessed > 0 && it.accessed >= most*accessed || accessed == 0 && refused > 0 && it.refused >= most*refused {
			return sort
		}
	}
	return ""
}

// total adds up the known values of some steps.
func total(values []float64, from, to int) float64 {
	var sum float64
	for _, v := range values[from:to] {
		sum += zeroIfNaN(v)
	}
	return sum
}

// rankedSteps counts the steps with a value.
func rankedSteps(values []float64, from, to int) int {
	n := 0
	for _, v := range values[from:to] {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

func unknowns(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

func zeroIfNaN(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// keyLoads turns the tracks into the rows of the key pane, the worst first.
func (s *scene) keyLoads() []*KeyLoad {
	var out []*KeyLoad
	for _, k := range s.keys {
		l := &KeyLoad{Key: k.key, Cells: k.load, Throttled: -1, Item: k.item(), Row: -1}
		for i := range k.load {
			l.Peak = max(l.Peak, k.load[i].Likely)
			if !math.IsNaN(k.refused[i]) {
				l.Throttled = math.Max(l.Throttled, 0) + k.refused[i]
			}
			if l.FirstSeen.IsZero() && !(math.IsNaN(k.accessed[i]) && math.IsNaN(k.refused[i])) {
				l.FirstSeen = s.facts.at(i)
			}
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b *KeyLoad) int {
		return cmp.Or(cmp.Compare(b.Peak, a.Peak), cmp.Compare(b.Throttled, a.Throttled), cmp.Compare(a.Key.Partition, b.Key.Partition))
	})
	return out
}
