package tui

import "github.com/hotpart/hotpart/analysis"

// emptyHeat says why there is no line on the map, and what to do.
func (m *model) emptyHeat(w int) []string {
	r := m.shownResource()
	why := "no load is known here: the data hold no consumed units of it (5 evidence says what the data lack)"
	switch {
	case m.filter != "":
		why = "no line matches " + m.filter + " (/ changes the filter, Esc ends it)"
	case len(m.view().Tables) == 0:
		why = "no table is known yet: the data so far describe none and hold no metric of one"
	case m.byKey:
		why = m.whyNoKeys(r)
	case r != nil && r.Load(m.dir).RefusalsOnly && m.opts.Look != nil:
		why = "only refusals are asked for here, as of all tables that are quiet; Enter in " + m.keys.names([]action{showTables}) + " tables asks for all of one"
	case r != nil && r.Load(m.dir).RefusalsOnly:
		why = "only refusals are asked for here, as of all tables that are quiet; to watch one closely: hotpart watch " + r.ID.Table
	}
	return append([]string{""}, m.paragraph(" ", why, w)...)
}

// emptyKeys says why no key is listed, and what to do.
func (m *model) emptyKeys(w int) []string {
	why := m.whyNoKeys(m.shownResource())
	if l := m.load(); l != nil && len(l.Keys) > 0 {
		why = "no key matches " + m.filter + " (/ changes the filter, Esc ends it)"
	}
	return append([]string{""}, m.paragraph(" ", why, w)...)
}

// whyNoKeys says why no key of a resource is known, and what would change that.
func (m *model) whyNoKeys(r *analysis.Resource) string {
	if r == nil {
		return "no key is known: there is no table"
	}
	if text := r.KeysText(); text != "" {
		return text
	}
	return "no key of " + r.ID.String() + " is ranked up to now"
}

// noEvent says that there is none, what is known instead, and how to get to one.
func (m *model) noEvent(what string, w int) []string {
	v := m.view()
	out := append([]string{""}, m.paragraph(" ", what, w)...)
	if v.Leading() == nil {
		out = append(out, m.paragraph(" ", v.Verdict().Title+": "+v.Verdict().Summary, w)...)
	}
	for _, e := range m.hindsightEvents() {
		if e.Start.After(v.Window.End) {
			return append(out, "", m.styles.dim.Render(" "+m.keys.names([]action{nextEvent})+" goes to the next one in the recording"))
		}
	}
	return out
}
