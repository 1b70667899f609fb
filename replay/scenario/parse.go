package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Parse reads a scenario. Errors name the line: `line 7: unknown property
// "partitons" of a table`.
func Parse(text string) (*Scenario, error) {
	p := &parser{s: blank()}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		if err := p.read(strings.TrimRight(line, " \t\r")); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	if err := p.s.check(); err != nil {
		return nil, err
	}
	return p.s, nil
}

// blank is a scenario with its defaults.
func blank() *Scenario {
	return &Scenario{
		Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Length: time.Hour,
		Account: "111122223333", Region: "eu-west-1",
		Quota: partition.TableQuotaDefault, QuotaSaved: 3,
		Table: Table{Resource: Resource{HashKey: "pk", SplitMinutes: 12, Insights: InsightsAccessed}},
	}
}

type parser struct {
	s     *Scenario
	line  int
	block string // the open block
	index *Index
	load  *Load
}

// read takes one line: a statement, or with an indent a property of the open
// block.
func (p *parser) read(line string) error {
	trimmed := strings.TrimSpace(line)
	indented := trimmed != line
	if p.block == "about" && (indented || trimmed == "") {
		p.s.About = strings.TrimSpace(p.s.About + " " + trimmed)
		return nil
	}
	if trimmed == "" || strings.HasPrefix(trimmed, "# ") || trimmed == "#" {
		return nil
	}
	words, err := split(trimmed)
	if err != nil {
		return err
	}
	a := &args{words: words[1:], of: words[0]}
	if !indented {
		p.block = words[0]
		err = p.statement(words[0], a)
	} else {
		err = p.property(words[0], a)
	}
	if err != nil {
		return err
	}
	return a.rest()
}

func (p *parser) statement(word string, a *args) error {
	s := p.s
	switch word {
	case "scenario":
		s.Title = a.text()
	case "about":
	case "window":
		s.Length = a.duration()
		if a.skip("from") {
			s.Start = a.time()
		}
	case "account":
		s.Account, s.Region = a.text(), a.text()
	case "quota":
		s.Quota = a.rate()
		if a.skip("saved") {
			s.QuotaSaved = a.seconds()
		}
	case "metrics":
		s.Legacy = a.choice("by-cause", "sums") == "sums"
	case "described":
		s.DescribedAfter = a.choice("before", "after") == "after"
	case "stray":
		s.Stray = a.number()
	case "gaps":
		s.Gaps = int(a.number())
	case "table":
		s.Table.Name = a.text()
	case "index":
		s.Indexes = append(s.Indexes, Index{
			Resource:   Resource{Name: a.text(), HashKey: "gsi1pk", SplitMinutes: 12, Insights: InsightsAccessed},
			Projection: "ALL", Entry: 1, Affected: 1,
		})
		p.index = &s.Indexes[len(s.Indexes)-1]
	case "load":
		s.Loads = append(s.Loads, Load{Name: a.text(), Units: 1, Attempts: 4})
		p.load = &s.Loads[len(s.Loads)-1]
	case "change":
		s.Changes = append(s.Changes, a.change())
	case "scaling":
		s.Scaling = append(s.Scaling, a.scaling())
	case "expect":
		p.expect(a)
	default:
		return fmt.Errorf("unknown statement %q", word)
	}
	return a.err
}

func (p *parser) expect(a *args) {
	if a.skip("nothing") {
		p.s.ExpectNil = true
		return
	}
	e := Expectation{Index: a.index(), Direction: a.direction(), Cause: a.text(), Limit: telemetry.Limit(a.text())}
	for a.more() {
		e.Contributing = append(e.Contributing, a.text())
	}
	p.s.Expect = append(p.s.Expect, e)
}

