package analysis

import (
	"math"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// approximate is how far a ranked value may be off; AWS calls all of them approximate
// without a figure (an assumption).
const approximate = 0.02

// part finds each key's load in one direction from its combined value 3W+R and the
// resource's totals W and R. In one minute w lies in [(v-R)/3, v/3] and below W, r in
// [v-3W, v] and below R. The range is narrowed twice: by what the key can have drawn in
// its quietest minute (its reads grow by no more than all reads do, its writes by no
// more than all writes do), and by which of the two totals the key's value moves with.
func (s *scene) part(k *keyTrack) []Cell {
	own, other := s.own, s.other
	ref := s.quietReference(k, own, other)
	move := movement{}
	if ref.ok && ref.peak >= rowLoad*s.ceiling*s.facts.period().Seconds() {
		move = fitMovement(k.accessed, own, other)
	}
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
	// peak is the key's greatest combined value.
	peak float64
	ok   bool
}

// quietReference finds a minute in which the key drew little of its peak: of all such
// minutes the one in which the whole resource drew least, which binds least. In a minute
// in which only other keys are ranked, the key drew at most what the least of them did.
func (s *scene) quietReference(k *keyTrack, own, other []reading) reference {
	const little = 0.2 // of the peak
	weight, otherWeight := weights(s.dir)
	var peak float64
	for _, v := range k.accessed {
		peak = math.Max(peak, zeroIfNaN(v))
	}
	best, drew := reference{}, math.Inf(1)
	for i, v := range k.accessed {
		if math.IsNaN(v) {
			v = s.smallest[i]
		}
		all := weight*own[i].value + otherWeight*other[i].value
		if !own[i].known() || !other[i].known() || v > little*peak || all >= drew {
			continue
		}
		drew = all
		best = reference{
			own: math.Min(v/weight, own[i].value), other: math.Min(v/otherWeight, other[i].value),
			ownTotal: own[i].value, otherTotal: other[i].value, peak: peak, ok: true,
		}
	}
	return best
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
