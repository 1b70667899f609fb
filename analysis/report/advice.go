package report

import (
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// advice lists an event's recommendations, each with its forecast, and what the
// forecasts assume, each assumption once. A short report leaves the assumptions out.
func (b *builder) advice(e *analysis.Event) (items []item, assumed []string) {
	for _, r := range e.Recommendations {
		f, _ := b.d.Forecast(e, r)
		x := item{text: "[" + string(r.Stage) + "] " + b.text(r.Summary)}
		for _, y := range []fact{
			{"why", r.Why}, {"forecast", b.forecast(f, e)}, {"price", b.price(e, r)}, {"trade-off", r.Tradeoff}, {"undo", r.Undo}, {"verify", r.Verify},
		} {
			if y.value != "" {
				x.facts = append(x.facts, fact{y.label, b.text(y.value)})
			}
		}
		if who := b.d.Caller(e); who != "" && len(r.Commands) > 0 {
			x.facts = append(x.facts, fact{"commands", b.text(who)})
		}
		for _, c := range r.Commands {
			x.commands = append(x.commands, b.command(c))
		}
		items = append(items, x)
		for _, s := range f.Why {
			if !b.short && f.OK && !slices.Contains(assumed, s) {
				assumed = append(assumed, s)
			}
		}
	}
	if len(assumed) > 0 {
		assumed = append([]string{"a forecast replays the event on a model with the change applied; it is right only where the cause is"}, assumed...)
	}
	return items, assumed
}

// forecast says in one line how the event would have gone; in full also why there is no
// forecast.
func (b *builder) forecast(f analysis.Forecast, e *analysis.Event) string {
	if !f.OK {
		if b.short || len(f.Why) == 0 {
			return ""
		}
		return "none: " + strings.Join(f.Why, "; ")
	}
	text := "refusals " + change(f.Before.Throttled, f.After.Throttled)
	if !b.short {
		text += "; in the worst minute " + change(f.Before.Peak, f.After.Peak)
	}
	if h := hottestChange(f, e); h != "" {
		text += "; busiest partition " + h
	}
	return text + " (modelled)"
}

// price says what a recommendation adds to a month's bill; "" where that isn't known or
// nothing.
func (b *builder) price(e *analysis.Event, r analysis.Recommendation) string {
	if c := b.d.Cost(e, r, b.prices); c != nil {
		return c.Text()
	}
	return ""
}
