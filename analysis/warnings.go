package analysis

import (
	"fmt"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// dataWarnings says what is weak about the data behind a table's diagnosis.
func dataWarnings(f *facts, t *Table) []telemetry.Warning {
	var out []telemetry.Warning
	warn := func(code, text string) {
		out = append(out, telemetry.Warning{Code: code, Text: text, Resource: t.ID.Resource()})
	}
	if p := f.period(); p > time.Minute && f.steps() > 0 {
		warn(telemetry.CoarsePeriod, fmt.Sprintf("%s: points are %.0f minutes apart, so nothing can be said of bursts", t.ID.Table, p.Minutes()))
	}
	for _, dir := range telemetry.Directions {
		if n := gaps(t.Resources[0].Load(dir).Minutes); n > 0 {
			warn(telemetry.Gap, fmt.Sprintf("%s: consumed %s units are missing in %d of %d minutes", t.ID.Table, dir, n, f.steps()))
		}
	}
	if d := t.Description; d != nil && !d.At.IsZero() && f.window.End.Sub(d.At) > 6*time.Hour {
		warn(telemetry.StaleDescription, fmt.Sprintf("%s: the description is from %s", t.ID.Table, d.At.UTC().Format(time.RFC3339)))
	}
	return out
}

// gaps counts unknown minutes between known ones.
func gaps(minutes []Minute) int {
	n, waiting, known := 0, 0, false
	for _, m := range minutes {
		switch m.State {
		case telemetry.Known:
			if known {
				n += waiting
			}
			known, waiting = true, 0
		case telemetry.Unknown:
			waiting++
		}
	}
	return n
}
