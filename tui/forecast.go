package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// forecasts is what the model says that each recommendation of an event would have
// changed, in their order.
type forecasts struct {
	of    *analysis.Diagnosis
	event string
	list  []analysis.Forecast
}

// forecastsMsg brings forecasts that were asked for.
type forecastsMsg struct{ forecasts }

// forecast works out what the open advice pane shows, in a command, once for each step of
// the history and event; nil where it is known or being worked out.
func (m *model) forecast() tea.Cmd {
	if m.forecasting || m.pane != advicePane || m.drill {
		return nil
	}
	e, step := m.shownEvent(), m.history.step()
	if e == nil || m.forecasts.of == step && m.forecasts.event == e.ID {
		return nil
	}
	m.forecasting = true
	v := m.view()
	return func() tea.Msg { return forecastsMsg{forecastsOf(v, step, e)} }
}

// forecastsOf replays an event with each of its recommendations. v is step with its loads.
func forecastsOf(v, step *analysis.Diagnosis, e *analysis.Event) forecasts {
	out := forecasts{of: step, event: e.ID}
	for _, r := range e.Recommendations {
		f, _ := v.Forecast(e, r)
		out.list = append(out.list, f)
	}
	return out
}

// forecastOf is the forecast of an event's recommendation; false while it is worked out.
// While replay goes on, that of the step before stands in for it; one from a later step
// never does.
func (m *model) forecastOf(e *analysis.Event, i int) (f analysis.Forecast, known bool) {
	x := m.forecasts
	if x.of == nil || x.event != e.ID || x.of.Window.End.After(m.view().Window.End) || len(x.list) != len(e.Recommendations) {
		return f, false
	}
	return x.list[i], true
}

// forecastLines say what a recommendation would have changed.
func (m *model) forecastLines(e *analysis.Event, i, w int) []string {
	const indent = "     "
	f, known := m.forecastOf(e, i)
	switch {
	case !known:
		return m.remarks(indent, "forecast: being worked out", w)
	case !f.OK && len(f.Why) > 0:
		return m.remarks(indent, "no forecast: "+f.Why[0], w)
	}
	text := "forecast: refusals " + m.change(f.Before.Throttled, f.After.Throttled)
	if b, a := f.Before.Hottest, f.After.Hottest; b != nil && a != nil {
		text += fmt.Sprintf("; busiest partition %s of %s %s/s", m.change(
			analysis.Estimate{Likely: float64(b.Rate)},
			analysis.Estimate{Likely: float64(a.Rate), Low: float64(a.Low), High: float64(a.High)},
		), telemetry.Thousands(float64(a.Ceiling)), e.Direction.Unit())
	}
	return m.paragraph(indent, text+" (modelled)", w)
}

// change is such as "45.4M → 0 (0 to 27.7M)": the figure that was, the likely one, and its
// range.
func (m *model) change(before, after analysis.Estimate) string {
	arrow := " → "
	if m.opts.ASCII {
		arrow = " -> "
	}
	text := compact(before.Likely) + arrow + compact(after.Likely)
	if low, high := compact(after.Low), compact(after.High); low != high {
		text += " (" + low + " to " + high + ")"
	}
	return text
}

// assumptions are what the forecasts on screen rest on, each once.
func (m *model) assumptions(e *analysis.Event) []string {
	var out []string
	for i := range e.Recommendations {
		f, known := m.forecastOf(e, i)
		for _, s := range f.Why {
			if known && f.OK && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}
