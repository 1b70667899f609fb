package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// ForecastSchema names the format of forecasts as JSON.
const ForecastSchema = "hotpart.forecast/v1"

// Tried is a remedy in words, with what is forecast of it.
type Tried struct {
	// What may hold names and key values; it is cleaned, and masked where Options say so.
	What     string
	Forecast analysis.Forecast
}

// Forecasts writes how an event would have gone with some remedies, as text.
func Forecasts(w io.Writer, d *analysis.Diagnosis, e *analysis.Event, all []Tried, o Options) error {
	t := &textWriter{out: bufio.NewWriter(w)}
	m := o.mask(d)
	zone := o.location()
	t.wrap("", "", fmt.Sprintf("What if: %s on %s, %ss, %s to %s", telemetry.Words(e.Cause), telemetry.Clean(e.Resource.String()),
		e.Direction, e.Start.In(zone).Format("15:04"), e.End.In(zone).Format("15:04 MST")))
	t.facts("", []fact{
		{label: "refusals", value: thousands(e.ThrottledEvents) + " (measured)"},
		{label: "confidence", value: fmt.Sprintf("%.2f in the cause; where it is wrong, so is what follows", e.Confidence)},
	})
	var assumed []string
	for _, x := range all {
		t.line("", "")
		t.wrap("", "", telemetry.Clean(m.Text(x.What)))
		t.forecast(x.Forecast, e)
		for _, s := range x.Forecast.Why {
			if x.Forecast.OK && !slices.Contains(assumed, s) {
				assumed = append(assumed, s)
			}
		}
	}
	if len(assumed) > 0 {
		t.line("", "")
		t.line("", "Assumed")
	}
	for _, s := range assumed {
		t.wrap("  · ", "    ", s)
	}
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("write forecast as text: %w", err)
	}
	return nil
}

func (t *textWriter) forecast(f analysis.Forecast, e *analysis.Event) {
	if !f.OK {
		for _, s := range f.Why {
			t.wrap("  ", "  ", "no forecast: "+s)
		}
		return
	}
	facts := []fact{
		{label: "refusals", value: change(f.Before.Throttled, f.After.Throttled) + " (modelled)"},
		{label: "in the worst minute", value: change(f.Before.Peak, f.After.Peak) + " (modelled)"},
	}
	if h := hottestChange(f, e); h != "" {
		facts = append(facts, fact{label: "busiest partition", value: h + " (modelled)"})
	}
	t.facts("  ", facts)
}

// hottestChange is such as "990 → 400 to 600, likely 500 WCU/s"; "" where no partition
// refuses.
func hottestChange(f analysis.Forecast, e *analysis.Event) string {
	b, a := f.Before.Hottest, f.After.Hottest
	if b == nil || a == nil {
		return ""
	}
	return change(
		analysis.Estimate{Likely: float64(b.Rate)},
		analysis.Estimate{Likely: float64(a.Rate), Low: float64(a.Low), High: float64(a.High)},
	) + " " + e.Direction.Unit() + "/s"
}

// change is such as "45,000 → 0 to 200, likely 10".
func change(before, after analysis.Estimate) string {
	text := thousands(before.Likely) + " → " + span(after.Low, after.High)
	if likely := thousands(after.Likely); likely != span(after.Low, after.High) {
		text += ", likely " + likely
	}
	return text
}

type jsonForecasts struct {
	Schema    string      `json:"schema"`
	Event     string      `json:"event"`
	Forecasts []jsonTried `json:"forecasts"`
}

type jsonTried struct {
	What string `json:"what"`
	jsonForecast
}

// jsonForecast is what is forecast of a change. Before and after are null, and modelled
// is false, where nothing is.
type jsonForecast struct {
	Modelled bool         `json:"modelled"`
	Before   *jsonOutcome `json:"before"`
	After    *jsonOutcome `json:"after"`
	Why      []string     `json:"why"`
}

type jsonOutcome struct {
	Throttled jsonFigure  `json:"throttled_events"`
	Peak      jsonFigure  `json:"throttled_events_in_worst_minute"`
	Hottest   *jsonFigure `json:"hottest_partition_units_per_second"`
}

type jsonFigure struct {
	Likely *float64 `json:"likely"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// ForecastsJSON writes the same in the schema hotpart.forecast/v1. Before and after are
// null where the data don't carry a forecast.
func ForecastsJSON(w io.Writer, d *analysis.Diagnosis, e *analysis.Event, all []Tried, o Options) error {
	m := o.mask(d)
	doc := jsonForecasts{Schema: ForecastSchema, Event: e.ID, Forecasts: []jsonTried{}}
	for _, x := range all {
		doc.Forecasts = append(doc.Forecasts, jsonTried{m.Text(x.What), newForecast(x.Forecast, m)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write forecast as JSON: %w", err)
	}
	return nil
}

func newForecast(f analysis.Forecast, m *analysis.Mask) jsonForecast {
	out := jsonForecast{Modelled: f.OK, Why: []string{}}
	for _, s := range f.Why {
		out.Why = append(out.Why, m.Text(s))
	}
	if f.OK {
		out.Before, out.After = newOutcome(f.Before), newOutcome(f.After)
	}
	return out
}

func newOutcome(o analysis.Outcome) *jsonOutcome {
	out := &jsonOutcome{Throttled: newFigure(o.Throttled), Peak: newFigure(o.Peak)}
	if h := o.Hottest; h != nil {
		x := newFigure(analysis.Estimate{Likely: float64(h.Rate), Low: float64(h.Low), High: float64(h.High)})
		out.Hottest = &x
	}
	return out
}

func newFigure(x analysis.Estimate) jsonFigure {
	return jsonFigure{Likely: number(x.Likely, 0), Low: number(x.Low, 0), High: number(x.High, 0)}
}
