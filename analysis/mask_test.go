package analysis

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestMaskReplacesValuesAsWholeWords(t *testing.T) {
	hostile := "evil\x1b[2J"
	var m Mask
	m.Add("TENANT#1", "TENANT#12", "7", hostile)
	for text, want := range map[string]string{
		"TENANT#12 fills one":      "key-2 fills one",
		"TENANT#1, 'TENANT#12'":    "key-1, 'key-2'",
		"TENANT#123 is not ranked": "TENANT#123 is not ranked",
		"17 % of 7 since 07:47":    "17 % of key-3 since 07:47",
		telemetry.Clean(hostile):   "key-4",
		"":                         "",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestMaskLeavesTheNumbersOfCommandsAlone(t *testing.T) {
	var m Mask
	m.Add("60", "acme")
	if got := m.Command("aws x --period 60 --key acme"); got != "aws x --period 60 --key key-2" {
		t.Errorf("the command is %q", got)
	}
	if got := m.Text("60 draws 900"); got != "key-1 draws 900" {
		t.Errorf("the text is %q", got)
	}
}

func TestMaskThatLearnedNothingHidesNothing(t *testing.T) {
	var m Mask
	for _, got := range []string{m.Text("acme"), m.Value("acme"), m.Command("acme")} {
		if got != "acme" {
			t.Errorf("acme is shown as %q", got)
		}
	}
}
