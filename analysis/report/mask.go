package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// masks numbers key values. The zero value hides nothing.
type masks struct {
	names map[string]string
	// shown are the keys as they may stand in a text, raw and cleaned, longest first,
	// so that no key is found inside another.
	shown []shownKey
}

type shownKey struct{ text, name string }

// newMasks numbers every key of a diagnosis: those behind the leading event first, then
// the other events', then the ranked ones, in the diagnosis's order.
func newMasks(d *analysis.Diagnosis) masks {
	m := masks{names: map[string]string{}}
	events := d.Events
	if e := d.Leading(); e != nil {
		events = append([]*analysis.Event{e}, events...)
	}
	for _, e := range events {
		for _, k := range e.Keys {
			m.add(k.Key)
		}
	}
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, l := range []*analysis.Load{r.Read, r.Write} {
				if l != nil {
					m.addLoad(l)
				}
			}
		}
	}
	slices.SortFunc(m.shown, func(a, b shownKey) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text))
	})
	return m
}

func (m *masks) addLoad(l *analysis.Load) {
	for _, k := range l.Keys {
		m.add(k.Key)
		m.addPart(k.Item)
	}
	for _, row := range l.Rows {
		for _, k := range row.Keys {
			m.add(k)
		}
	}
}

func (m *masks) add(k telemetry.Key) {
	m.addPart(k.Partition)
	m.addPart(k.Sort)
}

func (m *masks) addPart(value string) {
	if value == "" || m.names[value] != "" {
		return
	}
	name := "key-" + strconv.Itoa(len(m.names)+1)
	m.names[value] = name
	m.shown = append(m.shown, shownKey{value, name})
	if clean := telemetry.Clean(value); clean != value {
		m.shown = append(m.shown, shownKey{clean, name})
	}
}

// part is one half of a key as it may be shown.
func (m masks) part(value string) string {
	if name, ok := m.names[value]; ok {
		return name
	}
	return value
}

// text replaces the keys wherever they stand in a text as words of their own, raw or
// cleaned. A key that is a plain number hides that number in texts, too.
func (m masks) text(s string) string {
	if len(m.shown) == 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if k, ok := m.at(s, i); ok {
			b.WriteString(k.name)
			i += len(k.text)
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// at is the longest key that stands at s[i:].
func (m masks) at(s string, i int) (shownKey, bool) {
	for _, k := range m.shown {
		if strings.HasPrefix(s[i:], k.text) && wordAt(s, i, i+len(k.text)) {
			return k, true
		}
	}
	return shownKey{}, false
}

// command replaces the keys in a command, but for keys that are plain numbers: those
// in a command are settings.
func (m masks) command(s string) string {
	var words masks
	for _, k := range m.shown {
		if strings.Trim(k.text, "0123456789") != "" {
			words.shown = append(words.shown, k)
		}
	}
	return words.text(s)
}

// wordAt reports whether s[from:to] isn't the middle of a longer word.
func wordAt(s string, from, to int) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	first, _ := utf8.DecodeRuneInString(s[from:])
	last, _ := utf8.DecodeLastRuneInString(s[:to])
	after, _ := utf8.DecodeRuneInString(s[to:])
	return !(from > 0 && inWord(before) && inWord(first)) && !(to < len(s) && inWord(last) && inWord(after))
}
