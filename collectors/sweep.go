package collectors

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// sweepMetrics is how many metrics a sweep asks for of a table or index: its
// refusals of reads and of writes.
const sweepMetrics = len(telemetry.Directions)

// resources are a table and its described indexes.
func (m *member) resources() []telemetry.ResourceID {
	out := []telemetry.ResourceID{m.id.Resource()}
	if m.table != nil {
		for _, index := range m.table.Indexes {
			out = append(out, m.id.WithIndex(index.Name))
		}
	}
	return out
}

// share parts the tables into slices of about the same size, swept in turns: one
// slice where a single call can ask for all, else two. It returns their number.
func (f *fleet) share() int {
	var sizes [2]int
	for _, m := range f.members {
		m.slice = 0
		if sizes[1] < sizes[0] {
			m.slice = 1
		}
		sizes[m.slice] += len(m.resources()) * sweepMetrics
	}
	if sizes[0]+sizes[1] <= queriesACall {
		return 1
	}
	return len(sizes)
}

// questions are the refusals to ask for in this turn, and mark their tables as
// swept. Tables that are looked at closely are asked for their refusals there;
// those that refused lately have a turn with each poll.
func (f *fleet) questions(now time.Time, every, period time.Duration) []question {
	turns := f.share()
	var out []question
	for _, m := range f.members {
		late := now.Sub(m.swept) >= time.Duration(turns)*every-pollEvery/2
		lately := !m.refused.IsZero() && now.Sub(m.refused) < afterTrouble
		if m.close || !late && !lately && m.slice != f.turn%turns {
			continue
		}
		m.swept = now
		for _, r := range m.resources() {
			for _, d := range telemetry.Directions {
				id := telemetry.SeriesID{Resource: r, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum}
				out = append(out, question{id, period})
			}
		}
	}
	return out
}

// hear takes from the answers of one window when each table last refused.
func (f *fleet) hear(series []telemetry.Series, w telemetry.Window) {
	of := map[telemetry.TableID]*member{}
	for _, m := range f.members {
		of[m.id] = m
	}
	unheard := map[*member]bool{}
	met := map[*member]bool{}
	for _, s := range series {
		m := of[s.ID.Resource.TableID]
		if m == nil || s.ID.Stat != telemetry.Sum || !countsRefusals(s.ID.Metric) {
			continue
		}
		if !met[m] {
			met[m], m.recent = true, 0
		}
		if s.Status != telemetry.Complete {
			unheard[m] = true
		}
		for _, p := range s.Points {
			m.count(p, s.Period, w.End)
		}
	}
	for m := range met {
		if !unheard[m] {
			m.heard = w.End
		}
	}
}

func countsRefusals(metric telemetry.Metric) bool {
	return metric == telemetry.ThrottleEvents(telemetry.Read, telemetry.UnknownLimit) ||
		metric == telemetry.ThrottleEvents(telemetry.Write, telemetry.UnknownLimit)
}

func (m *member) count(p telemetry.Point, period time.Duration, end time.Time) {
	if p.Value <= 0 {
		return
	}
	if ended := p.Time.Add(period); ended.After(m.refused) {
		m.refused = ended
	}
	if p.Time.After(end.Add(-quietFor)) {
		m.recent += p.Value
	}
}

// troubled reports whether a table refused what nobody has looked at closely yet,
// or isn't known to have been quiet for long enough since.
func (m *member) troubled() bool {
	if m.refused.IsZero() {
		return false
	}
	return m.refused.After(m.looked) || m.heard.Sub(m.refused) < quietFor
}

// choose settles which tables are looked at closely: those in trouble, the worst
// first. One that isn't yet has to be twice as bad as one that is, so that tables
// don't take turns. It returns the new ones, and how many were left out.
func (f *fleet) choose() (newcomers []*member, left int) {
	var wanting []*member
	for _, m := range f.members {
		if m.troubled() {
			wanting = append(wanting, m)
		} else {
			m.close = false
		}
	}
	weight := func(m *member) float64 {
		if m.close {
			return 2 * m.recent
		}
		return m.recent
	}
	slices.SortStableFunc(wanting, func(a, b *member) int { return cmp.Compare(weight(b), weight(a)) })
	for i, m := range wanting {
		chosen := i < MaxTables
		if chosen && !m.close {
			newcomers = append(newcomers, m)
		}
		m.close = chosen
	}
	return newcomers, max(0, len(wanting)-MaxTables)
}

// closely is the survey of the tables chosen, and whether its second round is due:
// for new tables, and every few minutes.
func (f *fleet) closely(now time.Time) (s *survey, fresh bool) {
	s = &survey{at: now}
	for _, m := range f.members {
		if !m.close {
			continue
		}
		s.watched = append(s.watched, m.id)
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
