package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestWidthIsTheLibrarysWidth(t *testing.T) {
	m := twoRows()
	texts := append([]string{"", narrow, "\x1b", "\x1b[", "\x1b[1", "\x1b[1;38;5;3mred\x1b[m", "\x1b]0;title\x07x", "e\u0301", "a\tb", "\x1b[2Jm"}, hostile...)
	for _, p := range []string{"1", "2", "4", "?"} {
		press(m, p)
		texts = append(texts, m.frame()...)
	}
	for _, s := range texts {
		if got, want := width(s), ansi.StringWidth(s); got != want {
			t.Errorf("%q is %d wide, want %d", s, got, want)
		}
	}
}

func TestTextIsWrappedAtBlanksAndLongWordsAreCut(t *testing.T) {
	st := styles{more: "…"}
	for _, c := range []struct {
		name, text  string
		first, w, n int
		want        []string
	}{
		{"at blanks", "one two three", 7, 7, 9, []string{"one two", "three"}},
		{"a first line of another width", "one two three", 3, 9, 9, []string{"one", "two three"}},
		{"a long word", "one abcdefgh", 4, 4, 9, []string{"one", "abcd", "efgh"}},
		{"too much", "one two three four", 5, 5, 2, []string{"one", "two…"}},
		{"characters wider than a line", "日本", 1, 1, 9, []string{"日", "本"}},
		{"nothing", "  ", 5, 5, 9, nil},
		{"no room", "one", 0, 0, 9, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, st.wrapAfter(c.text, c.first, c.w, c.n)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWrappingLosesNothing(t *testing.T) {
	text := strings.Repeat("a bb ccc dddd eeeee 日本語 ", 20)
	for w := 1; w < 60; w++ {
		got := strings.Join(styles{more: "…"}.wrap(text, w, 1000), "")
		if want := strings.ReplaceAll(text, " ", ""); strings.ReplaceAll(got, " ", "") != want {
			t.Fatalf("at width %d the text becomes %q", w, got)
		}
	}
}

func TestPlaceKeepsItsIndex(t *testing.T) {
	s := newStyles(colorprofile.NoTTY, true, false)
	for _, c := range []struct {
		place string
		width int
		want  string
	}{
		{"orders/by-status", 16, "orders/by-status"},
		{"prod-orders-v2/by-status", 17, "prod-o…/by-status"},
		{"prod-orders-v2/by-status", 14, "pro…/by-status"},
		{"prod-orders-v2/by-status", 12, "prod-orders…"},
		{"prod-orders-v2", 10, "prod-orde…"},
	} {
		got := s.cutPlace(c.place, c.width)
		if got != c.want || width(got) > c.width {
			t.Errorf("%q in %d is %q, want %q", c.place, c.width, got, c.want)
		}
	}
}
