package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// place is one direction of a resource in the fleet.
type place struct {
	resource *analysis.Resource
	dir      telemetry.Direction
	load     *analysis.Load
	event    *analysis.Event // the worst that is not a note; nil for none
	pain     analysis.Pain
	// known says that refusals were answered for, idle that there is nothing to show:
	// no load was asked for, and no refusal is known.
	known, idle bool
	// both marks a line that stands for reads and writes.
	both bool
}

// folded counts the tables and indexes of a fleet that aren't listed one by one.
type folded struct{ tables, indexes int }

// places lists the fleet, the worst first: events that still stand, events, then load.
// What refuses nothing and is asked for nothing else is counted alone, as is what nobody
// has answered for; a filter lists them too.
func (m *model) places() (out []place, quiet, unknown folded) {
	v := m.view()
	worst, name := worstEvents(v), v.Namer()
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			if !m.matches(m.clean(name(r.ID))) {
				continue
			}
			read, write := newPlace(r, telemetry.Read, worst), newPlace(r, telemetry.Write, worst)
			switch {
			case !read.idle || !write.idle || len(v.Tables) == 1:
				out = append(out, read, write)
			case m.filter != "":
				write.both = true
				out = append(out, write)
			case write.known:
				quiet.add(r)
			default:
				unknown.add(r)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.weight(), a.weight()), cmp.Compare(b.load.Throttled, a.load.Throttled),
			cmp.Compare(rateOr0(b.load.Peak)/b.load.Ceiling, rateOr0(a.load.Peak)/a.load.Ceiling))
	})
	return out, quiet, unknown
}

func newPlace(r *analysis.Resource, dir telemetry.Direction, worst map[spot]*analysis.Event) place {
	p := place{resource: r, dir: dir, load: r.Load(dir), event: worst[spot{r.ID, dir}]}
	p.known = slices.ContainsFunc(p.load.Minutes, func(x analysis.Minute) bool { return x.ThrottleState == telemetry.Known })
	p.idle = p.load.Throttled == 0 && p.load.Peak == nil && (p.load.RefusalsOnly || !p.known)
	if !p.idle {
		p.pain = p.load.Pain()
	}
	return p
}

// spot is one direction of a resource.
type spot struct {
	id  telemetry.ResourceID
	dir telemetry.Direction
}

// worstEvents is for each spot an event that still stands, else the first there is.
func worstEvents(v *analysis.Diagnosis) map[spot]*analysis.Event {
	out := map[spot]*analysis.Event{}
	for _, e := range v.Events {
		at := spot{e.Resource, e.Direction}
		if !e.Note() && (out[at] == nil || e.Ongoing) {
			out[at] = e
		}
	}
	return out
}

func (f *folded) add(r *analysis.Resource) {
	if r.ID.Index == "" {
		f.tables++
	} else {
		f.indexes++
	}
}

// text counts them, such as "12 tables and 3 indexes"; "" for none.
func (f folded) text() string {
	var parts []string
	count := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, telemetry.Thousands(n)+" "+many)
		}
	}
	count(f.tables, "table", "tables")
	count(f.indexes, "index", "indexes")
	return strings.Join(parts, " and ")
}

func (p place) rank() int {
	switch {
	case p.event == nil:
		return 0
	case p.event.Ongoing:
		return 2
	}
	return 1
}

// weight is what users feel; refusals that make no event are noise.
func (p place) weight() float64 {
	if p.event == nil {
		return 0
	}
	return p.pain.Weight()
}

// tablesSheet shows the fleet; Enter turns the map to the chosen line.
func (m *model) tablesSheet(w int) sheet {
	var s sheet
	const wide = 110 // where there is room for the partitions
	name := max(14, min(50, w-60))
	head := fmt.Sprintf(" %s %-5s %7s %6s %6s %10s ", fit("table or index", name), "", "refused", "share", "min", "peak/s")
	if w >= wide {
		name = max(14, min(50, w-76))
		head = fmt.Sprintf(" %s %-5s %7s %6s %6s %10s  %-13s ", fit("table or index", name), "", "refused", "share", "min", "peak/s", "partitions")
	}
	s.head = []string{m.styles.dim.Render(fit(head, w))}
	places, quiet, unknown := m.places()
	nameOf := m.view().Namer()
	for _, p := range places {
		text := fmt.Sprintf(" %s %s", fit(m.styles.cutPlace(m.clean(nameOf(p.resource.ID)), name), name), p.figures())
		if parts := p.resource.Partitions; w >= wide {
			text += fmt.Sprintf(" %-13s ", fmt.Sprintf("%d (%d-%d)", parts.Likely, parts.Low, parts.High))
		}
		if p.event != nil && !m.drill {
			text += m.styles.cut(m.view().VerdictOn(p.event).Title, max(1, w-width(text)))
		}
		s.item(fit(text, w))
	}
	if text := quiet.text(); text != "" {
		s.add(m.remark(fmt.Sprintf("+ %s without refusals, of which nothing else is asked; %s finds one", text, m.keys.names([]action{find})), w)...)
	}
	if text := unknown.text(); text != "" {
		s.add(m.remark(fmt.Sprintf("+ %s of which nothing is known yet", text), w)...)
	}
	s.add("")
	estimate := ""
	if w >= wide {
		estimate = "Partitions are an estimate (likely, and its range). "
	}
	s.add(m.remark("The worst first: the share of requests refused (for an index of its table's), and in how many of the last minutes. "+
		estimate+"Enter shows the map.", w)...)
	return s
}

// figures are a line's numbers: refusals in all, their share of the requests and the
// minutes of the last quarter of an hour that had any, and the busiest minute.
func (p place) figures() string {
	share, minutes := "", ""
	if p.pain.Minutes > 0 {
		share, minutes = "?", fmt.Sprintf("%d/%d", p.pain.Minutes, p.pain.Known)
	}
	if p.pain.Refused > 0 {
		share = shareText(p.pain.Refused)
	}
	peak := "?"
	switch {
	case p.load.Peak != nil:
		peak = telemetry.Thousands(int(*p.load.Peak+0.5)) + " " + p.dir.Unit()
	case p.load.RefusalsOnly:
		peak = "not asked"
	}
	dir, refused := string(p.dir), compact(p.load.Throttled)
	if p.both {
		dir = ""
	}
	if !p.known {
		refused = "?"
	}
	return fmt.Sprintf("%-5s %7s %6s %6s %10s ", dir, refused, share, minutes, peak)
}

// shareText is a share above 0 in per cent; it says neither none nor all of what isn't.
func shareText(x float64) string {
	switch {
	case x < 0.01:
		return "< 1 %"
	case x > 0.99 && x < 1:
		return "> 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// openPlace turns the map to a place, and asks for all of its table where only its
// refusals are asked for.
func (m *model) openPlace(p place) tea.Cmd {
	m.chosen, m.filter = true, ""
	m.show(p.resource.ID, p.dir)
	m.open(heatPane)
	if p.load.RefusalsOnly && m.opts.Look != nil {
		m.say("all of %s is asked for from the next poll on", m.clean(p.resource.ID.Table))
	}
	return m.look(p.resource.ID.TableID)
}

// look tells whoever asks which table of a fleet is open; the zero value for none.
func (m *model) look(id telemetry.TableID) tea.Cmd {
	look := m.opts.Look
	if look == nil {
		return nil
	}
	return func() tea.Msg {
		look(id)
		return nil
	}
}
