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
	// accessed is 3 x write units + read units a minute, and refused the throttle
	// errors a minute, in each step; NaN where the key wasn't ranked.
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
func (f *facts) keyTracks(id telemetry.ResourceID) []*keyTrack {
	b := keyBuilder{facts: f, byKey: map[string]*keyTrack{}}
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
}

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
		k := b.track(key.Partition)
		values := k.accessed
		if kind.Throttled() {
			values = k.refused
		}
		for _, p := range r.points[key] {
			if i := b.facts.step(p.Time); i >= 0 && i < len(values) {
				values[i] = p.Value
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

// approximate is how far a ranked value may be off; AWS calls all of them approximate
// without a figure (an assumption).
const approximate = 0.02

// part finds each key's load in one direction from its combined value 3W+R and the
// resource's totals W and R. In one minute w lies in [(v-R)/3, v/3] and below W, r in
// [v-3W, v] and below R. The range is narrowed twice: by what the key can have drawn in
// its quietest minute (its reads grow by no more than all reads do, its writes by no
// more than all writes do), and by which of the two totals the key's value moves with.
func (s *scene) part(k *keyTrack) []Cell {
	own, other := s.totals(s.dir), s.totals(opposite(s.dir))
	ref := s.quietReference(k, own, other)
	move := fitMovement(k.accessed, own, other)
	out := make([]Cell, len(k.accessed))
	for i, v := range k.accessed {
		if math.IsNaN(v) {
			continue
		}
		low, high := s.partBounds(v, own[i], other[i], ref)
		if ref.ok && move.ok && own[i].known() {
			low, high = move.narrow(low, high, own[i].value, ref, s.dir)
		}
		out[i] = s.partCell(low*(1-approximate), high*(1+approximate))
	}
	return out
}

func (s *scene) partCell(low, high float64) Cell {
	seconds := s.facts.period().Seconds()
	return Cell{
		State: telemetry.Known, Likely: telemetry.Rate((low + high) / 2 / seconds),
		Low: telemetry.Rate(low / seconds), High: telemetry.Rate(high / seconds),
	}
}

// partBounds bounds the units of one minute that a key of combined value v drew.
func (s *scene) partBounds(v float64, own, other reading, ref reference) (low, high float64) {
	weight, otherWeight := weights(s.dir)
	high = v / weight
	if own.known() {
		high = math.Min(high, own.value)
		if ref.ok {
			high = math.Min(high, ref.own+risen(own.value, ref.ownTotal))
		}
	}
	if other.known() {
		most := math.Min(v/otherWeight, other.value)
		if ref.ok {
			most = math.Min(most, ref.other+risen(other.value, ref.otherTotal))
		}
		low = math.Max(0, (v-otherWeight*most)/weight)
	}
	return math.Min(low, high), high
}

// risen is how much a total may have grown for one key's sake, with room for the
// total's own wobble.
func risen(now, then float64) float64 {
	return math.Max(0, now-then)*(1+approximate) + approximate*then
}

// weights are how much a unit of the direction and of the other one count in 3W+R.
func weights(dir telemetry.Direction) (own, other float64) {
	if dir == telemetry.Write {
		return 3, 1
	}
	return 1, 3
}

func opposite(dir telemetry.Direction) telemetry.Direction {
	if dir == telemetry.Read {
		return telemetry.Write
	}
	return telemetry.Read
}

// totals are the consumed units of each step in a direction.
func (s *scene) totals(dir telemetry.Direction) []reading {
	return s.facts.readings(telemetry.SeriesID{Resource: s.res.ID, Metric: telemetry.Consumed(dir), Stat: telemetry.Sum})
}

// reference is what a key can have drawn at most in its quietest ranked minute.
type reference struct {
	own, other, ownTotal, otherTotal float64
	ok                               bool
}

// quietReference finds the minute in which the key drew least, if that is well under its
// peak. In a minute in which only other keys are ranked, the key drew at most what the
// least of them did.
func (s *scene) quietReference(k *keyTrack, own, other []reading) reference {
	quiet, least, peak := -1, math.Inf(1), 0.0
	for i, v := range k.accessed {
		if !own[i].known() || !other[i].known() {
			continue
		}
		if math.IsNaN(v) {
			v = s.smallest[i]
		} else {
			peak = math.Max(peak, v)
		}
		if v < least {
			quiet, least = i, v
		}
	}
	if quiet < 0 || least > peak/2 {
		return reference{}
	}
	weight, otherWeight := weights(s.dir)
	return reference{
		own: math.Min(least/weight, own[quiet].value), other: math.Min(least/otherWeight, other[quiet].value),
		ownTotal: own[quiet].value, otherTotal: other[quiet].value, ok: true,
	}
}

// smallestRanked is the least ranked value of each step; infinite where none is ranked.
func smallestRanked(keys []*keyTrack, steps int) []float64 {
	out := make([]float64, steps)
	for i := range out {
		out[i] = math.Inf(1)
		for _, k := range keys {
			if v := k.accessed[i]; v < out[i] {
				out[i] = v
			}
		}
	}
	return out
}

// movement is how a key's combined value moves with the totals.
type movement struct {
	own float64 // units of value for each unit of the own total
	rms float64 // what the fit leaves, in units of value
	ok  bool
}

// fitMovement fits value = a + b*own + c*other by least squares over the window. It is
// no use where the totals move together or hardly move, or where the fit is poor.
func fitMovement(values []float64, own, other []reading) movement {
	var x, y, v []float64
	for i, value := range values {
		if !math.IsNaN(value) && own[i].known() && other[i].known() {
			x, y, v = append(x, own[i].value), append(y, other[i].value), append(v, value)
		}
	}
	if len(v) < 10 {
		return movement{}
	}
	xx, xy, yy := covariance(x, x), covariance(x, y), covariance(y, y)
	xv, yv, vv := covariance(x, v), covariance(y, v), covariance(v, v)
	det := xx*yy - xy*xy
	const distinct = 0.1 // 1 - correlation squared
	if det <= distinct*xx*yy || xx == 0 || yy == 0 {
		return movement{}
	}
	b, c := (xv*yy-yv*xy)/det, (yv*xx-xv*xy)/det
	left := vv - b*xv - c*yv
	const good = 0.02 // of the variance
	if b < 0 || c < 0 || left > good*vv {
		return movement{}
	}
	return movement{own: b, rms: math.Sqrt(math.Max(0, left)), ok: true}
}

func covariance(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var sum float64
	for i := range a {
		sum += (a[i] - ma) * (b[i] - mb)
	}
	return sum / float64(len(a))
}

// narrow intersects a range with what the movement says; it leaves a range alone that
// the movement contradicts.
func (m movement) narrow(low, high, own float64, ref reference, dir telemetry.Direction) (float64, float64) {
	weight, _ := weights(dir)
	grown := m.own * (own - ref.ownTotal) / weight
	margin := 3*m.rms/weight + approximate*math.Abs(grown)
	l, h := math.Max(low, grown-margin), math.Min(high, grown+ref.own+margin)
	if l > h {
		return low, high
	}
	return l, h
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
