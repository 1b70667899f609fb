package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// page is a report laid out for reading. All its strings are masked and cleaned, but
// not escaped for any format.
type page struct {
	title string
	// lead is the verdict: paragraphs, the first the summary.
	lead     []string
	facts    []fact
	sections []section
}

// section is one event, or what closes the report.
type section struct {
	heading string
	facts   []fact
	groups  []group
	// load is drawn as a heatmap where the format can; nil for none.
	load *analysis.Load
}

type fact struct{ label, value string }

// group is a list under a label.
type group struct {
	label    string
	numbered bool
	items    []item
}

// item is one entry of a list. mark is "+" or "-" for evidence, else "".
type item struct {
	mark, text string
	facts      []fact
	commands   []string
	// code is source code; its Text is "" for none.
	code analysis.Snippet
}

// builder makes a page from a diagnosis.
type builder struct {
	d    *analysis.Diagnosis
	mask *analysis.Mask
	zone *time.Location
	// prices are what costs are told at.
	prices analysis.Prices
	// short leaves out what a reader in a hurry can do without.
	short bool
	// leading is the event that the verdict is about, nil for none.
	leading *analysis.Event
	name    func(telemetry.ResourceID) string
}

func newBuilder(d *analysis.Diagnosis, o Options) *builder {
	name := d.Namer()
	return &builder{
		d: d, mask: o.mask(d), zone: o.location(), prices: o.prices(), leading: d.Leading(),
		name: func(id telemetry.ResourceID) string { return telemetry.Clean(name(id)) },
	}
}

// text makes a text from outside safe to show, its keys masked where asked for.
func (b *builder) text(s string) string { return telemetry.Clean(b.mask.Text(s)) }

func (b *builder) part(s string) string { return telemetry.Clean(b.mask.Value(s)) }

func (b *builder) command(s string) string { return telemetry.Clean(b.mask.Command(s)) }

func (b *builder) page() page {
	v := b.d.Verdict()
	p := page{title: v.Title, lead: []string{b.text(v.Summary)}}
	if v.Sure != "" {
		p.title += " · " + v.Sure
	}
	if v.DoNow != "" {
		p.lead = append(p.lead, "Do now: "+b.text(v.DoNow))
	}
	if v.WontHelp != "" {
		p.lead = append(p.lead, "Won't help: "+b.text(v.WontHelp))
	}
	if also := b.also(); also != "" {
		p.lead = append(p.lead, also)
	}
	p.facts = b.scope()
	for i, e := range b.ranked() {
		p.sections = append(p.sections, b.event(i+1, e))
	}
	if s := b.tables(); len(s.groups) > 0 {
		p.sections = append(p.sections, s)
	}
	if s := b.timeline(); len(s.groups) > 0 {
		p.sections = append(p.sections, s)
	}
	if s := b.warnings(); len(s.groups) > 0 {
		p.sections = append(p.sections, s)
	}
	return p
}

// scope says what was looked at.
func (b *builder) scope() []fact {
	var out []fact
	for _, t := range b.d.Tables {
		value := telemetry.Clean(strings.Join(nonEmpty(t.ID.Table, t.ID.Account, t.ID.Region, modeName(t.Mode)), " · "))
		out = append(out, fact{"table", value})
	}
	w := b.d.Window
	if !w.Start.IsZero() {
		period := "unknown spacing"
		if w.Period > 0 {
			period = fmt.Sprintf("a point every %.0f s", w.Period.Seconds())
		}
		out = append(out, fact{"window", b.between(w.Start, w.End) + ", " + period})
	}
	if b.d.Source.Kind != "" {
		out = append(out, fact{"source", telemetry.Clean(strings.Join(nonEmpty(string(b.d.Source.Kind), b.d.Source.Name), " "))})
	}
	if b.zone != time.UTC {
		out = append(out, fact{"times", zoneName(b.zone) + "; those in the verdict in UTC"})
	}
	return out
}

