package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Text writes a report to be read in a terminal or a ticket: 80 columns wide but for
// commands, which are never broken.
func Text(w io.Writer, d *analysis.Diagnosis, o Options) error {
	t := &textWriter{out: bufio.NewWriter(w)}
	b := newBuilder(d, o)
	b.short = true
	t.page(b.page())
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("write report as text: %w", err)
	}
	return nil
}

// textWidth is the widest line of prose, in characters.
const textWidth = 80

// textWriter lays prose out. Write errors stick to the buffer and come out of Flush.
type textWriter struct{ out *bufio.Writer }

func (t *textWriter) page(p page) {
	t.line("", p.title)
	for _, s := range p.lead {
		t.wrap("", "", s)
	}
	t.line("", "")
	t.facts("", p.facts)
	for _, s := range p.sections {
		t.line("", "")
		t.wrap("", "", s.heading)
		t.line("", strings.Repeat("-", min(textWidth, utf8.RuneCountInString(s.heading))))
		t.facts("", s.facts)
		for _, g := range s.groups {
			t.group(g)
		}
	}
}

func (t *textWriter) group(g group) {
	t.line("", "")
	t.wrap("", "", g.label)
	for i, x := range g.items {
		first := "  · "
		switch {
		case g.numbered:
			first = fmt.Sprintf("%3d. ", i+1)
		case x.mark != "":
			first = "  " + x.mark + " "
		}
		rest := strings.Repeat(" ", utf8.RuneCountInString(first))
		t.wrap(first, rest, x.text)
		t.facts(rest, x.facts)
		for _, c := range x.commands {
			t.line(rest, "$ "+c)
		}
	}
}

// facts writes labels in one column and values beside them.
func (t *textWriter) facts(indent string, facts []fact) {
	wide := 0
	for _, f := range facts {
		wide = max(wide, utf8.RuneCountInString(f.label))
	}
	for _, f := range facts {
		gap := strings.Repeat(" ", wide-utf8.RuneCountInString(f.label)+2)
		t.wrap(indent+f.label+gap, indent+strings.Repeat(" ", wide+2), f.value)
	}
}

func (t *textWriter) line(indent, s string) {
	_, _ = t.out.WriteString(strings.TrimRight(indent+s, " ") + "\n")
}

// wrap breaks a text at blanks. A word longer than a line stands on a line of its own.
func (t *textWriter) wrap(first, rest, s string) {
	line, empty := first, true
	for _, word := range telemetry.Fields(s) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			t.line("", line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	t.line("", line)
}
