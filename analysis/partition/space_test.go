package partition

import (
	"fmt"
	"math"
	"testing"
)

func TestApartIsTheChanceThatHashingTakes(t *testing.T) {
	for _, c := range []struct{ keys, partitions, most int }{{2, 4, 1}, {5, 4, 2}, {6, 8, 2}, {4, 3, 1}, {3, 1, 2}, {3, 1, 3}, {9, 20, 1}} {
		const trials = 4000
		held := 0.0
		for trial := range trials {
			on, fits := map[int]int{}, 1.0
			for k := range c.keys {
				place := int(Position(fmt.Sprint(trial), fmt.Sprint(k)) * float64(c.partitions))
				if on[place]++; on[place] > c.most {
					fits = 0
				}
			}
			held += fits / trials
		}
		if got := Apart(c.keys, c.partitions, c.most); math.Abs(got-held) > 0.03 {
			t.Errorf("%d keys on %d partitions, at most %d on each: chance %.3f, and %.3f of the trials", c.keys, c.partitions, c.most, got, held)
		}
	}
}
