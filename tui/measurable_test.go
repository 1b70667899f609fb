package tui

import (
	"math/rand/v2"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestTextsOfUncertainWidthAreEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain":       "plain",
		"日本語 café 한국": "日本語 café 한국",
		"กำ":          `ก\u0e33`,
		"ำ first":     `\u0e33 first`,
		"👍🏽":          `👍\U0001f3fd`,
		"🇩":           `\U0001f1e9`,
		"🇩🇪":          "🇩🇪",
		"last ൎ":      `last \u0d4e`,
		"":            "",
	} {
		if got := measurable(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// TestEveryTextHasOneWidth draws texts of scripts whose characters join, and puts them
// beside ours.
func TestEveryTextHasOneWidth(t *testing.T) {
	blocks := [][2]rune{
		{' ', '~'},
		{0xa0, 0x36f},
		{0x590, 0x6ff},
		{0x900, 0x97f},
		{0xd00, 0xd7f},
		{0xe00, 0xeff},
		{0x1000, 0x11ff},
		{0x1780, 0x17ff},
		{0x2000, 0x2bff},
		{0x3000, 0x30ff},
		{0xa960, 0xa97f},
		{0xac00, 0xac20},
		{0xd7b0, 0xd7ff},
		{0x11000, 0x110ff},
		{0x1f1e6, 0x1f1ff},
		{0x1f300, 0x1f6ff},
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range 4000 {
		var in []rune
		for range 1 + random.IntN(8) {
			b := blocks[random.IntN(len(blocks))]
			in = append(in, b[0]+rune(random.IntN(int(b[1]-b[0])+1)))
		}
		out := measurable(telemetry.Clean(string(in)))
		for _, line := range []string{out, "~p1 " + out + " 3 %", fit(out, 5) + "|", styles{more: "…"}.cut(out, 4) + "…"} {
			if a, b := ansi.StringWidth(line), ansi.StringWidthWc(line); a != b {
				t.Fatalf("%q is %d wide by clusters and %d by runes, from %q", line, a, b, string(in))
			}
		}
		if again := measurable(out); again != out {
			t.Fatalf("%q becomes %q when done again", out, again)
		}
	}
}