// zoneName names a zone; the machine's own has no name that means anything elsewhere.
func zoneName(zone *time.Location) string {
	if zone == time.Local {
		return "in local time"
	}
	return "in " + telemetry.Clean(zone.String())
}

func modeName(m telemetry.Mode) string {
	switch m {
	case telemetry.ModeOnDemand:
		return "on-demand"
	case telemetry.ModeProvisioned:
		return "provisioned"
	}
	return "capacity mode unknown"
}

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}

// ranked are the events as a reader wants them: the leading one, then by start, notes
// last.
func (b *builder) ranked() []*analysis.Event {
	rank := func(e *analysis.Event) int {
		switch {
		case e == b.leading:
			return 0
		case e.Note():
			return 2
		}
		return 1
	}
	out := slices.Clone(b.d.Events)
	slices.SortStableFunc(out, func(x, y *analysis.Event) int { return cmp.Compare(rank(x), rank(y)) })
	return out
}

// also names the events beside the leading one, with the numbers they have in the
// report, so that a second incident isn't missed below the first; "" for none.
func (b *builder) also() string {
	const most = 3
	var texts []string
	more := 0
	for i, e := range b.ranked() {
		switch {
		case e == b.leading || e.Note():
		case len(texts) == most:
			more++
		default:
			state := "over"
			if e.Ongoing {
				state = "still going on"
			}
			texts = append(texts, fmt.Sprintf("%s on %s, %ss, %s (event %d)", telemetry.Words(e.Cause), b.name(e.Resource), e.Direction, state, i+1))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	if more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return "Also: " + strings.Join(texts, "; ")
}

// between writes a span, its date once where it lies in one day.
func (b *builder) between(from, to time.Time) string {
	from, to = from.In(b.zone), to.In(b.zone)
	layout := "2006-01-02 15:04"
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		layout = "15:04"
	}
	return from.Format("2006-01-02 15:04") + " to " + to.Format(layout+" MST")
}

func (b *builder) clock(t time.Time) string { return t.In(b.zone).Format("15:04 MST") }

// tables gives the measured peaks of every resource.
func (b *builder) tables() section {
	s := section{heading: "Tables and indexes"}
	for _, t := range b.d.Tables {
		g := group{label: b.name(t.ID.Resource())}
		for _, r := range t.Resources {
			g.items = append(g.items, b.resource(r))
		}
		if len(g.items) > 0 {
			s.groups = append(s.groups, g)
		}
	}
	return s
}

func (b *builder) resource(r *analysis.Resource) item {
	name := "the table itself"
	if r.ID.Index != "" {
		name = "index " + telemetry.Clean(r.ID.Index)
	}
	p := r.Partitions
	text := fmt.Sprintf("%s: %s; %s", name, loadText(r.Read, "read"), loadText(r.Write, "write"))
	if p.Likely > 0 {
		text += fmt.Sprintf("; about %s partitions (modelled, %s)", span(float64(p.Low), float64(p.High)), sourceText(p.Source))
	}
	return item{text: text}
}

func sourceText(s analysis.PartitionSource) string {
	switch s {
	case "":
		return "unknown source"
	case analysis.Assumed:
		return "assumed"
	}
	return "from " + telemetry.Words(s)
}

func loadText(l *analysis.Load, name string) string {
	if l == nil || l.Peak == nil {
		return name + " peak unknown"
	}
	text := fmt.Sprintf("%s peak %s %s/s", name, thousands(float64(*l.Peak)), l.Direction.Unit())
	for _, m := range l.Minutes {
		if m.ThrottleState == telemetry.Known {
			return text + ", " + count(l.Throttled, "refusal", "refusals")
		}
	}
	return text + ", refusals unknown"
}

func (b *builder) warnings() section {
	s := section{heading: "Warnings"}
	g := group{label: "about the data"}
	for _, w := range b.d.Warnings {
		g.items = append(g.items, item{text: telemetry.Clean(w.Code) + ": " + b.text(w.Text)})
	}
	if len(g.items) > 0 {
		s.groups = append(s.groups, g)
	}
	return s
}
