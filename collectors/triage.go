package collectors

import (
	"cmp"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// stray is how many refusals of a table within the window that a sweep asks for, an
// hour as a rule, are no trouble: AWS calls occasional throttling normal (Developer
// Guide, "Provisioned capacity exceeded: mitigation"); the number is an assumption.
const stray = 2

// hearing is what the answers of one window say of a table's refusals.
type hearing struct {
	all  float64
	last time.Time // the end of the last minute with refusals; zero: none
	// recent counts those of the last quarter of an hour, minutes those minutes.
	recent  float64
	minutes map[time.Time]bool
	// partial is set where an answer was incomplete.
	partial bool
}

// hear takes from the answers of one window when each table last refused, and how
// badly.
func (f *fleet) hear(series []telemetry.Series, w telemetry.Window) {
	heard := map[telemetry.TableID]*hearing{}
	for _, s := range series {
		if s.ID.Stat != telemetry.Sum || !countsRefusals(s.ID.Metric) {
			continue
		}
		h := heard[s.ID.Resource.TableID]
		if h == nil {
			h = &hearing{minutes: map[time.Time]bool{}}
			heard[s.ID.Resource.TableID] = h
		}
		h.partial = h.partial || s.Status != telemetry.Complete
		for _, p := range s.Points {
			h.count(p, s.Period, w.End)
		}
	}
	for _, m := range f.members {
		h := heard[m.id]
		if h == nil {
			continue
		}
		if !h.partial {
			m.heard = w.End
		}
		m.pain = 0
		if h.all > stray {
			m.pain = h.recent * float64(len(h.minutes))
			if h.last.After(m.refused) {
				m.refused = h.last
			}
		}
	}
}

func countsRefusals(metric telemetry.Metric) bool {
	return metric == telemetry.ThrottleEvents(telemetry.Read, telemetry.UnknownLimit) ||
		metric == telemetry.ThrottleEvents(telemetry.Write, telemetry.UnknownLimit)
}

func (h *hearing) count(p telemetry.Point, period time.Duration, end time.Time) {
	if p.Value <= 0 {
		return
	}
	h.all += p.Value
	if ended := p.Time.Add(period); ended.After(h.last) {
		h.last = ended
	}
	if p.Time.After(end.Add(-quietFor)) {
		h.recent += p.Value
		h.minutes[p.Time] = true
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

// choose settles which tables are looked at closely: the one that somebody opened,
// then those in trouble, the worst first. One that isn't yet has to be twice as bad as
// one that is, so that tables don't take turns. It returns the new ones, and how many
// in trouble were left out.
func (f *fleet) choose(opened telemetry.TableID) (newcomers []*member, left int) {
	var wanting []*member
	for _, m := range f.members {
		if m.troubled() || m.id == opened {
			wanting = append(wanting, m)
		} else {
			m.close = false
		}
	}
	weight := func(m *member) float64 {
		if m.close {
			return 2 * m.pain
		}
		return m.pain
	}
	slices.SortStableFunc(wanting, func(a, b *member) int {
		if a.id == opened || b.id == opened {
			return map[bool]int{true: -1, false: 1}[a.id == opened]
		}
		return cmp.Compare(weight(b), weight(a))
	})
	for i, m := range wanting {
		chosen := i < MaxTables
		if chosen && !m.close {
			newcomers = append(newcomers, m)
		}
		m.close = chosen
	}
	return newcomers, max(0, len(wanting)-MaxTables)
}
