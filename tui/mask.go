package tui

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

// mask replaces key values by key-1, key-2 and so on, in the order they were first met.
// The zero value masks nothing.
type mask struct {
	on    bool
	names map[string]string
	// keys are the longest first, so that no key is found inside another.
	keys []string
}

// learn takes in the keys of a diagnosis.
func (k *mask) learn(d *analysis.Diagnosis) {
	for _, e := range d.Events {
		for _, key := range e.Keys {
			k.add(key.Key.Partition, key.Key.Sort)
		}
	}
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			for _, l := range []*analysis.Load{r.Read, r.Write} {
				for _, key := range l.Keys {
					k.add(key.Key.Partition, key.Key.Sort, key.Item)
				}
				for _, row := range l.Rows {
					for _, key := range row.Keys {
						k.add(key.Partition, key.Sort)
					}
				}
			}
		}
	}
}

// add numbers values that were not met before.
func (k *mask) add(values ...string) {
	if k.names == nil {
		k.names = map[string]string{}
	}
	for _, s := range values {
		if s != "" && k.names[s] == "" {
			k.names[s] = "key-" + strconv.Itoa(len(k.names)+1)
			at, _ := slices.BinarySearchFunc(k.keys, s, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
			k.keys = slices.Insert(k.keys, at, s)
		}
	}
}

// key is a key value as it may be shown.
func (k *mask) key(s string) string {
	if name := k.names[s]; k.on && name != "" {
		return name
	}
	return s
}

// text replaces the keys wherever they stand in a text as words of their own.
func (k *mask) text(s string) string {
	if !k.on || s == "" {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if key := k.at(s, i); key != "" {
			b.WriteString(k.names[key])
			i += len(key)
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// at is the longest key that stands at s[i:]; "" for none.
func (k *mask) at(s string, i int) string {
	for _, key := range k.keys {
		if strings.HasPrefix(s[i:], key) && wordAt(s, i, i+len(key)) {
			return key
		}
	}
	return ""
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

// clean makes text from outside fit to show: one line, no control characters, masked
// keys.
func (m *model) clean(s string) string { return m.drawable(m.mask.text(s)) }

// cleanKey is clean for a text that is nothing but a key's value.
func (m *model) cleanKey(s string) string { return m.drawable(m.mask.key(s)) }

func (m *model) drawable(s string) string {
	s = telemetry.Clean(s)
	if m.opts.ASCII {
		s = ascii.Replace(s)
	}
	return s
}
