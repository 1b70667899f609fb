package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// narrow are the characters besides ASCII that we draw ourselves, each one cell wide.
const narrow = "·–…▏▁▂▃▄▅▆▇█░▒▓▲▸▾●→✓"

// width is how many cells a styled text takes. It is ansi.StringWidth, which looks for
// grapheme clusters, but for the usual text of codes, ASCII and our own glyphs needs a
// tenth of the time.
func width(s string) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= ' ' && c < 0x7f:
			n, i = n+1, i+1
		case c == 0x1b:
			end := strings.IndexByte(s[i:], 'm')
			if end < 2 || s[i+1] != '[' || strings.Trim(s[i+2:i+end], "0123456789;") != "" {
				return ansi.StringWidth(s)
			}
			i += end + 1
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune(narrow, r) {
				return ansi.StringWidth(s)
			}
			n, i = n+1, i+size
		}
	}
	return n
}

// fit cuts or pads a styled line to a width exactly.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := width(s)
	if n > w {
		s = ansi.Truncate(s, w, "")
		n = width(s)
	}
	if n < w {
		s += strings.Repeat(" ", w-n)
	}
	return s
}

// cut shortens plain text to a width, saying that it did.
func (st styles) cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, st.more)
}

// cutPlace shortens the name of a table or index; of table/index the index is kept as long
// as a few letters of the table have room, since an index is told from its table by it.
func (st styles) cutPlace(s string, w int) string {
	const least = 4
	table, index, ok := strings.Cut(s, "/")
	if room := w - width(index) - 1; ok && width(s) > w && room >= least {
		return st.cut(table, room) + "/" + index
	}
	return st.cut(s, w)
}

// spread puts one text at each end of a line; the right one is kept when room is short.
func spread(left, right string, w int) string {
	n := width(right)
	if n >= w {
		return fit(right, w)
	}
	return fit(left, w-n) + right
}

// wrap breaks plain text at blanks into at most most lines; the last says when there is
// more. Words longer than a line are cut apart.
func (st styles) wrap(s string, w, most int) []string {
	return st.wrapAfter(s, w, w, most)
}

// wrapAfter is wrap with a first line of another width.
func (st styles) wrapAfter(s string, first, w, most int) []string {
	if first <= 0 || w <= 0 || most <= 0 {
		return nil
	}
	var out []string
	line, room := "", first
	flush := func() { out, line, room = append(out, line), "", w }
	for _, word := range telemetry.Fields(s) {
		for width(word) > room && line == "" {
			line, word = split(word, room)
			flush()
		}
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= room:
			line += " " + word
		default:
			flush()
			for width(word) > room {
				line, word = split(word, room)
				flush()
			}
			line = word
		}
	}
	if line != "" {
		out = append(out, line)
	}
	if len(out) > most {
		room = w
		if most == 1 {
			room = first
		}
		out = out[:most]
		out[most-1] = ansi.Truncate(out[most-1], room-1, "") + st.more
	}
	return out
}

// split parts a word at a width. Where not even its first character fits, that one is
// taken, so that wrapping comes to an end.
func split(word string, w int) (head, tail string) {
	if head = ansi.Truncate(word, w, ""); head == "" {
		_, size := utf8.DecodeRuneInString(word)
		head = word[:size]
	}
	return head, word[len(head):]
}

// fill makes exactly h lines of width w.
func fill(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", max(0, w))
		}
	}
	return out
}

// ascii replaces the glyphs of our own texts where only ASCII may be drawn; what comes
// from outside keeps its letters.
var ascii = strings.NewReplacer("·", "|", "→", "->", "–", "-", "…", "~", "●", "*", "▾", "v", "▸", ">", "✓", "x", "′", "'")
