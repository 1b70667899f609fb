package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Runbook writes a runbook as a Markdown checklist. Steps that the data show as done
// are ticked; those they show as open say so.
func Runbook(w io.Writer, steps []analysis.Step) error {
	m := &markdownWriter{out: bufio.NewWriter(w)}
	var phase analysis.Phase
	for i, s := range steps {
		if s.Phase != phase {
			phase = s.Phase
			if i > 0 {
				m.gap()
			}
			m.line("## " + capitalized(escapeMarkdown(telemetry.Clean(string(phase)))))
			m.line("")
		}
		box, state := "- [ ] ", ""
		switch s.State {
		case analysis.DoneStep:
			box = "- [x] "
		case analysis.OpenStep:
			state = " (open, by the data)"
		}
		m.line(box + escapeMarkdown(telemetry.Clean(s.Text)) + state)
		var commands []string
		for _, c := range s.Commands {
			commands = append(commands, telemetry.Clean(c))
		}
		m.code("  ", "sh", commands)
	}
	for _, s := range steps {
		if len(s.Code) > 0 {
			m.gap()
			m.line("## Code: " + escapeMarkdown(telemetry.Clean(s.Text)))
		}
		for _, x := range s.Code {
			m.gap()
			m.line("### " + x.Language)
			m.code("", x.Fence, strings.Split(strings.TrimSuffix(x.Text, "\n"), "\n"))
		}
	}
	if err := m.out.Flush(); err != nil {
		return fmt.Errorf("write runbook: %w", err)
	}
	return nil
}

func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
