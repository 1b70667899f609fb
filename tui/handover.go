package tui

import (
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// saveScreen saves what is on screen, in 24-bit colours whatever the terminal has.
func (m *model) saveScreen() tea.Cmd {
	if m.opts.Save == nil || m.view() == nil {
		m.say("there is nothing to save yet")
		return nil
	}
	still := *m
	still.profile, still.meter = colorprofile.TrueColor, nil
	still.restyle()
	frame := strings.Join(still.frame(), "\n") + "\n"
	w, h, light := m.width, m.height, !m.dark
	save, stem := m.opts.Save, m.stem(m.pane.name())
	return func() tea.Msg {
		path, err := save(stem, []File{
			{".txt", ansi.Strip(frame)},
			{".svg", SVG(frame, w, h, light)},
			{".ansi", frame},
		})
		return saved(path+".{txt,svg,ansi}", err)
	}
}

// writeReport saves the report on what is on screen: what was known at that moment.
func (m *model) writeReport() tea.Cmd {
	d := m.view()
	switch {
	case m.opts.Save == nil || m.opts.Report == nil || d == nil:
		m.say("there is nothing to report yet")
		return nil
	case m.drill:
		m.say("the report tells the answer: %s shows it first", m.keys.names([]action{enter}))
		return nil
	}
	save, stem, write, o := m.opts.Save, m.stem("report"), m.opts.Report, m.reportOptions(true)
	walk := m.walk(o)
	return func() tea.Msg {
		var page, log strings.Builder
		if err := write(&page, d, o); err != nil {
			return saved("", err)
		}
		files, ending := []File{{".html", page.String()}}, ".html"
		if walk != nil {
			if err := walk(&log); err != nil {
				return saved("", err)
			}
			files, ending = append(files, File{".runbook.md", log.String()}), ".{html,runbook.md}"
		}
		path, err := save(stem, files)
		return saved(path+ending, err)
	}
}

// walk writes what was chosen in the runbook of the event on screen; nil for nothing.
func (m *model) walk(o ReportOptions) func(io.Writer) error {
	e := m.shownEvent()
	if e == nil || m.opts.Walk == nil || len(m.walks[e.ID]) == 0 {
		return nil
	}
	d, write := m.view(), m.opts.Walk
	steps, log := m.runbook(e), slices.Clone(m.walks[e.ID])
	return func(w io.Writer) error { return write(w, d, e, steps, log, o) }
}

func (m *model) reportOptions(page bool) ReportOptions {
	o := ReportOptions{Page: page, Location: time.UTC}
	if m.local {
		o.Location = time.Local
	}
	if m.masking {
		names := m.mask.Clone() // the command runs beside Update, which goes on learning
		o.Names = &names
	}
	return o
}

// saved says how saving went.
func saved(name string, err error) handedMsg {
	if err == nil {
		return handedMsg{said: "saved " + name}
	}
	what, hint, _ := strings.Cut(err.Error(), "\n")
	if hint != "" {
		hint = "; " + strings.TrimPrefix(hint, "hint: ")
	}
	return handedMsg{said: "not saved: " + what + hint}
}

// handed says what became of a command, and copies what it made.
func (m *model) handed(msg handedMsg) tea.Cmd {
	m.say("%s", m.drawable(msg.said))
	if msg.copy == "" {
		return nil
	}
	return tea.SetClipboard(msg.copy)
}

// stem names a file after the table, the moment on screen and what it shows.
func (m *model) stem(what string) string {
	const most = 100 // bytes of a table's name; file names have 255
	table := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r) {
			return r
		}
		return '_'
	}, m.resource.Table)
	return "hotpart-" + table[:min(most, len(table))] + "-" + m.position().UTC().Format("20060102T1504Z") + "-" + what
}

// copy puts the selected command, the key under the crosshair or the report on the
// clipboard.
func (m *model) copy() tea.Cmd {
	if m.pane == eventsPane || m.pane == evidencePane || m.pane == tablesPane {
		return m.copyReport()
	}
	text := m.copyable()
	if text == "" {
		m.say("nothing to copy here")
		return nil
	}
	lead, tail := "sent to "+m.clipboard()+": ", "; printed after "+m.keys.names([]action{quit})
	room := m.width - width(lead+tail) - 2
	m.say("%s", lead+m.styles.cut(m.drawable(text), max(8, room))+tail)
	tell := m.opts.Copied
	return func() tea.Msg {
		if tell != nil {
			tell(text)
		}
		return tea.SetClipboard(text)()
	}
}

// clipboard is where a copy goes and what it needs there. Whether it arrives, no terminal
// tells.
func (m *model) clipboard() string {
	if m.inTmux {
		return "tmux (needs set-clipboard on)"
	}
	return "the clipboard"
}

// copyable is the command or key that y copies, masked where asked for; "" for none.
func (m *model) copyable() string {
	switch {
	case m.pane == advicePane || m.pane == heatPane && !m.cross.on:
		return m.copyableCommand()
	case m.pane == heatPane:
		for _, l := range m.grid().lines {
			if l.id == m.cross.id {
				return m.maskedKey(l.key())
			}
		}
	case m.pane == keysPane:
		if keys := m.listedKeys(); m.cursor < len(keys) {
			return m.maskedKey(keys[m.cursor].Key.Partition)
		}
		if r := m.shownResource(); r != nil && r.Enables() {
			return m.maskedCommand(r.EnableCommand())
		}
	case m.pane == runbookPane && !m.drill:
		if e := m.shownEvent(); e != nil {
			if steps := m.runbook(e); m.cursor < len(steps) {
				return m.maskedCommand(strings.Join(steps[m.cursor].Commands, "\n"))
			}
		}
	}
	return ""
}

// copyableCommand is the first command of the selected recommendation, or of the first
// that has one where none is selected.
func (m *model) copyableCommand() string {
	e := m.shownEvent()
	if e == nil || m.drill {
		return ""
	}
	for i, r := range e.Recommendations {
		if len(r.Commands) > 0 && (m.pane != advicePane || i == m.cursor) {
			return m.maskedCommand(r.Commands[0])
		}
	}
	return ""
}

func (m *model) maskedKey(s string) string {
	if m.masking {
		return m.mask.Value(s)
	}
	return s
}

func (m *model) maskedCommand(s string) string {
	if m.masking {
		return m.mask.Command(s)
	}
	return s
}

// mostCopied is the longest report that is sent to a clipboard: in Base64 it stays below
// the 100,000 bytes at which terminals begin to drop it.
const mostCopied = 74_000

func (m *model) copyReport() tea.Cmd {
	d := m.view()
	if m.opts.Report == nil || d == nil || m.drill {
		m.say("nothing to copy here")
		return nil
	}
	write, o := m.opts.Report, m.reportOptions(false)
	where, file := m.clipboard(), m.keys.names([]action{writeReport})
	return func() tea.Msg {
		var text strings.Builder
		if err := write(&text, d, o); err != nil {
			return handedMsg{said: "not copied: " + err.Error()}
		}
		if text.Len() > mostCopied {
			return handedMsg{said: "the report is too long for a clipboard; " + file + " writes it to a file"}
		}
		size := telemetry.Thousands(text.Len())
		return handedMsg{"sent the report to " + where + ": " + size + " bytes of Markdown; " + file + " writes a file", text.String()}
	}
}