func (p *parser) property(word string, a *args) error {
	known := false
	switch p.block {
	case "table":
		known = p.tableProperty(word, a) || resourceProperty(&p.s.Table.Resource, word, a)
	case "index":
		known = p.indexProperty(word, a) || resourceProperty(&p.index.Resource, word, a)
	case "load":
		known = p.loadProperty(word, a) || p.shapeProperty(word, a)
	}
	if !known && a.err == nil {
		if p.block == "" {
			return fmt.Errorf("property %q stands outside of a table, index or load", word)
		}
		return fmt.Errorf("unknown property %q of %q", word, p.block)
	}
	return a.err
}

func (p *parser) tableProperty(word string, a *args) bool {
	t := &p.s.Table
	switch word {
	case "local":
		t.Local = a.text()
	case "stream":
		t.Stream = true
	case "replicas":
		for a.more() {
			t.Replicas = append(t.Replicas, a.text())
		}
	default:
		return false
	}
	return true
}

func resourceProperty(r *Resource, word string, a *args) bool {
	switch word {
	case "mode":
		r.Capacity = a.capacity()
	case "partitions":
		r.Partitions = int(a.number())
	case "size":
		r.Bytes = int64(a.bytes())
	case "items":
		r.Items = int64(a.number())
	case "keys":
		r.HashKey = a.text()
		if a.more() {
			r.SortKey = a.text()
		}
	case "insights":
		r.Insights = InsightsState(a.choice("accessed", "throttled", "off", "enabling", "failed", "denied"))
	case "splits":
		if a.skip("never") {
			r.SplitMinutes = 0
		} else {
			a.word("after")
			r.SplitMinutes = a.duration().Minutes()
		}
	default:
		return false
	}
	return true
}

func (p *parser) indexProperty(word string, a *args) bool {
	x := p.index
	switch word {
	case "projection":
		x.Projection = strings.ReplaceAll(strings.ToUpper(a.choice("all", "keys-only", "include")), "-", "_")
	case "entry":
		x.Entry = a.number()
	case "affected":
		x.Affected = a.share()
	case "key":
		x.Keys = append(x.Keys, a.key())
	case "rest":
		x.Rest = a.keys()
	default:
		return false
	}
	return true
}

func (p *parser) loadProperty(word string, a *args) bool {
	l := p.load
	switch word {
	case "reads":
		l.Direction = telemetry.Read
		if a.skip("of") {
			l.Index = a.text()
		}
	case "writes":
		l.Direction = telemetry.Write
	case "rate":
		l.Rate = a.number()
		if a.skip("to") {
			l.Shape.FromRate, l.Rate = l.Rate, a.number()
			a.word("over")
			l.Shape.Ramp = a.duration()
		}
	case "operations":
		l.Operations = a.operations()
	case "units":
		l.Units = a.number()
	case "large":
		l.Large = a.share()
		a.word("units")
		l.LargeUnits = a.number()
	case "consistency":
		l.Eventual = a.choice("strong", "eventual") == "eventual"
	case "key":
		l.Keys = append(l.Keys, a.key())
	case "together":
		l.Together = true
	case "rest":
		l.Rest = a.keys()
	case "rolling":
		l.Rolling = a.duration()
		l.Keys = []Key{{Name: a.text(), Share: 1, Spread: partition.Growing}}
	case "attempts":
		l.Attempts = int(a.number())
	case "replicated":
		l.Replicated = true
	default:
		return false
	}
	return true
}

func (p *parser) shapeProperty(word string, a *args) bool {
	s := &p.load.Shape
	switch word {
	case "from":
		s.From = a.duration()
		if a.skip("to") {
			s.To = a.duration()
		}
	case "ramp":
		s.Ramp = a.duration()
		if a.skip("steps") {
			s.Steps = int(a.number())
		}
	case "bursts":
		s.Burst = a.duration()
		a.word("every")
		s.Every = a.duration()
	case "wave":
		s.Wave = a.share()
		a.word("over")
		s.Period = a.duration()
	default:
		return false
	}
	return true
}

