package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// Markdown writes a report as CommonMark, for a ticket or a post-mortem. Text from
// outside is escaped, so that it shows as it is and makes no links.
func Markdown(w io.Writer, d *analysis.Diagnosis, o Options) error {
	m := &markdownWriter{out: bufio.NewWriter(w)}
	m.page(newBuilder(d, o).page())
	if err := m.out.Flush(); err != nil {
		return fmt.Errorf("write report as Markdown: %w", err)
	}
	return nil
}

// markdownWriter writes Markdown. Write errors stick to the buffer and come out of
// Flush.
type markdownWriter struct {
	out   *bufio.Writer
	blank bool // the line before is
}

func (m *markdownWriter) line(s string) {
	s = strings.TrimRight(s, " ")
	m.blank = s == ""
	_, _ = m.out.WriteString(s + "\n")
}

// gap writes a blank line where there is none yet.
func (m *markdownWriter) gap() {
	if !m.blank {
		m.line("")
	}
}

func (m *markdownWriter) page(p page) {
	m.line("# " + escapeMarkdown(p.title))
	for _, s := range p.lead {
		m.gap()
		m.line(escapeMarkdown(s))
	}
	m.facts(p.facts)
	for _, s := range p.sections {
		m.gap()
		m.line("## " + escapeMarkdown(s.heading))
		m.facts(s.facts)
		for _, g := range s.groups {
			m.group(g)
		}
	}
}

func (m *markdownWriter) facts(facts []fact) {
	if len(facts) == 0 {
		return
	}
	m.gap()
	m.line("| | |")
	m.line("| --- | --- |")
	for _, f := range facts {
		m.line("| " + escapeMarkdown(f.label) + " | " + escapeMarkdown(f.value) + " |")
	}
}

func (m *markdownWriter) group(g group) {
	m.gap()
	m.line("### " + escapeMarkdown(g.label))
	m.gap()
	for i, x := range g.items {
		first, rest := "- ", "  "
		if g.numbered {
			first = fmt.Sprintf("%d. ", i+1)
			rest = strings.Repeat(" ", len(first))
		}
		switch x.mark {
		case "+":
			first += "for: "
		case "-":
			first += "against: "
		}
		m.line(first + escapeMarkdown(x.text))
		for _, f := range x.facts {
			m.line(rest + "- " + escapeMarkdown(f.label) + ": " + escapeMarkdown(f.value))
		}
		m.code(rest, "sh", x.commands)
		if x.code.Text != "" {
			m.code(rest, x.code.Fence, strings.Split(strings.TrimSuffix(x.code.Text, "\n"), "\n"))
		}
	}
}

// code writes a code block whose fence none of its lines can close.
func (m *markdownWriter) code(indent, language string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	m.gap()
	m.line(indent + fence + language)
	for _, l := range lines {
		m.line(indent + l)
	}
	m.line(indent + fence)
	m.gap()
}

// markdownSpecial are the characters that CommonMark or a table may act on inside a line.
const markdownSpecial = "\\`*_[]<>&|#~$"

// escapeMarkdown makes a text show as it is: its special characters are escaped, and
// addresses make no links.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for i, r := range s {
		lead := i == 0 && strings.ContainsRune("+-=", r)
		if lead || strings.ContainsRune(markdownSpecial, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return escapeStart(strings.NewReplacer("://", "\\://", "www.", "www\\.", "WWW.", "WWW\\.").Replace(b.String()))
}

// escapeStart keeps a text that begins with a number and a dot from becoming a list.
func escapeStart(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	if n := len(s) - len(rest); n > 0 && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		return s[:n] + "\\" + rest
	}
	return s
}
