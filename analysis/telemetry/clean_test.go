package telemetry_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestCleanShowsWhatATerminalWouldObey(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "TENANT#123", "TENANT#123"},
		{"letters of other scripts", "客户#99 Größe", "客户#99 Größe"},
		{"escape sequence", "a\x1b[2Jb", `a\x1b[2Jb`},
		{"set the clipboard", "\x1b]52;c;aGk=\x07", `\x1b]52;c;aGk=\x07`},
		{"C1 control", "a\u009bb", `a\x9bb`},
		{"line breaks and tabs", "a\r\nb\tc", "a  b c"},
		{"right-to-left override", "a\u202eb", `a\u202eb`},
		{"zero width", "a\u200bb", `a\u200bb`},
		{"other spaces", "a\u00a0b\u2009c\u3000d", `a\xa0b\u2009c\u3000d`},
		{"combining mark", "e\u0301", `e\u0301`},
		{"invalid UTF-8", "a\xffb", `a\xffb`},
		{"tag character", "a\U000e0041b", `a\U000e0041b`},
		{"delete", "a\x7fb", `a\x7fb`},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := telemetry.Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]8;;http://x\x1b\\", "\xf0\x28\x8c\x28", "\u2066a\u2069", strings.Repeat("k", 2048)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := telemetry.Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Clean(%q) is no UTF-8", s)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.M, unicode.Zl, unicode.Zp) {
				t.Fatalf("Clean(%q) keeps %U", s, r)
			}
		}
		if again := telemetry.Clean(got); again != got {
			t.Fatalf("Clean(%q) changes when cleaned again: %q", s, again)
		}
	})
}
