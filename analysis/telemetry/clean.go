package telemetry

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from outside (a key, a table's name, an error's text) safe to
// show on a terminal or on a page: control characters, escape sequences'
// introducers, bidirectional and zero-width characters, spaces other than the usual
// one, which nobody could tell from it, and invalid UTF-8 are shown as visible escapes
// such as \x1b, a tab or line break as a space. Printable text is returned as it is,
// without a copy.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unsafeRune) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			escape(&b, "\\x", rune(s[i]), 2)
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case !unsafeRune(r):
			b.WriteString(s[i : i+size])
		case r < 0x100:
			escape(&b, "\\x", r, 2)
		case r < 0x10000:
			escape(&b, "\\u", r, 4)
		default:
			escape(&b, "\\U", r, 8)
		}
		i += size
	}
	return b.String()
}

// unsafeRune reports whether a terminal might act on r, or not show it at all.
func unsafeRune(r rune) bool {
	if r < 0x20 || r == utf8.RuneError {
		return true
	}
	if r < 0x7f {
		return false
	}
	return unicode.In(r, unicode.C, unicode.Z, unicode.M) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func escape(b *strings.Builder, prefix string, r rune, digits int) {
	const hex = "0123456789abcdef"
	b.WriteString(prefix)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&0xf])
	}
}
