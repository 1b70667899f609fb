package report

import (
	"bufio"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// sharding tells in full what an event's recommendations to shard mean.
func (b *builder) sharding(e *analysis.Event) []group {
	var out []group
	for _, r := range e.Recommendations {
		if s := b.d.Sharding(e, r); s != nil {
			out = append(out, b.shardingGroups(b.masked(*s))...)
		}
	}
	return out
}

// masked is sharding with its keys masked where asked for.
func (b *builder) masked(s analysis.Sharding) analysis.Sharding {
	s.Keys = slices.Clone(s.Keys)
	for i, key := range s.Keys {
		s.Keys[i] = b.mask.Value(key)
	}
	return s
}

func (b *builder) shardingGroups(s analysis.Sharding) []group {
	what := b.text(s.What())
	code := group{label: "Code for " + what}
	for _, x := range s.Code() {
		code.items = append(code.items, item{text: x.Language, code: x})
	}
	return []group{
		{label: "Reading " + what, items: b.plain(s.Reading())},
		{label: "Moving to " + what, numbered: true, items: b.plain(s.Migration())},
		code,
	}
}

// Details is more on a term than Explain tells, as Markdown that begins with a line
// break; "" for a term that has no more.
func Details(name string) string {
	if text, _ := Explain(name); !strings.HasPrefix(text, shardingText) {
		return ""
	}
	var out strings.Builder
	m := &markdownWriter{out: bufio.NewWriter(&out)}
	b := &builder{mask: &analysis.Mask{}}
	for i, s := range []analysis.Sharding{analysis.PlainSharding(true), analysis.PlainSharding(false)} {
		m.gap()
		m.line([]string{"## Random suffix: mostly written, read as a whole", "## Calculated suffix: items are read one by one"}[i])
		for _, g := range b.shardingGroups(s) {
			m.group(g)
		}
	}
	_ = m.out.Flush() // a strings.Builder takes all
	return strings.TrimRight(out.String(), "\n") + "\n"
}
