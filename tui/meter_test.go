package tui

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestDebugBytesCountsWhatTheTerminalIsSent(t *testing.T) {
	file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	m := atDesk(t, &tray{})
	m.meter = &meter{File: file}
	for _, n := range []int{1000, 234} {
		if _, err := m.meter.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range [][2]int{{200, 60}, {80, 24}, {60, 20}, {59, 20}, {17, 7}, {1, 1}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if wrong := exact(m.frame(), size[0], size[1]); wrong != "" {
			t.Errorf("%v: %s", size, wrong)
		}
		if shown := strings.HasSuffix(m.plain(), " 234 of 1,234 bytes "); shown != (size[0] >= 60) {
			t.Errorf("%v: shown is %v:\n%s", size, shown, m.plain())
		}
	}
}
