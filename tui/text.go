package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fit cuts or pads a styled line to a width exactly.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(s)
	if n > w {
		s = ansi.Truncate(s, w, "")
		n = ansi.StringWidth(s)
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
	return ansi.Truncate(s, w, st.more)
}

// spread puts one text at each end of a line; the right one is kept when room is short.
func spread(left, right string, w int) string {
	n := ansi.StringWidth(right)
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
	for word := range strings.FieldsSeq(s) {
		for ansi.StringWidth(word) > room && line == "" {
			line = ansi.Truncate(word, room, "")
			word = word[len(line):]
			flush()
		}
		switch {
		case line == "":
			line = word
		case ansi.StringWidth(line)+1+ansi.StringWidth(word) <= room:
			line += " " + word
		default:
			flush()
			for ansi.StringWidth(word) > room {
				line = ansi.Truncate(word, room, "")
				word = word[len(line):]
				flush()
			}
			line = word
		}
	}
	if line != "" {
		out = append(out, line)
	}
	if len(out) > most {
		width := w
		if most == 1 {
			width = first
		}
		out = out[:most]
		out[most-1] = ansi.Truncate(out[most-1], width-1, "") + st.more
	}
	return out
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
