package tui

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestMaskReplacesKeysAsWholeWords(t *testing.T) {
	k := mask{on: true}
	k.add("TENANT#1", "TENANT#12", "7")
	for text, want := range map[string]string{
		"TENANT#12 fills one":      "key-2 fills one",
		"TENANT#1, TENANT#12":      "key-1, key-2",
		"TENANT#123 is not ranked": "TENANT#123 is not ranked",
		"17 % of 7 since 07:47":    "17 % of key-3 since 07:47",
		"":                         "",
	} {
		if got := k.text(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestMaskCanBeTurnedOnAndOff(t *testing.T) {
	m := held(table(5, map[string][]telemetry.Rate{"a": steady(5, 900)}), 100, 30)
	wants(t, m, "KEY#a")
	press(m, "m")
	wants(t, m, "key-1")
	press(m, "m")
	wants(t, m, "KEY#a")
}
