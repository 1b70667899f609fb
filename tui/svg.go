package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The size of a cell, of its letters and the line they stand on in an SVG, in pixels.
const (
	cellWidth  = 8
	cellHeight = 17
	letterSize = 13
	baseline   = 13
)

// SVG draws a coloured Frame of width x height cells as a self-contained picture. Its
// background and the plain text's colour suit a light page if light is set, else a dark
// one. Cells beyond the size are left out.
func SVG(frame string, width, height int, light bool) string {
	p := &picture{plain: look{fg: "#d7dce2", bg: "#0f1117"}}
	if light {
		p.plain = look{fg: "#1f2328", bg: "#ffffff"}
	}
	w, h := width*cellWidth, height*cellHeight
	p.write(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"`, w, h, w, h)
	p.write(` font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d">`+"\n", letterSize)
	p.write("<title>hotpart dashboard</title>\n<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", w, h, p.plain.bg)
	for y, line := range strings.Split(frame, "\n") {
		if y < height {
			p.line(line, y, width)
		}
	}
	p.write("</svg>\n")
	return p.out.String()
}

// look is how cells are drawn; colours are #rrggbb.
type look struct {
	fg, bg        string
	bold, reverse bool
}

// picture is an SVG being written.
type picture struct {
	out   strings.Builder
	plain look
}

// glyph is what stands in a cell, or in two.
type glyph struct {
	text  string
	cells int
}

func (p *picture) write(format string, a ...any) { fmt.Fprintf(&p.out, format, a...) }

// line writes a line of the frame as runs of cells that look the same.
func (p *picture) line(line string, y, width int) {
	now, from, x := p.plain, 0, 0
	var run []glyph
	var state byte
	for line != "" && x < width {
		seq, cells, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if cells > 0 {
			run, x = append(run, glyph{seq, cells}), x+cells
			continue
		}
		if sgr, ok := strings.CutPrefix(seq, "\x1b["); ok && strings.HasSuffix(sgr, "m") {
			p.run(run, now, from, y)
			run, from = nil, x
			now = now.after(strings.TrimSuffix(sgr, "m"), p.plain)
		}
	}
	p.run(run, now, from, y)
}

// run writes cells that look the same: background, blocks as rectangles, which leave no
// gaps whatever the font, and letters.
func (p *picture) run(run []glyph, l look, x, y int) {
	if l.reverse {
		l.fg, l.bg = l.bg, l.fg
	}
	if cells := widthOf(run); l.bg != p.plain.bg && cells > 0 {
		p.write("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x*cellWidth, y*cellHeight, cells*cellWidth, cellHeight, l.bg)
	}
	for len(run) > 0 {
		n, b := 1, blocks[run[0].text]
		for n < len(run) && blocks[run[n].text] == b {
			n++
		}
		cells := widthOf(run[:n])
		if b == (block{}) {
			p.letters(run[:n], l, x, y)
		} else {
			high := (cellHeight*b.eighths + 4) / 8
			p.write("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"", x*cellWidth, (y+1)*cellHeight-high, cells*cellWidth, high, l.fg)
			if b.percent < 100 {
				p.write(" fill-opacity=\"0.%d\"", b.percent)
			}
			p.write("/>\n")
		}
		run, x = run[n:], x+cells
	}
}

func (p *picture) letters(run []glyph, l look, x, y int) {
	for len(run) > 0 && run[0].text == " " {
		run, x = run[1:], x+1
	}
	for len(run) > 0 && run[len(run)-1].text == " " {
		run = run[:len(run)-1]
	}
	if len(run) == 0 {
		return
	}
	p.write("<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\" xml:space=\"preserve\"", x*cellWidth, y*cellHeight+baseline, widthOf(run)*cellWidth, l.fg)
	if l.bold {
		p.write(" font-weight=\"bold\"")
	}
	p.write(">")
	for _, g := range run {
		p.write("%s", escape.Replace(g.text))
	}
	p.write("</text>\n")
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func widthOf(run []glyph) int {
	n := 0
	for _, g := range run {
		n += g.cells
	}
	return n
}

// block is a glyph that fills a cell from below up to some eighths with some of its
// colour.
type block struct{ eighths, percent int }

var blocks = map[string]block{
	"░": {8, 25}, "▒": {8, 50}, "▓": {8, 75}, "█": {8, 100},
	"▁": {1, 100}, "▂": {2, 100}, "▃": {3, 100}, "▄": {4, 100}, "▅": {5, 100}, "▆": {6, 100}, "▇": {7, 100},
}

// after is a look changed by the parameters of an SGR sequence. It knows those that a
// Frame has: reset, bold, reverse, default colours, 24-bit ones and those of the
// palette of 256.
func (l look) after(sgr string, plain look) look {
	codes := strings.Split(sgr, ";")
	for len(codes) > 0 {
		code := codes[0]
		codes = codes[1:]
		switch code {
		case "", "0":
			l = plain
		case "1":
			l.bold = true
		case "22":
			l.bold = false
		case "7":
			l.reverse = true
		case "27":
			l.reverse = false
		case "39":
			l.fg = plain.fg
		case "49":
			l.bg = plain.bg
		case "38":
			l.fg, codes = colourOf(codes, plain.fg)
		case "48":
			l.bg, codes = colourOf(codes, plain.bg)
		}
	}
	return l
}

// colourOf reads what follows 38 or 48 and returns the rest; otherwise where it can't.
func colourOf(codes []string, otherwise string) (colour string, rest []string) {
	wanted := map[string]int{"2": 3, "5": 1}
	if len(codes) == 0 || len(codes) <= wanted[codes[0]] {
		return otherwise, nil
	}
	n := wanted[codes[0]]
	var v [3]uint8
	for i, s := range codes[1 : 1+n] {
		x, err := strconv.ParseUint(s, 10, 8)
		if err != nil {
			return otherwise, codes[1+n:]
		}
		v[i] = uint8(x)
	}
	switch n {
	case 0:
		return otherwise, codes[1:]
	case 1:
		r, g, b, _ := ansi.IndexedColor(v[0]).RGBA()
		v = [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
	}
	return fmt.Sprintf("#%02x%02x%02x", v[0], v[1], v[2]), codes[1+n:]
}
