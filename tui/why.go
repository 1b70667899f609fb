package tui

import (
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// whyView uses the room under a short map: the weightiest evidence, what is missing, and
// what to do, for the event on the map; else what the data lack.
func (m *model) whyView(w, h int) []string {
	v := m.view()
	if h == 0 || v == nil || m.drill {
		return fill(nil, w, h)
	}
	var out []string
	if e := m.shownEvent(); e != nil && e.Resource == m.resource && e.Direction == m.dir {
		out = append(m.reasons(e, w), m.deeds(e, w)...)
	}
	if len(v.Warnings) > 0 {
		out = append(out, "", " "+m.styles.accent.Render("about the data"))
		for _, x := range v.Warnings {
			out = append(out, m.bullet("!", x.Text, w)...)
		}
	}
	if len(out) > h {
		out = append(withoutLastHeading(out[:h-1]), m.styles.dim.Render("  more: 4 advice, 5 evidence"))
	}
	return fill(out, w, h)
}

// withoutLastHeading leaves out what would head nothing at the end of cut lines: what is
// said stands further in than its heading.
func withoutLastHeading(lines []string) []string {
	for len(lines) > 0 && !strings.HasPrefix(lines[len(lines)-1], "  ") {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (m *model) reasons(e *analysis.Event, w int) []string {
	out := []string{" " + m.styles.accent.Render("why")}
	for _, x := range e.Weightiest(true) {
		out = append(out, m.bullet("+", x.Text, w)...)
	}
	for _, x := range e.Weightiest(false) {
		out = append(out, m.bullet(m.styles.dash(), x.Text, w)...)
	}
	for _, x := range e.Missing {
		out = append(out, m.bullet("?", x, w)...)
	}
	return out
}

// deeds are the recommendations in a line each, by stage.
func (m *model) deeds(e *analysis.Event, w int) []string {
	var out []string
	stage := analysis.Stage("")
	for _, r := range e.Recommendations {
		if r.Stage != stage {
			stage = r.Stage
			out = append(out, " "+m.styles.accent.Render(string(stage)))
		}
		out = append(out, m.bullet(m.styles.point(), r.Summary, w)...)
	}
	return out
}

// bullet is a text from outside behind a sign, wrapped.
func (m *model) bullet(sign, text string, w int) []string {
	lines := m.paragraph("    ", text, w)
	if len(lines) > 0 {
		lines[0] = "  " + m.styles.bold.Render(sign) + lines[0][3:]
	}
	return lines
}