// check reports what no single line can tell.
func (s *Scenario) check() error {
	if s.Table.Name == "" {
		return fmt.Errorf("scenario %q: no table", s.Title)
	}
	if s.Length < 5*time.Minute || s.Length > 24*time.Hour || s.Length%time.Minute != 0 {
		return fmt.Errorf("scenario %q: window of %v: want whole minutes, 5m to 24h", s.Title, s.Length)
	}
	if len(s.Loads) == 0 {
		return fmt.Errorf("scenario %q: no load", s.Title)
	}
	resources := []*Resource{&s.Table.Resource}
	for i := range s.Indexes {
		resources = append(resources, &s.Indexes[i].Resource)
		if err := s.Indexes[i].check(); err != nil {
			return err
		}
	}
	for _, r := range resources {
		if r.Partitions < 1 || r.Partitions > 400 {
			return fmt.Errorf("%q: %d partitions: want 1 to 400", r.Name, r.Partitions)
		}
	}
	for i := range s.Loads {
		if err := s.checkLoad(&s.Loads[i]); err != nil {
			return err
		}
	}
	for _, c := range s.Changes {
		if !s.has(c.Index) {
			return fmt.Errorf("change of index %q: there is no such index", c.Index)
		}
	}
	for _, c := range s.Scaling {
		if !s.has(c.Index) || c.Target < 0.2 || c.Target > 0.9 {
			return fmt.Errorf("scaling of index %q to %v: no such index, or target not within 20%% and 90%%", c.Index, c.Target)
		}
	}
	return nil
}

// has reports whether an index of that name exists; "" is the table.
func (s *Scenario) has(index string) bool {
	return index == "" || slices.ContainsFunc(s.Indexes, func(x Index) bool { return x.Name == index })
}

func (x *Index) check() error {
	total := 0.0
	for _, k := range x.Keys {
		total += k.Share
	}
	switch {
	case total > 1.0001:
		return fmt.Errorf("index %q: its keys' shares add up to %.0f%%", x.Name, 100*total)
	case total < 0.9999 && (x.Rest.Count < 1 || x.Rest.Pattern == ""):
		return fmt.Errorf("index %q: no rest for what its keys leave", x.Name)
	case x.Entry < 0.5 || x.Affected < 0 || x.Affected > 1:
		return fmt.Errorf("index %q: entry %v, affected %v out of range", x.Name, x.Entry, x.Affected)
	}
	return nil
}

func (s *Scenario) checkLoad(l *Load) error {
	total := 0.0
	for _, k := range l.Keys {
		total += k.Share
	}
	shares := 0.0
	for _, o := range l.Operations {
		d, ok := telemetry.OperationDirection(o.Name)
		if !ok || d != l.Direction {
			return fmt.Errorf("load %q: %s is not an operation that %ss", l.Name, o.Name, l.Direction)
		}
		shares += o.Share
	}
	switch {
	case l.Direction == "":
		return fmt.Errorf("load %q: neither reads nor writes", l.Name)
	case !s.has(l.Index):
		return fmt.Errorf("load %q: there is no index %q", l.Name, l.Index)
	case len(l.Operations) == 0 || shares < 0.999 || shares > 1.001:
		return fmt.Errorf("load %q: its operations' shares add up to %.0f%%", l.Name, 100*shares)
	case total > 1.0001:
		return fmt.Errorf("load %q: its keys' shares add up to %.0f%%", l.Name, 100*total)
	case total < 0.9999 && (l.Rest.Count < 1 || l.Rest.Pattern == ""):
		return fmt.Errorf("load %q: no rest for what its keys leave", l.Name)
	case l.Units < 0.5 || l.Large > 0 && l.LargeUnits < l.Units || l.Rate < 0 || l.Rate > 1e6:
		return fmt.Errorf("load %q: rate %v or units %v out of range", l.Name, l.Rate, l.Units)
	case l.Attempts < 1 || l.Attempts > 20:
		return fmt.Errorf("load %q: %d attempts: want 1 to 20", l.Name, l.Attempts)
	}
	return nil
}
