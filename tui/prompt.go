package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// prompt asks for a line of text in the footer.
type prompt struct {
	kind promptKind
	text string
}

type promptKind int

const (
	noPrompt promptKind = iota
	timePrompt
	findPrompt
	causePrompt
	keyPrompt
)

func (p *prompt) paste(s string) {
	if p.kind != noPrompt {
		p.text += telemetry.Clean(s)
	}
}

func (m *model) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	p := &m.prompt
	switch msg.String() {
	case "esc":
		*p = prompt{}
	case "enter":
		answer := *p
		*p = prompt{}
		return m.answer(answer)
	case "backspace":
		if r := []rune(p.text); len(r) > 0 {
			p.text = string(r[:len(r)-1])
		}
	default:
		p.text += telemetry.Clean(msg.Text)
	}
	if p.kind == findPrompt {
		m.search(p.text)
	}
	return nil
}

// search finds keys and tables, or in the words pane a term.
func (m *model) search(text string) {
	if m.pane == wordsPane {
		m.word, m.cursor, m.scroll = text, 0, 0
		return
	}
	m.filter = text
}

func (m *model) answer(p prompt) tea.Cmd {
	switch p.kind {
	case findPrompt:
		m.search(strings.TrimSpace(p.text))
		return nil
	case causePrompt:
		m.answerCause(p.text)
		return nil
	case keyPrompt:
		m.calling.key = strings.TrimSpace(p.text)
		m.endDrill(m.calling)
		return nil
	}
	t, ok := m.timeOfDay(strings.TrimSpace(p.text))
	if !ok {
		m.say("a time of day is wanted, such as 23:40")
		return nil
	}
	return m.seek(t)
}

// timeOfDay is the first moment in the recording at a time of day.
func (m *model) timeOfDay(text string) (time.Time, bool) {
	v := m.view()
	clock, err := time.Parse("15:04", text)
	if err != nil || v == nil {
		return time.Time{}, false
	}
	zone := time.UTC
	if m.local {
		zone = time.Local
	}
	start := v.Window.Start.In(zone)
	t := time.Date(start.Year(), start.Month(), start.Day(), clock.Hour(), clock.Minute(), 0, 0, zone)
	if t.Before(start.Truncate(time.Minute)) {
		t = t.AddDate(0, 0, 1)
	}
	return t, true
}
