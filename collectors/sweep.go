package collectors

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// sweepMetrics is how many metrics a sweep asks for of a table or index: its
// refusals of reads and of writes.
const sweepMetrics = len(telemetry.Directions)

// resources are a table and its indexes that are known.
func (m *member) resources() []telemetry.ResourceID {
	out := []telemetry.ResourceID{m.id.Resource()}
	for _, index := range m.indexes {
		out = append(out, m.id.WithIndex(index))
	}
	if m.table != nil {
		for _, index := range m.table.Indexes {
			out = append(out, m.id.WithIndex(index.Name))
		}
	}
	return out
}

// sliced are all tables and then all indexes, each with the turn in which it is swept:
// all in the same where a single call can ask for them, else the first half and the
// second in turns, so that the first poll has the tables.
func (f *fleet) sliced() (all []sweepable) {
	for _, indexes := range []bool{false, true} {
		for _, m := range f.members {
			for _, r := range m.resources() {
				if (r.Index != "") == indexes {
					all = append(all, sweepable{m, r, 0})
				}
			}
		}
	}
	f.turns = 1
	if !f.whole && len(all)*sweepMetrics > queriesACall {
		f.turns = 2
		for i := (len(all) + 1) / 2; i < len(all); i++ {
			all[i].slice = 1
		}
	}
	return all
}

// sweepable is a table or index in its turn.
type sweepable struct {
	member   *member
	resource telemetry.ResourceID
	slice    int
}

// questions are the refusals to ask for in this turn, and mark what is asked for as
// swept. Tables that are looked at closely are asked for their refusals there; those
// that refused lately have a turn with each poll. At first each waits for its turn;
// later what is new, or whose turn was missed, has it at once.
func (f *fleet) questions(now time.Time, every, period time.Duration) []question {
	var out []question
	for _, x := range f.sliced() {
		m := x.member
		late := f.begun() && now.Sub(m.swept[x.resource.Index]) >= time.Duration(f.turns)*every-pollEvery/2
		lately := !m.refused.IsZero() && now.Sub(m.refused) < afterTrouble
		if m.close || !late && !lately && x.slice != f.turn%f.turns {
			continue
		}
		if m.swept == nil {
			m.swept = map[string]time.Time{}
		}
		m.swept[x.resource.Index] = now
		for _, d := range telemetry.Directions {
			id := telemetry.SeriesID{Resource: x.resource, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum}
			out = append(out, question{id, period})
		}
	}
	return out
}

// closely is the survey of the tables chosen, and whether its second round is due:
// for new tables, and every few minutes.
func (f *fleet) closely(now time.Time) (s *survey, fresh bool) {
	s = &survey{at: now, shared: map[string][]string{}}
	for _, m := range f.members {
		if !m.close {
			continue
		}
		s.watched, s.shared[m.name] = append(s.watched, m.id), m.indexes
		s.warnings = append(s.warnings, m.warnings...)
		if m.table != nil {
			s.tables = append(s.tables, *m.table)
		}
	}
	old := f.close
	if old == nil || now.Sub(old.at) >= surveyEvery-pollEvery/2 {
		return s, true
	}
	for _, id := range s.watched {
		if !slices.Contains(old.watched, id) {
			return s, true
		}
	}
	s.at = old.at
	s.insights = slices.DeleteFunc(slices.Clone(old.insights), func(in telemetry.Insights) bool { return !slices.Contains(s.watched, in.Resource.TableID) })
	s.warnings = slices.DeleteFunc(slices.Clone(old.warnings), func(w telemetry.Warning) bool { return !slices.Contains(s.watched, w.Resource.TableID) })
	return s, false
}

// begun reports whether every slice had its turn.
func (f *fleet) begun() bool { return f.turn >= f.turns }

// fold makes one warning of many that say the same of different tables.
func fold(all []telemetry.Warning) []telemetry.Warning {
	const few = 3
	type kind struct{ code, text string }
	of := func(w telemetry.Warning) kind {
		return kind{w.Code, strings.TrimPrefix(w.Text, subject(w.Resource)+": ")}
	}
	count := map[kind]int{}
	for _, w := range all {
		count[of(w)]++
	}
	var out []telemetry.Warning
	for _, w := range all {
		switch k, n := of(w), count[of(w)]; {
		case n < 0:
		case n <= few || w.Resource.Table == "":
			out = append(out, w)
		default:
			out = append(out, telemetry.Warning{Code: k.code, Text: fmt.Sprintf("%s and %d others: %s", subject(w.Resource), n-1, k.text)})
			count[k] = -1
		}
	}
	return out
}
