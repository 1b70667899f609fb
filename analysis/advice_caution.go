package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// enough is how often a capacity that is advised is enough, by what the model holds
// possible: too little costs a second incident, too much only money until it is lowered.
const enough = 0.75

// caution is by how much more than what is likely wanted would have to be served for that
// to be enough, at least 1. How often clients try is not known: what is wanted by those
// numbers of attempts that together are likely enough counts.
func (a *adviser) caution() float64 {
	e := a.event
	p, lacks := newPast(a.res, e)
	if lacks != "" || !(e.Demand.Likely > 0) {
		return 1
	}
	served, refused := unfoldDemand(*e.Demand)
	byDemand := slices.SortedFunc(slices.Values(p.clients), func(x, y client) int { return cmp.Compare(y.attempts, x.attempts) })
	all, sum := 0.0, 0.0
	for _, c := range byDemand {
		all += c.weight
	}
	for _, c := range byDemand {
		if sum += c.weight; sum >= enough*all {
			return math.Max(1, wanted(served, refused, c.attempts)/e.Demand.Likely)
		}
	}
	return 1
}

// cautionText is "; sized for 5,500, as how often clients try isn't known" where that is
// clearly more than what is likely wanted.
func (a *adviser) cautionText(wanted float64) string {
	const clearly = 1.05
	c := a.caution()
	if c < clearly || wanted <= 0 {
		return ""
	}
	return fmt.Sprintf("; sized for %s, as how often clients try isn't known", telemetry.Thousands(wanted*c))
}
