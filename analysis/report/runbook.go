package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// Runbook writes a runbook as a Markdown checklist. Steps that the data show as done
// are ticked; those they show as open say so.
func Runbook(w io.Writer, steps []analysis.Step) error {
	m := &markdownWriter{out: bufio.NewWriter(w), blank: true}
	m.checklist(steps, &builder{mask: &analysis.Mask{}})
	if err := m.out.Flush(); err != nil {
		return fmt.Errorf("write runbook: %w", err)
	}
	return nil
}

func (m *markdownWriter) checklist(steps []analysis.Step, b *builder) {
	var phase analysis.Phase
	for _, s := range steps {
		if s.Phase != phase {
			phase = s.Phase
			m.gap()
			m.line("## " + capitalized(escapeMarkdown(b.text(string(phase)))))
			m.line("")
		}
		box, state := "- [ ] ", ""
		switch s.State {
		case analysis.DoneStep:
			box = "- [x] "
		case analysis.OpenStep:
			state = " (open, by the data)"
		}
		m.line(box + escapeMarkdown(b.text(s.Text)) + state)
		var commands []string
		for _, c := range s.Commands {
			commands = append(commands, b.command(c))
		}
		m.code("  ", "sh", commands)
	}
	for _, s := range steps {
		if s.Sharding == nil {
			continue
		}
		m.gap()
		m.line("## Code: " + escapeMarkdown(b.text(s.Text)))
		for _, x := range b.masked(*s.Sharding).Code() {
			m.gap()
			m.line("### " + x.Language)
			m.code("", x.Fence, strings.Split(strings.TrimSuffix(x.Text, "\n"), "\n"))
		}
	}
}

func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
