package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestOneIsChosenByArrowsNumberOrName(t *testing.T) {
	list := []Choice{{"alpha", "the first", "what it is"}, {"beta", "the second", ""}, {"quartz", "the third", ""}}
	for name, c := range map[string]struct {
		keys  string // one to a word
		want  string
		shown string // while it goes on
	}{
		"the first by itself":  {"enter", "alpha", "Which one? [1, q to quit]"},
		"arrows":               {"down down up enter", "beta", "Which one? [2, q to quit]"},
		"arrows stop":          {"up down down down down enter", "quartz", "[3, q to quit]"},
		"a number":             {"3 enter", "quartz", "[3, q to quit] 3"},
		"a name":               {"b e t a enter", "beta", "[2, q to quit] beta"},
		"a name with q":        {"a backspace q", "", "what it is"},
		"a wrong number":       {"9 enter 2 enter", "beta", "[2, q to quit] 2"},
		"nothing of that name": {"x enter", "", "A number from 1 to 3, or a name."},
		"quit":                 {"down q", "", "[2, q to quit]"},
		"escape":               {"down esc", "", "[2, q to quit]"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &chooser{from: list, styles: newStyles(0, true, false)}
			shown := ""
			for key := range strings.FieldsSeq(c.keys) {
				_, cmd := m.Update(pressed(key))
				if m.ended != (cmd != nil) {
					t.Fatalf("%s: ended is %v, the command %v", key, m.ended, cmd != nil)
				}
				if !m.ended {
					shown = ansi.Strip(m.View().Content)
				}
			}
			if shown == "" {
				shown = ansi.Strip((&chooser{from: list, styles: m.styles}).View().Content)
			}
			if m.chosen != c.want || !strings.Contains(shown, c.shown) {
				t.Errorf("%q is chosen, want %q; shown, %q wanted, is\n%s", m.chosen, c.want, c.shown, shown)
			}
		})
	}
}

func TestChoosingIsInterruptedByControlC(t *testing.T) {
	m := &chooser{from: []Choice{{Name: "alpha"}}}
	_, cmd := m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	if cmd == nil {
		t.Fatal("Ctrl-C is ignored")
	}
	if _, ok := cmd().(tea.InterruptMsg); !ok {
		t.Errorf("Ctrl-C gives %T", cmd())
	}
}
