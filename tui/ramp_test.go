package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// rgb is a colour in linear light, 0 to 1.
type rgb [3]float64

// parse reads "#rrggbb" or a number of the 256-colour cube.
func parse(t *testing.T, s string) rgb {
	t.Helper()
	var v [3]int
	if s[0] == '#' {
		for i := range v {
			n, err := strconv.ParseUint(s[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			v[i] = int(n)
		}
	} else if n, err := strconv.Atoi(s); err != nil || n < 16 {
		t.Fatalf("%q is no colour of the cube", s)
	} else if n >= 232 {
		v = [3]int{8 + 10*(n-232), 8 + 10*(n-232), 8 + 10*(n-232)}
	} else {
		steps := [...]int{0, 95, 135, 175, 215, 255}
		v = [3]int{steps[(n-16)/36], steps[(n-16)/6%6], steps[(n-16)%6]}
	}
	var out rgb
	for i := range v {
		c := float64(v[i]) / 255
		if c <= 0.04045 {
			out[i] = c / 12.92
		} else {
			out[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return out
}

// mix is what the eye sees of a glyph that covers a share of its cell.
func mix(bg, fg rgb, share float64) rgb {
	for i := range bg {
		bg[i] += share * (fg[i] - bg[i])
	}
	return bg
}

// lab is the colour in CIE L*a*b* under D65.
func (c rgb) lab() [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// sixteen are the colours that terminals give the first sixteen numbers, as xterm, a PC's
// console and GNOME's terminal do.
var sixteen = map[string]string{
	"xterm":   "000000cd000000cd00cdcd000000eecd00cd00cdcde5e5e57f7f7fff000000ff00ffff005c5cffff00ff00ffffffffff",
	"console": "000000aa000000aa00aa55000000aaaa00aa00aaaaaaaaaa555555ff555555ff55ffff555555ffff55ff55ffffffffff",
	"tango":   "2e3436cc00004e9a06c4a0003465a475507b06989ad3d7cf555753ef29298ae234fce94f729fcfad7fa834e2e2eeeeec",
}

// in is a ramp of numbers below sixteen as a terminal shows it; an empty background is
// the screen's.
func (r ramp) in(colours, screen string) ramp {
	show := func(s string) string {
		if s == "" {
			s = screen
		}
		n, _ := strconv.Atoi(s) // our own constants
		return "#" + colours[6*n:6*n+6]
	}
	for i, c := range r {
		r[i].bg, r[i].fg = show(c.bg), show(c.fg)
	}
	return r
}

func (c rgb) seenBy(m [9]float64) rgb {
	var out rgb
	for i := range out {
		out[i] = max(0, min(1, m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2]))
	}
	return out
}

// eyes are matrices for linear light: Machado, Oliveira and Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, at full
// severity.
var eyes = map[string][9]float64{
	"usual":        {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// cover is how much of a cell the glyphs from idle to full cover; a throttled cell is
// seen by its background.
var cover = [6]float64{0.03, 0.25, 0.5, 0.75, 1, 0}

func TestNeighbouringLevelsDifferForEveryEye(t *testing.T) {
	const enough = 15   // CIE76; 2.3 is just noticeable
	const marked = 11.5 // for what is refused, with sixteen colours to choose from
	ramps := map[string]ramp{"dark, 24 bit": darkTrue, "light, 24 bit": lightTrue, "dark, 256": dark256, "light, 256": light256}
	for name, colours := range sixteen {
		ramps["dark, 16, "+name], ramps["light, 16, "+name] = dark16.in(colours, "0"), light16.in(colours, "15")
	}
	for name, r := range ramps {
		for eye, matrix := range eyes {
			t.Run(fmt.Sprint(name, ", ", eye), func(t *testing.T) {
				var labs [][3]float64
				for i, c := range r {
					labs = append(labs, mix(parse(t, c.bg), parse(t, c.fg), cover[i]).seenBy(matrix).lab())
				}
				for i := 1; i < len(labs); i++ {
					a, b := labs[i-1], labs[i]
					least := enough + 0.0
					if strings.Contains(name, "16") && idle+level(i) == throttled {
						least = marked
					}
					if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < least {
						t.Errorf("levels %d and %d are %.1f apart", i-1, i, d)
					}
				}
			})
		}
	}
}

func TestLightnessRisesOnDarkAndFallsOnLight(t *testing.T) {
	type signed struct {
		ramp ramp
		sign float64
	}
	all := map[string]signed{"dark, 24 bit": {darkTrue, 1}, "light, 24 bit": {lightTrue, -1}, "dark, 256": {dark256, 1}, "light, 256": {light256, -1}}
	for name, colours := range sixteen {
		all["dark, 16, "+name], all["light, 16, "+name] = signed{dark16.in(colours, "0"), 1}, signed{light16.in(colours, "15"), -1}
	}
	for name, c := range all {
		before := -200.0
		for i, x := range c.ramp {
			l := c.sign * mix(parse(t, x.bg), parse(t, x.fg), cover[i]).lab()[0]
			if l < before+2.5 {
				t.Errorf("%s: level %d has lightness %.0f after %.0f", name, i, c.sign*l, c.sign*before)
			}
			before = l
		}
	}
}
