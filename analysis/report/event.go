package report

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// event lays out one event: what and when, its numbers, keys, evidence, advice.
func (b *builder) event(n int, e *analysis.Event) section {
	kind := "Event"
	if e.Note() {
		kind = "Note"
	}
	advice, assumed := b.advice(e)
	s := section{
		heading: fmt.Sprintf("%s %d: %s on %s, %ss", kind, n, telemetry.Words(e.Cause), b.name(e.Resource), e.Direction),
		facts:   b.eventFacts(e),
		load:    b.d.LoadOf(e),
	}
	s.groups = append(
		b.keys(e),
		b.list("Users", b.users(e)),
		b.list("Evidence", b.evidence(e)),
		b.list("Shortly before (context, not weighed)", b.plain(e.Context)),
		b.list("Not known", b.plain(e.Missing)),
		group{label: "What to do", numbered: true, items: advice},
		b.list("What the forecasts assume", b.plain(assumed)),
		b.list("Won't help", b.wontHelp(e)),
	)
	if !b.short {
		s.groups = append(s.groups, b.list("Afterwards", b.afterwards(e)))
		s.groups = append(s.groups, b.sharding(e)...)
	}
	s.groups = withItems(s.groups)
	return s
}

func (b *builder) list(label string, items []item) group { return group{label: label, items: items} }

func withItems(groups []group) []group {
	var out []group
	for _, g := range groups {
		if len(g.items) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (b *builder) eventFacts(e *analysis.Event) []fact {
	when := b.between(e.Start, e.End) + ", over"
	if e.Ongoing {
		when = b.between(e.Start, e.End) + ", still going on"
	}
	limit := telemetry.Words(e.Limit)
	if e.LimitInferred {
		limit += " (inferred)"
	}
	var out []fact
	if e != b.leading {
		out = append(out, fact{"what", b.text(b.d.VerdictOn(e).Summary)})
	}
	out = append(out, []fact{
		{"when", when},
		{"limit", limit},
		{"confidence", confidenceText(e)},
		{"refusals", refusalText(e)},
	}...)
	u := e.Direction.Unit() + "/s"
	if h := e.Hottest; h != nil {
		out = append(out, fact{"hottest partition", fmt.Sprintf("%s of %s %s at %s, a minute's mean (modelled)", span(float64(h.Low), float64(h.High)), thousands(float64(h.Ceiling)), u, b.clock(h.At))})
	}
	if r := e.SecondsAtCeiling; r != nil {
		out = append(out, fact{"at the ceiling", span(r.Low, r.High) + " s in all (modelled)"})
	}
	if d := e.Demand; d != nil {
		out = append(out, fact{"wanted", fmt.Sprintf("about %s %s (modelled, %s)", thousands(d.Likely), u, span(d.Low, d.High))})
	}
	if len(e.Contributing) > 0 {
		var names []string
		for _, f := range e.Contributing {
			names = append(names, telemetry.Words(f))
		}
		out = append(out, fact{"contributing", strings.Join(names, ", ")})
	}
	if sp := e.Splitting; sp != nil {
		out = append(out, fact{"split for heat", splitText(sp)})
	}
	return out
}

// confidenceText says what the confidence of a verdict without a cause is about.
func confidenceText(e *analysis.Event) string {
	text := fmt.Sprintf("%.0f %%", 100*e.Confidence)
	if e.Cause == analysis.Undetermined {
		text += " that the data can't tell the cause"
	}
	return text
}

// refusalText counts refusals and, where requests were counted, gives their share.
func refusalText(e *analysis.Event) string {
	counted := count(e.ThrottledEvents, "refusal", "refusals")
	if share := e.RefusedText(); share != counted {
		return counted + "; " + share
	}
	return counted
}

func splitText(s *analysis.Splitting) string {
	switch {
	case !s.Cures:
		return "won't cure it: " + telemetry.Clean(s.Why)
	case s.Minutes != nil:
		return fmt.Sprintf("is likely to cure it within %s minutes: %s", span(s.Minutes.Low, s.Minutes.High), telemetry.Clean(s.Why))
	}
	return "is likely to cure it: " + telemetry.Clean(s.Why)
}

func (b *builder) keys(e *analysis.Event) []group {
	g := group{label: "Keys"}
	for _, k := range e.Keys {
		text := b.part(k.Key.Partition)
		if k.Key.Sort != "" {
			text += " / " + b.part(k.Key.Sort)
		}
		rate := "load unknown"
		if r := k.Rate; r != nil {
			rate = fmt.Sprintf("%s %s/s", span(r.Low, r.High), e.Direction.Unit())
		}
		refusals := "refusals unknown"
		if k.ThrottledEvents != nil {
			refusals = count(*k.ThrottledEvents, "refusal", "refusals")
		}
		text += ": " + rate + ", " + refusals
		if k.Pattern != "" {
			text += ", looks like a " + k.Pattern
		}
		g.items = append(g.items, item{text: text})
	}
	return []group{g}
}

func (b *builder) evidence(e *analysis.Event) []item {
	var out []item
	for _, v := range e.Evidence {
		mark := "-"
		if v.Supports {
			mark = "+"
		}
		out = append(out, item{mark: mark, text: b.text(v.Text)})
	}
	return out
}

func (b *builder) plain(texts []string) []item {
	var out []item
	for _, s := range texts {
		out = append(out, item{text: b.text(s)})
	}
	return out
}

// users says what it was to those who sent requests: in short the worst of it.
func (b *builder) users(e *analysis.Event) []item {
	u := e.Users
	if u == nil {
		return nil
	}
	var texts []string
	for i, x := range u.Operations {
		if !b.short || i == 0 {
			texts = append(texts, x.Text())
		}
	}
	return b.plain(append(append(texts, u.Absorbed()), u.Apart()...))
}

func (b *builder) afterwards(e *analysis.Event) []item {
	if e.Note() {
		return nil
	}
	var out []item
	for _, s := range b.d.Afterwards(e) {
		x := item{text: b.text(s.Text)}
		for _, c := range s.Commands {
			x.commands = append(x.commands, b.command(c))
		}
		out = append(out, x)
	}
	return out
}

func (b *builder) wontHelp(e *analysis.Event) []item {
	var out []item
	for _, w := range e.WontHelp {
		out = append(out, item{text: b.text(w.Fix) + ": " + b.text(w.Why)})
	}
	return out
}
