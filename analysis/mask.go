package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Mask replaces key values by key-1, key-2 and so on, in the order in which they were
// learned. The zero value has learned none and hides nothing.
type Mask struct {
	names map[string]string
	// shown are the values as they may stand in a text, raw and cleaned, longest first,
	// so that none is found inside another.
	shown []shownValue
}

type shownValue struct{ text, name string }

// Clone is a copy that learns for itself.
func (m *Mask) Clone() Mask { return Mask{maps.Clone(m.names), slices.Clone(m.shown)} }

// Learn takes in every key of a diagnosis: those behind the leading event first, then the
// other events', then the ranked ones.
func (m *Mask) Learn(d *Diagnosis) {
	events := d.Events
	if e := d.Leading(); e != nil {
		events = append([]*Event{e}, events...)
	}
	for _, e := range events {
		for _, k := range e.Keys {
			m.Add(k.Key.Partition, k.Key.Sort)
		}
	}
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			m.learn(r.Read)
			m.learn(r.Write)
		}
	}
}

func (m *Mask) learn(l *Load) {
	if l == nil {
		return
	}
	for _, k := range l.Keys {
		m.Add(k.Key.Partition, k.Key.Sort, k.Item)
	}
	for _, row := range l.Rows {
		for _, k := range row.Keys {
			m.Add(k.Partition, k.Sort)
		}
	}
}

// Add learns the values that it hasn't met before.
func (m *Mask) Add(values ...string) {
	if m.names == nil {
		m.names = map[string]string{}
	}
	for _, value := range values {
		if value == "" || m.names[value] != "" {
			continue
		}
		name := "key-" + strconv.Itoa(len(m.names)+1)
		m.names[value] = name
		m.show(value, name)
		if clean := telemetry.Clean(value); clean != value {
			m.show(clean, name)
		}
	}
}

func (m *Mask) show(text, name string) {
	at, _ := slices.BinarySearchFunc(m.shown, text, func(v shownValue, s string) int { return cmp.Compare(len(s), len(v.text)) })
	m.shown = slices.Insert(m.shown, at, shownValue{text, name})
}

// Value is a text that is nothing but a key's value, as it may be shown.
func (m *Mask) Value(s string) string {
	return cmp.Or(m.names[s], s)
}

// Text replaces the values wherever they stand in a text as words of their own, raw or
// cleaned. A value that is a plain number hides that number in texts, too.
func (m *Mask) Text(s string) string {
	return replace(s, m.shown)
}

// Command replaces the values in a command, but for those that are plain numbers: numbers
// in a command are settings.
func (m *Mask) Command(s string) string {
	var words []shownValue
	for _, v := range m.shown {
		if strings.Trim(v.text, "0123456789") != "" {
			words = append(words, v)
		}
	}
	return replace(s, words)
}

func replace(s string, shown []shownValue) string {
	if len(shown) == 0 || s == "" {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if v := longestAt(s, i, shown); v.text != "" {
			b.WriteString(v.name)
			i += len(v.text)
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// longestAt is the longest value that stands at s[i:]; the zero value for none.
func longestAt(s string, i int, shown []shownValue) shownValue {
	for _, v := range shown {
		if strings.HasPrefix(s[i:], v.text) && wordAt(s, i, i+len(v.text)) {
			return v
		}
	}
	return shownValue{}
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
