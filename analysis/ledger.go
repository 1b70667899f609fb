package analysis

import (
	"cmp"
	"math"
	"slices"
)

// ledger weighs causes against each other. Each entry is one observation with its
// likelihood ratio for the causes it speaks of; an observation that is absent is not
// entered. Weights are natural logarithms.
type ledger struct {
	causes  []Cause
	score   map[Cause]float64
	entries []entry
}

// entry is one observation.
type entry struct {
	text   string
	weight map[Cause]float64
}

// newLedger starts from prior odds.
func newLedger(prior map[Cause]float64) *ledger {
	l := &ledger{score: map[Cause]float64{}}
	for _, c := range Causes {
		if p, ok := prior[c]; ok {
			l.causes = append(l.causes, c)
			l.score[c] = math.Log(p)
		}
	}
	return l
}

// note enters an observation. Causes that weight doesn't name are left as they are.
func (l *ledger) note(text string, weight map[Cause]float64) {
	for c, w := range weight {
		if _, ok := l.score[c]; ok {
			l.score[c] += w
		}
	}
	l.entries = append(l.entries, entry{text, weight})
}

// verdict is the leading cause, its probability among the causes weighed, and the
// runner-up ("" where there is only one).
func (l *ledger) verdict() (best Cause, p float64, second Cause) {
	order := slices.Clone(l.causes)
	slices.SortStableFunc(order, func(a, b Cause) int { return cmp.Compare(l.score[b], l.score[a]) })
	var sum float64
	for _, c := range order {
		sum += math.Exp(l.score[c] - l.score[order[0]])
	}
	if len(order) > 1 {
		second = order[1]
	}
	return order[0], 1 / sum, second
}

// evidence sets out the entries for or against a cause, the weightiest first. What
// bears on no cause more than on another is left out.
func (l *ledger) evidence(of Cause) []Evidence {
	var out []Evidence
	for _, e := range l.entries {
		var others float64
		n := 0
		for _, c := range l.causes {
			if c != of {
				others += e.weight[c]
				n++
			}
		}
		w := e.weight[of] - others/math.Max(1, float64(n))
		if math.Abs(w) < 0.1 {
			continue
		}
		out = append(out, Evidence{Supports: w > 0, Text: e.text, Weight: w})
	}
	slices.SortStableFunc(out, func(a, b Evidence) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return out
}
