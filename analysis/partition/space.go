package partition

import (
	"hash/fnv"
	"math"
)

// Point is a position in the key space: Hash is where the partition key hashes
// to, Sort where an item lies among the items of that partition key. Both lie in
// [0, 1]. Points are ordered by Hash, then Sort.
type Point struct{ Hash, Sort float64 }

func (p Point) before(q Point) bool {
	return p.Hash < q.Hash || p.Hash == q.Hash && p.Sort < q.Sort
}

// Position hashes a partition key of a resource to [0, 1). DynamoDB's own hash is
// not published; salt keeps resources apart.
func Position(salt, key string) float64 {
	h := fnv.New64a()
	h.Write([]byte(salt))
	h.Write([]byte{0})
	h.Write([]byte(key))
	x := h.Sum64()
	// FNV leaves the high bits of similar short keys alike.
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// Apart is the chance, 0 to 1, that no partition gets more than most of so many keys,
// hashed over partitions of the same width.
func Apart(keys, partitions, most int) float64 {
	if most >= keys {
		return 1
	}
	// fits[k] is the chance for k keys on the partitions looked at so far.
	fits := make([]float64, keys+1)
	fits[0] = 1
	for r := 1; r <= partitions; r++ {
		for k := keys; k > 0; k-- {
			sum, here := 0.0, math.Pow(1-1/float64(r), float64(k)) // here: of j keys on partition r
			for j := 0; j <= min(most, k); j++ {
				if r == 1 {
					here = 0
					if j == k {
						here = 1
					}
				}
				sum += here * fits[k-j]
				here *= float64(k-j) / float64(j+1) / float64(max(1, r-1))
			}
			fits[k] = sum
		}
	}
	return fits[keys]
}

// Spread tells how a load lies among the items of its partition key.
type Spread uint8

const (
	// OneItem is a single item.
	OneItem Spread = iota
	// Collection is spread evenly over all sort keys.
	Collection
	// Growing is always the newest sort key. Splitting never helps it
	// (Developer Guide, "Burst and adaptive capacity").
	Growing
)

// growing is where the newest sort key lies: behind all others.
const growing = 1 - 1.0/(1<<40)

// Place says where a load lies in the key space.
type Place struct {
	// At is the position, Width how far the load reaches from there over
	// evenly used partition keys. Width 0 is one partition key.
	At     Point
	Width  float64
	Spread Spread
}

// Partition is an interval of the key space, From inclusive, To exclusive.
type Partition struct {
	// ID is unique within the resource and never used again; Parent is the ID
	// of the partition it was split from, -1 for the first ones.
	ID, Parent int
	From, To   Point
	// Opened is the second in which it came to be; 0 for the first ones.
	Opened int

	read, write half
}

// half is one direction of a partition.
type half struct {
	bucket Bucket
	// demand, soft and served are the current second's: units asked for,
	// those of them that are eventually consistent, units served.
	demand, soft, served float64
	pass                 float64 // share of the demand that is served
	minute, ceiling      float64 // units served, and possible, in this minute
	hot                  int     // minutes in a row near the ceiling
}

// Share is the share of a load at this place that falls between two points, the
// first inclusive, the second exclusive.
func (l Place) Share(from, to Point) float64 {
	if l.Width > 0 {
		low, high := max(from.Hash, l.At.Hash), min(to.Hash, l.At.Hash+l.Width)
		share := max(0, high-low) / l.Width
		if over := l.At.Hash + l.Width - 1; over > 0 { // around the end
			share += max(0, min(to.Hash, over)-from.Hash) / l.Width
		}
		return share
	}
	if l.Spread != Collection {
		at := l.At
		if l.Spread == Growing {
			at.Sort = growing
		}
		if at.before(from) || !at.before(to) {
			return 0
		}
		return 1
	}
	h, low, high := l.At.Hash, 0.0, 1.0
	if from.Hash > h || to.Hash < h {
		return 0
	}
	if from.Hash == h {
		low = from.Sort
	}
	if to.Hash == h {
		high = to.Sort
	}
	return max(0, high-low)
}

// cuts are the hashes at which all partitions but the first begin.
func (c Config) cuts() []float64 {
	if len(c.Cuts) > 0 {
		return c.Cuts
	}
	var out []float64
	for i := 1; i < c.Partitions; i++ {
		out = append(out, float64(i)/float64(c.Partitions))
	}
	return out
}

// cutAt makes partitions that begin at 0 and at each cut.
func cutAt(cuts []float64) []Partition {
	out := make([]Partition, len(cuts)+1)
	for i := range out {
		out[i] = Partition{ID: i, Parent: -1, To: Point{Hash: 1, Sort: 1}}
		if i > 0 {
			out[i].From = Point{Hash: cuts[i-1]}
		}
		if i < len(cuts) {
			out[i].To = Point{Hash: cuts[i]}
		}
		out[i].fill()
	}
	return out
}

// fill gives a partition full buckets.
func (p *Partition) fill() {
	p.read = half{bucket: NewBucket(float64(ReadCeiling), SavedSeconds), pass: 1}
	p.write = half{bucket: NewBucket(float64(WriteCeiling), SavedSeconds), pass: 1}
}
