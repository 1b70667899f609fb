package tui

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// exact reports what is wrong with a frame that should be w x h cells, by both ways in
// which terminals measure; nothing if it is right.
func exact(lines []string, w, h int) string {
	if len(lines) != h {
		return "it has " + telemetry.Thousands(len(lines)) + " lines"
	}
	for i, l := range lines {
		plain := ansi.Strip(l)
		if n := ansi.StringWidth(l); n != w {
			return "line " + telemetry.Thousands(i) + " is " + telemetry.Thousands(n) + " wide: " + plain
		}
		if n := ansi.StringWidthWc(l); n != w {
			return "line " + telemetry.Thousands(i) + " is " + telemetry.Thousands(n) + " wide rune by rune: " + plain
		}
		if j := strings.IndexFunc(plain, func(r rune) bool { return unicode.In(r, unicode.C, unicode.M) }); j >= 0 {
			return "line " + telemetry.Thousands(i) + " has something unprintable: " + plain[j:]
		}
	}
	return ""
}

func checkFrame(t *testing.T, d *analysis.Diagnosis, o FrameOptions) {
	t.Helper()
	if wrong := exact(strings.Split(Frame(d, o), "\n"), o.Width, o.Height); wrong != "" {
		t.Fatalf("%+v: %s", o, wrong)
	}
}

// sizes are every size on the edges from 1x1 to 220x70, and some between.
func sizes() [][2]int {
	var out [][2]int
	for w := 1; w <= 220; w++ {
		out = append(out, [2]int{w, 1 + w%70})
	}
	for h := 1; h <= 70; h++ {
		out = append(out, [2]int{1, h}, [2]int{40, h}, [2]int{220, h})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		out = append(out, [2]int{1 + random.IntN(220), 1 + random.IntN(70)})
	}
	return out
}

func TestAFrameIsExactlyTheScreen(t *testing.T) {
	for _, name := range []string{"two-at-once", "nothing", "hostile 4"} {
		for i, size := range sizes() {
			for _, p := range []string{Panes[0], Panes[1+i%(len(Panes)-1)]} {
				checkFrame(t, fixtures(t)[name], FrameOptions{Width: size[0], Height: size[1], Pane: p, Color: true, ASCII: i%4 == 0})
			}
		}
	}
}

func TestAFrameIsExactWhateverTheKeys(t *testing.T) {
	all := fixtures(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {61, 19}, {40, 10}, {17, 7}} {
			for _, p := range Panes {
				for _, masked := range []bool{false, true} {
					checkFrame(t, all[name], FrameOptions{Width: size[0], Height: size[1], Pane: p, Color: true, Mask: masked})
				}
			}
		}
	}
}

func TestNoCodesFromKeysReachTheTerminal(t *testing.T) {
	for name, d := range fixtures(t) {
		for _, p := range Panes {
			frame := Frame(d, FrameOptions{Width: 220, Height: 70, Pane: p, Color: true})
			for i := range len(frame) {
				if frame[i] != 0x1b {
					continue
				}
				code := frame[i:]
				end := strings.IndexFunc(code[1:], func(r rune) bool { return !strings.ContainsRune("[0123456789;:", r) })
				if end < 0 || code[1+end] != 'm' {
					t.Errorf("%s, %s: %q isn't a colour", name, p, code[:min(20, len(code))])
				}
			}
		}
	}
}

func TestMaskHidesKeysInEveryPane(t *testing.T) {
	parts := []string{"TENANT", "evil", "OSC52", "DCS", "rtl", "combining", "日本", "longlong", "utf8", "open-"}
	for name, d := range fixtures(t) {
		for _, p := range Panes {
			for _, w := range []int{220, 80} {
				frame := Frame(d, FrameOptions{Width: w, Height: 60, Pane: p, Mask: true})
				for _, s := range parts {
					if strings.Contains(frame, s) {
						t.Errorf("%s, %s: %q is shown", name, p, s)
					}
				}
			}
		}
	}
}

func TestASCIIFramesAreASCII(t *testing.T) {
	for _, name := range []string{"hot-key-tenant", "five-warm-tenants"} { // whose keys are ASCII
		for _, p := range Panes {
			for _, w := range []int{200, 80, 40} {
				frame := Frame(fixtures(t)[name], FrameOptions{Width: w, Height: 40, Pane: p, ASCII: true})
				if i := strings.IndexFunc(frame, func(r rune) bool { return r > 0x7e }); i >= 0 {
					t.Errorf("%s, %s at %d: %q", name, p, w, frame[max(0, i-30):min(len(frame), i+30)])
				}
			}
		}
	}
}

func TestEveryGlyphIsOneCellWide(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := newStyles(colorprofile.TrueColor, true, plain)
		glyphs := slices.Concat(s.glyph[:], s.bars, []string{s.mark, s.edge, s.more, s.point(), s.dash(), s.tick()})
		for _, g := range glyphs {
			if ansi.StringWidth(g) != 1 || ansi.StringWidthWc(g) != 1 || len([]rune(g)) != 1 {
				t.Errorf("%q isn't one cell", g)
			}
			if plain && len(g) != 1 {
				t.Errorf("%q isn't ASCII", g)
			}
		}
	}
}

func TestLevelsDifferWithoutColour(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := newStyles(colorprofile.NoTTY, true, plain)
		met := map[string]level{}
		for lv, g := range s.glyph {
			if before, ok := met[g]; ok {
				t.Errorf("levels %d and %d look the same: %q", before, lv, g)
			}
			met[g] = level(lv)
		}
	}
}

func TestLevelsAreSharesOfTheCeiling(t *testing.T) {
	known := func(rate telemetry.Rate, refused float64) analysis.Cell {
		return analysis.Cell{State: telemetry.Known, Likely: rate, Throttled: refused}
	}
	for name, c := range map[string]struct {
		cell analysis.Cell
		want level
	}{
		"nobody told":              {analysis.Cell{}, unknown},
		"not yet published":        {analysis.Cell{State: telemetry.Pending}, pending},
		"nothing is idle":          {known(0, 0), idle},
		"a twentieth is cool":      {known(50, 0), cool},
		"half is warm":             {known(500, 0), warm},
		"80 % is hot":              {known(800, 0), hot},
		"99 % is hot":              {known(990, 0), hot},
		"the ceiling is full":      {known(1000, 0), full},
		"refused beats every load": {known(20, 1), throttled},
	} {
		t.Run(name, func(t *testing.T) {
			if got := levelOf(c.cell, 1000); got != c.want {
				t.Errorf("got level %d, want %d", got, c.want)
			}
		})
	}
}
