package scenario

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hotpart/hotpart/analysis/partition"
)

// name is the i-th key of a rest. Numbers look drawn at random, and repeat only
// after nine million.
func (r Rest) name(i int) string {
	n := 1000000 + (uint64(i)*2654435761+12345)%9000000
	return strings.Replace(r.Pattern, "%", strconv.FormatUint(n, 10), 1)
}

// heads is how many of the busiest keys of a rest are followed by name.
const heads = 48

// shares of the busiest keys of a rest, most first, and what all others share;
// those that are left out have none. first is the number of the first one.
func (r Rest) shares() (first int, head []float64, tail float64) {
	head, tail = r.allShares()
	left := 1.0
	for _, share := range head[:r.skip] {
		left -= share
	}
	head = head[r.skip:]
	for i := range head {
		head[i] /= left
	}
	return r.skip, head, tail / left
}

func (r Rest) allShares() (head []float64, tail float64) {
	if r.Zipf <= 0 || r.Count <= heads {
		n := min(r.Count, heads)
		if r.Zipf <= 0 && r.Count > heads {
			return nil, 1
		}
		total := 0.0
		for i := range n {
			head = append(head, math.Pow(float64(i+1), -r.Zipf))
			total += head[i]
		}
		for i := range head {
			head[i] /= total
		}
		return head, 0
	}
	total, sum := harmonic(r.Count, r.Zipf), 0.0
	for i := range heads {
		head = append(head, math.Pow(float64(i+1), -r.Zipf)/total)
		sum += head[i]
	}
	return head, 1 - sum
}

// harmonic is the sum of i^-s for i from 1 to n, the far part as an integral.
func harmonic(n int, s float64) float64 {
	total := 0.0
	exact := min(n, 1000)
	for i := 1; i <= exact; i++ {
		total += math.Pow(float64(i), -s)
	}
	if n > exact {
		a, b := float64(exact)+0.5, float64(n)+0.5
		if s == 1 {
			return total + math.Log(b/a)
		}
		total += (math.Pow(b, 1-s) - math.Pow(a, 1-s)) / (1 - s)
	}
	return total
}

// topCounts draws how often the busiest of n equal keys were seen, most first, at
// most limit of them, when each is seen mean times on average.
func topCounts(rng *rand.Rand, n int, mean float64, limit int) []int {
	if n <= 0 || mean <= 0 {
		return nil
	}
	// From the count that one key in a hundred such draws would reach.
	c := int(mean + 6*math.Sqrt(mean) + 8)
	for c > 1 && float64(n)*tailChance(mean, c) < 0.01 {
		c--
	}
	var out []int
	for ; c >= 1 && len(out) < limit; c-- {
		for range int(poisson(rng, float64(n)*pointChance(mean, c))) {
			out = append(out, c)
			if len(out) == limit {
				break
			}
		}
	}
	return out
}

// pointChance is the Poisson probability of exactly c.
func pointChance(mean float64, c int) float64 {
	lg, _ := math.Lgamma(float64(c) + 1)
	return math.Exp(float64(c)*math.Log(mean) - mean - lg)
}

// tailChance is about the Poisson probability of c or more, for c above mean.
func tailChance(mean float64, c int) float64 {
	p := pointChance(mean, c)
	if ratio := mean / float64(c+1); ratio < 1 {
		return p / (1 - ratio)
	}
	return 1
}

// hashes is a part of the hash space.
type hashes struct{ from, to float64 }

// place is where a key's load lies. within decrees the part of the hash space, as
// when a scenario wants keys on one partition: nobody outside AWS knows the hash.
func (k Key) place(salt string, within hashes) partition.Place {
	at := partition.Point{Hash: partition.Position(salt, k.Name)}
	at.Hash = within.from + at.Hash*(within.to-within.from)
	if k.Spread == partition.OneItem {
		at.Sort = partition.Position(salt, k.Name+"\x00"+k.Item)
	}
	return partition.Place{At: at, Spread: k.Spread}
}

// cuts are where the partitions of an uneven resource begin: each comes from
// halving the widest or another one, as chance has it.
func (r *Resource) cuts() []float64 {
	if !r.Uneven {
		return nil
	}
	bounds := []float64{0, 1}
	for i := 0; len(bounds) <= r.Partitions; i++ {
		x := partition.Position(r.Name, strconv.Itoa(i))
		j, _ := slices.BinarySearch(bounds, x)
		for k := 1; k < len(bounds); k++ { // never more than four times as wide as another
			if bounds[k]-bounds[k-1] > 3.9*(bounds[j]-bounds[j-1]) {
				j = k
			}
		}
		bounds = slices.Insert(bounds, j, (bounds[j-1]+bounds[j])/2)
	}
	return bounds[1 : len(bounds)-1]
}
