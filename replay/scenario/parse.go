package scenario

import (
	"fmt"
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
	for i := range p.s.Loads {
		p.s.Loads[i].weigh()
	}
	if err := p.s.check(); err != nil {
		return nil, err
	}
	return p.s, nil
}

// weigh turns what items weigh into what requests cost.
func (l *Load) weigh() {
	if l.ItemBytes > 0 {
		l.Units = l.cost(l.ItemBytes)
	}
	if l.LargeBytes > 0 {
		l.LargeUnits = l.cost(l.LargeBytes)
	}
}

// cost is what a request for an item of so many bytes costs on average over the
// load's operations: eventually consistent reads half, transactions double.
func (l *Load) cost(bytes int) float64 {
	units := partition.WriteUnits(bytes)
	if l.Direction == telemetry.Read {
		units = partition.ReadUnits(bytes)
		units *= 1 - l.Eventual/2
	}
	factor := 0.0
	for _, o := range l.Operations {
		factor += o.Share
		if strings.HasPrefix(o.Name, "Transact") {
			factor += o.Share
		}
	}
	return units * max(factor, 1)
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
	case "uneven":
		r.Uneven = true
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
		if a.skip("from") {
			r.InsightsFrom = a.duration()
		}
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
		if a.skip("item") {
			l.LargeBytes = int(a.bytes())
		} else {
			a.word("units")
			l.LargeUnits = a.number()
		}
	case "item":
		l.ItemBytes = int(a.bytes())
	case "consistency":
		if a.choice("strong", "eventual") == "eventual" {
			l.Eventual = 1
			if a.more() {
				l.Eventual = a.share()
			}
		}
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
	case "jitter":
		s.Jitter = a.share()
	case "wave":
		s.Wave = a.share()
		a.word("over")
		s.Period = a.duration()
	default:
		return false
	}
	return true
}
