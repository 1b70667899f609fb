package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// level is what a cell of the map says, from nothing to refused.
type level int

const (
	later     level = iota // not yet happened, in replay
	unknown                // nobody told
	pending                // too new to be published
	idle                   // under a twentieth of the ceiling
	cool                   // below half
	warm                   // to 80 %
	hot                    // to 100 %
	full                   // at the ceiling
	throttled              // refused
	levels
)

// styles are all colours and glyphs, chosen for a terminal. Build them with newStyles.
type styles struct {
	bold, dim, accent, alarm, alert, good, selected run
	// heat holds the codes that open a run of cells of each level and close it.
	heat  [levels]run
	glyph [levels]string
	// cross opens the cell under the crosshair.
	cross run
	bars  []string // a sparkline's heights, from empty to full
	mark  string   // a change on the time line
	note  string   // a mark on the time line, such as a deploy
	edge  string   // the first column that has not happened yet
	more  string   // the sign that text was cut
}

// run are the codes around text or cells of one look. They are made once: a style that is
// rendered anew for each text takes most of a frame's time.
type run struct{ open, close string }

// Render puts the codes around a text of one line.
func (r run) Render(s string) string {
	if s == "" {
		return ""
	}
	return r.open + s + r.close
}

// ramp is the heat's colours: background and foreground of idle to throttled. The denser
// a level's glyph, the more of its cell shows the foreground.
type ramp [6]struct{ bg, fg string }

// The ramps rise in lightness on a dark background and fall on a light one, so that
// they read the same with any colour blindness; throttled differs by its glyph too.
var (
	darkTrue  = ramp{{"#15151d", "#3a3a46"}, {"#2a1f66", "#4636a0"}, {"#8a2a6e", "#a63c86"}, {"#d95a28", "#ee7030"}, {"#f7d13d", "#f7d13d"}, {"#fdf6e3", "#b00020"}}
	lightTrue = ramp{{"#f4f4f8", "#c4c4d0"}, {"#c6d0f2", "#a4b3e6"}, {"#f2b84b", "#dc9a20"}, {"#d9541e", "#c24414"}, {"#8a1032", "#8a1032"}, {"#1a0008", "#ffffff"}}
	dark256   = ramp{{"234", "238"}, {"18", "19"}, {"90", "126"}, {"166", "202"}, {"220", "220"}, {"230", "160"}}
	light256  = ramp{{"255", "251"}, {"153", "147"}, {"215", "214"}, {"166", "166"}, {"88", "88"}, {"233", "231"}}
	dark16    = ramp{{"", "8"}, {"4", "0"}, {"5", "1"}, {"9", "9"}, {"11", "11"}, {"15", "1"}}
	light16   = ramp{{"", "8"}, {"14", "12"}, {"11", "1"}, {"9", "9"}, {"5", "5"}, {"0", "15"}}
)

// newStyles chooses colours for a profile and background, and glyphs.
func newStyles(profile colorprofile.Profile, dark, plainASCII bool) styles {
	s := styles{
		glyph: [levels]string{" ", "?", "~", "·", "░", "▒", "▓", "█", "▲"},
		bars:  []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		mark:  "▾", note: "▿", edge: "▏", more: "…",
	}
	if plainASCII {
		s.glyph = [levels]string{" ", "?", "~", ".", ":", "+", "x", "#", "!"}
		s.bars = []string{" ", ".", ":", "-", "=", "+", "*", "%", "#"}
		s.mark, s.note, s.edge, s.more = "v", "m", "|", "~"
	}
	s.paint(profile, dark)
	return s
}

// paint sets the codes: bold and reversed text only where there are no colours.
func (s *styles) paint(profile colorprofile.Profile, dark bool) {
	plain := lipgloss.NewStyle()
	bold := plain.Bold(true)
	s.bold, s.selected, s.cross = codes(bold), codes(plain.Reverse(true)), codes(bold.Reverse(true))
	s.accent, s.alarm, s.alert, s.good = s.bold, s.cross, s.bold, s.bold
	s.heat[throttled] = s.bold
	if profile <= colorprofile.ASCII {
		return
	}
	pick := func(onDark, onLight string) color.Color { return lipgloss.Color(choose(dark, onDark, onLight)) }
	if profile == colorprofile.ANSI {
		s.accent = codes(bold.Foreground(pick("14", "4")))
		s.alarm = codes(bold.Foreground(lipgloss.Color("15")).Background(lipgloss.Color("1")))
		s.alert, s.good = codes(bold.Foreground(pick("11", "3"))), codes(bold.Foreground(pick("10", "2")))
	} else {
		s.dim = codes(plain.Foreground(pick("245", "242")))
		s.accent = codes(bold.Foreground(pick("81", "25")))
		s.alarm = codes(bold.Foreground(lipgloss.Color("231")).Background(pick("160", "124")))
		s.alert, s.good = codes(bold.Foreground(pick("215", "130"))), codes(bold.Foreground(pick("114", "28")))
	}
	for i, c := range rampFor(profile, dark) {
		st := plain.Foreground(lipgloss.Color(c.fg))
		if c.bg != "" {
			st = st.Background(lipgloss.Color(c.bg))
		}
		s.heat[idle+level(i)] = codes(st.Bold(idle+level(i) == throttled))
	}
	s.heat[unknown], s.heat[pending] = s.dim, s.dim
}

func rampFor(profile colorprofile.Profile, dark bool) ramp {
	switch profile {
	case colorprofile.TrueColor:
		return choose(dark, darkTrue, lightTrue)
	case colorprofile.ANSI256:
		return choose(dark, dark256, light256)
	}
	return choose(dark, dark16, light16)
}

func choose[T any](dark bool, onDark, onLight T) T {
	if dark {
		return onDark
	}
	return onLight
}

// codes are what a style puts around text.
func codes(st lipgloss.Style) run {
	const hole = "x"
	s := st.Render(hole)
	for i := range s {
		if s[i:i+1] == hole {
			return run{s[:i], s[i+1:]}
		}
	}
	return run{}
}

// point begins a line that says what to do.
func (st styles) point() string {
	if st.more == "~" {
		return ">"
	}
	return "▸"
}

func (st styles) dash() string {
	if st.more == "~" {
		return "-"
	}
	return "–"
}

func (st styles) tick() string {
	if st.more == "~" {
		return "'"
	}
	return "▏"
}
