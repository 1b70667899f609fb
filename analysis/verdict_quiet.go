package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// quietVerdict says that nothing is wrong, as far as the data let one say so.
func (d *Diagnosis) quietVerdict() Verdict {
	looked := d.lookedAt()
	unknown := d.unseen()
	if len(unknown) > 0 {
		return Verdict{Title: "NO EVENT", Summary: "none found, but " + strings.Join(unknown, "; ") + " · " + looked}
	}
	found := "no refusals"
	if n := d.refusals(); n > 0 {
		found = fmt.Sprintf("%s refusals that look like ordinary background", telemetry.Thousands(n))
		if n == 1 {
			found = "one refusal that looks like ordinary background"
		}
	}
	return Verdict{Title: "HEALTHY", Summary: found + " · " + looked}
}

func (d *Diagnosis) refusals() float64 {
	var sum float64
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			sum += r.Read.Throttled + r.Write.Throttled
		}
	}
	return sum
}

// lookedAt counts what was looked at, and when.
func (d *Diagnosis) lookedAt() string {
	indexes, swept := 0, 0
	for _, t := range d.Tables {
		indexes += len(t.Resources) - 1
		if t.Resources[0].Read.RefusalsOnly && t.Resources[0].Write.RefusalsOnly {
			swept++
		}
	}
	text := plural(len(d.Tables), "table", "tables")
	if indexes > 0 {
		text += " and " + plural(indexes, "index", "indexes")
	}
	if d.Window.End.After(d.Window.Start) {
		text += fmt.Sprintf(" from %s to %s", clock(d.Window.Start), clock(d.Window.End))
	}
	switch {
	case swept == 0:
	case swept == len(d.Tables):
		text += ", for refusals only"
	default:
		text += fmt.Sprintf(", %s of them for refusals only", plural(swept, "table", "tables"))
	}
	return text
}

// unseen lists what isn't known that would have to be for calling a table healthy.
func (d *Diagnosis) unseen() []string {
	if len(d.Tables) == 0 {
		return []string{"no table is known yet"}
	}
	var out []string
	refusals, loads, all := 0, 0, 0
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, dir := range telemetry.Directions {
				all++
				load := r.Load(dir)
				if !slices.ContainsFunc(load.Minutes, func(m Minute) bool { return m.ThrottleState == telemetry.Known }) {
					refusals++
				}
				if !load.RefusalsOnly && !slices.ContainsFunc(load.Minutes, func(m Minute) bool { return m.State == telemetry.Known }) {
					loads++
				}
			}
		}
	}
	if refusals > 0 {
		out = append(out, "refusals are unknown for "+partOf(refusals, all))
	}
	if loads == all {
		out = append(out, "consumed capacity is unknown")
	}
	return out
}

func partOf(n, all int) string {
	if n == all {
		return "all that was looked at"
	}
	return fmt.Sprintf("%d of %d reads and writes of tables and indexes", n, all)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return telemetry.Thousands(float64(n)) + " " + many
}
