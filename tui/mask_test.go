package tui

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestMaskCanBeTurnedOnAndOff(t *testing.T) {
	m := held(table(5, map[string][]telemetry.Rate{"a": steady(5, 900)}), 100, 30)
	wants(t, m, "KEY#a")
	press(m, "m")
	wants(t, m, "key-1")
	press(m, "m")
	wants(t, m, "KEY#a")
}
