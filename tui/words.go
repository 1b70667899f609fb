package tui

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Term is a term of the field.
type Term struct {
	// Names are what it goes by, the usual one first.
	Names []string
	Text  string
}

// openWords lists the terms, those of the pane that one comes from first, in the order in
// which they stand there.
func (m *model) openWords() {
	m.pane = m.before
	text := strings.Join(m.frame(), " ") + strings.Join(m.sheet(m.width).lines, " ")
	m.pane = wordsPane
	text = plainWords(ansi.Strip(text))
	at := map[string]int{}
	for _, t := range m.opts.Terms {
		first := math.MaxInt
		for _, name := range t.Names {
			if i := strings.Index(text, plainWords(name)); i >= 0 {
				first = min(first, i)
			}
		}
		at[t.Names[0]] = first
	}
	m.words = slices.Clone(m.opts.Terms)
	slices.SortStableFunc(m.words, func(a, b Term) int { return cmp.Compare(at[a.Names[0]], at[b.Names[0]]) })
	m.wordsHere = 0
	for _, first := range at {
		if first < math.MaxInt {
			m.wordsHere++
		}
	}
}

// plainWords is a text's words in lower case, each between blanks, without hyphens and
// punctuation.
func plainWords(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789'", r) })
	return " " + strings.Join(words, " ") + " "
}

// wordsSheet explains terms.
func (m *model) wordsSheet(w int) sheet {
	var s sheet
	s.head = []string{m.styles.bold.Render(" words") + m.styles.dim.Render("   / finds one, Esc goes back")}
	for i, t := range m.words {
		if !m.finds(t) {
			continue
		}
		if i == 0 && m.wordsHere > 0 {
			s.add(" " + m.styles.accent.Render("on the screen that you come from"))
		}
		if i == m.wordsHere {
			s.add(" " + m.styles.accent.Render("others"))
		}
		s.item("  " + m.styles.bold.Render(strings.Join(t.Names, ", ")))
		s.add(m.paragraph("     ", t.Text, w)...)
	}
	if len(s.items) == 0 {
		s.add("", " no term is like "+m.clean(m.word)+"; / looks for another, Esc goes back")
	}
	return s
}

// finds reports whether a term is looked for.
func (m *model) finds(t Term) bool {
	wanted := strings.TrimSpace(plainWords(m.word))
	return slices.ContainsFunc(t.Names, func(name string) bool { return strings.Contains(plainWords(name), wanted) })
}
