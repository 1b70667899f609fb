package collectors

import (
	"slices"
	"strings"
)

// nearest are at most three names, those most like the given one first: by the
// share of letter pairs that they have in common.
func nearest(name string, all []string) []string {
	const most = 3
	wanted := pairs(name)
	likeness := make(map[string]float64, len(all))
	for _, other := range all {
		common := 0
		theirs := pairs(other)
		for pair, n := range theirs {
			common += min(n, wanted[pair])
		}
		likeness[other] = float64(common) / float64(1+max(len(name), len(other)))
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b string) int {
		switch {
		case likeness[a] > likeness[b]:
			return -1
		case likeness[a] < likeness[b]:
			return 1
		}
		return strings.Compare(a, b)
	})
	return sorted[:min(most, len(sorted))]
}

func pairs(name string) map[string]int {
	name = " " + strings.ToLower(name) + " "
	out := map[string]int{}
	for i := 2; i <= len(name); i++ {
		out[name[i-2:i]]++
	}
	return out
}
