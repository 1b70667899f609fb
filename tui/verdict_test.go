package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/replay/scenario"
)

// everyIncident calls try with every built-in incident and scenario, each diagnosed at its
// end.
func everyIncident(t *testing.T, try func(name string, d *analysis.Diagnosis)) {
	t.Helper()
	for _, x := range incidents.All {
		d, ok := fixtures(t)[x.Name]
		if !ok {
			d = diagnose(incident(t, x.Name))
		}
		try(x.Name, d)
	}
	for _, name := range scenario.Names() {
		s, err := scenario.Library(name)
		if err != nil {
			t.Fatal(err)
		}
		a := analysis.New()
		a.Add(scenario.Generate(s, 1).Batch())
		try(name, a.Diagnose())
	}
}

func TestVerdictAndAdviceReadWholeAtEightyColumns(t *testing.T) {
	everyIncident(t, func(name string, d *analysis.Diagnosis) {
		m := held(d, 80, 24)
		l := m.layout()
		if wanted := m.verdictWanted(80); wanted > l.verdict.h {
			t.Errorf("%s: the verdict takes %d lines and gets %d", name, wanted, l.verdict.h)
		}
		v := d.Verdict()
		block := ansi.Strip(strings.Join(m.verdictBlock(80, l.verdict.h), " "))
		if v.Sure != "" && !strings.Contains(block, v.Sure) {
			t.Errorf("%s: %q isn't said", name, v.Sure)
		}
		block = strings.Join(strings.Fields(strings.Replace(block, v.Sure, "", 1)), " ")
		first, _, _ := strings.Cut(v.WontHelp, ", ")
		for _, s := range []string{v.Summary, v.DoNow, first} {
			if !strings.Contains(block, s) {
				t.Errorf("%s: %q is not in %q", name, s, block)
			}
		}
		press(m, "4")
		for _, s := range m.sheet(80).lines {
			if strings.Contains(s, "…") {
				t.Errorf("%s: advice is cut: %s", name, s)
			}
		}
	})
}
