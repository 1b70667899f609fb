package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// summary is what a rectangle of the map holds.
type summary struct {
	when, who string
	peak      analysis.Cell
	// mean is the mean load of its lines together over its known minutes.
	mean  float64
	known bool
	// refused are the refusals of its lines; limits what refused the resource in its
	// minutes.
	refused float64
	limits  analysis.LimitCounts
	// events are the verdicts on the events that it touches.
	events []string
	dir    telemetry.Direction
}

// summarize adds up a rectangle.
func (m *model) summarize(g grid, r rectangle) summary {
	s := summary{dir: m.dir}
	start, end := g.at(r.low), g.at(r.high+1)
	s.when = m.clockText(start) + m.styles.dash() + m.clockText(end)
	var names []string
	loads := make([]load, r.high-r.low+1)
	for _, l := range g.lines {
		if !r.ids[l.id] {
			continue
		}
		names = append(names, m.label(l))
		if l.id != limitLineID {
			s.addLine(l, r, loads)
		}
	}
	s.who = strings.Join(names, ", ")
	s.addMinutes(g, r, loads)
	s.average(loads)
	v := m.view()
	for _, e := range v.Events {
		if e.Resource == m.resource && e.Direction == m.dir && e.Start.Before(end) && start.Before(e.End) && !m.drill {
			verdict := v.VerdictOn(e)
			s.events = append(s.events, verdict.Title+" "+verdict.Sure)
		}
	}
	return s
}

// load is what some lines draw together in one minute.
type load struct {
	rate  float64
	known bool
}

// addLine adds a line's cells to each minute's load.
func (s *summary) addLine(l line, r rectangle, loads []load) {
	for i := range loads {
		cell := l.cellAt(r.low + i)
		s.refused += cell.Throttled
		if cell.State != telemetry.Known {
			continue
		}
		loads[i] = load{loads[i].rate + float64(cell.Likely)*float64(l.count), true}
		if s.peak.State != telemetry.Known || cell.Likely > s.peak.Likely {
			s.peak = cell
		}
	}
}

// addMinutes adds the limits that refused; where the line of the whole resource belongs
// to the rectangle, load and refusals are the measured ones.
func (s *summary) addMinutes(g grid, r rectangle, loads []load) {
	whole := r.ids[limitLineID]
	if whole {
		s.refused = 0
	}
	for i := range loads {
		if r.low+i >= len(g.minutes) {
			return
		}
		x := g.minutes[r.low+i]
		if whole {
			s.refused += x.Throttled
			loads[i] = load{float64(x.Consumed), x.State == telemetry.Known}
		}
		s.limits.KeyRange += x.ByLimit.KeyRange
		s.limits.Provisioned += x.ByLimit.Provisioned
		s.limits.MaxOnDemand += x.ByLimit.MaxOnDemand
		s.limits.Account += x.ByLimit.Account
	}
}

func (s *summary) average(loads []load) {
	sum, n := 0.0, 0
	for _, l := range loads {
		if l.known {
			sum, n = sum+l.rate, n+1
		}
	}
	if s.known = n > 0; s.known {
		s.mean = sum / float64(n)
	}
}

// lines are the summary in words.
func (s summary) lines(m *model) []string {
	load := "load unknown"
	if s.known {
		load = fmt.Sprintf("mean %s %s/s", telemetry.Thousands(int(s.mean+0.5)), s.dir.Unit())
		if s.peak.State == telemetry.Known {
			load += ", busiest cell " + rates(s.peak, s.dir)
		}
	}
	parts := []string{load, compact(s.refused) + " refused", s.causes()}
	if s.refused == 0 && s.causes() == "" {
		parts[1] = "nothing refused"
	}
	parts = append(parts, s.events...)
	if len(s.events) == 0 && !m.drill {
		parts = append(parts, "no event")
	}
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return []string{s.when + m.sep() + s.who, strings.Join(kept, m.sep())}
}

// causes is the mix of the limits that refused in those minutes; "" for none.
func (s summary) causes() string {
	var parts []string
	var sum float64
	for _, l := range telemetry.Limits {
		sum += s.limits.Of(l)
	}
	for _, l := range telemetry.Limits {
		if n := s.limits.Of(l); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", telemetry.Words(l), 100*n/sum))
		}
	}
	return strings.Join(parts, ", ")
}

// difference compares two rectangles, the earlier marked first.
func (m *model) difference(a, b summary) []string {
	name := func(s summary) string { return s.when + " " + s.who }
	head := name(a) + " -> " + name(b)
	if !a.known || !b.known {
		return []string{head, "the load of one of the two is unknown"}
	}
	step := func(what string, x, y float64) string {
		text := fmt.Sprintf("%s %s -> %s", what, compact(x), compact(y))
		if x > 0 && y > 0 {
			text += fmt.Sprintf(" (x%.1f)", y/x)
		}
		return text
	}
	parts := []string{step("mean "+b.dir.Unit()+"/s", a.mean, b.mean)}
	if a.peak.State == telemetry.Known && b.peak.State == telemetry.Known {
		parts = append(parts, step("busiest cell", float64(a.peak.Likely), float64(b.peak.Likely)))
	}
	parts = append(parts, step("refused", a.refused, b.refused))
	return []string{head, strings.Join(parts, m.sep())}
}
