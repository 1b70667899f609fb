package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// measurable shows as escapes the characters that would make a line wider in one terminal than
// in another: some measure whole grapheme clusters, others rune by rune, and a frame must
// be exact for both. Text in which they agree is returned as it is.
func measurable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r > '~' && !strings.ContainsRune(narrow, r) }) {
		return s
	}
	// What stands before and after joins clusters too.
	const edge = "x"
	var b strings.Builder
	for rest := edge + s + edge; rest != ""; {
		cluster, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(cluster):]
		if agreed(cluster) {
			b.WriteString(cluster)
			continue
		}
		_, first := utf8.DecodeRuneInString(cluster)
		if shown := cluster[:first] + escapes(cluster[first:]); agreed(shown) {
			b.WriteString(shown)
		} else {
			b.WriteString(escapes(cluster))
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), edge), edge)
}

// agreed reports whether both ways of measuring give a text the same width.
func agreed(s string) bool { return ansi.StringWidth(s) == ansi.StringWidthWc(s) }

// escapes writes the characters beyond ASCII as telemetry.Clean does those that it lets
// nobody see.
func escapes(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r <= '~':
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}
