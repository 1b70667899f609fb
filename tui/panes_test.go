package tui

import (
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// advised has an event with advice that is longer than the screen.
func advised() *model {
	d := table(10, map[string][]telemetry.Rate{"a": steady(10, 1000)})
	e := &analysis.Event{
		ID: "e", Resource: d.Tables[0].ID.Resource(), Direction: telemetry.Write, Start: begin, End: d.Window.End, Ongoing: true,
		Cause: analysis.HotKey, Limit: telemetry.KeyRangeLimit, Confidence: 0.9,
		WontHelp: []analysis.WontHelp{{Fix: "the very last line", Why: "it can't"}},
	}
	for _, s := range []string{"one", "two", "three"} {
		e.Recommendations = append(e.Recommendations, analysis.Recommendation{
			Stage: analysis.RelieveNow, Summary: "do " + s, Why: strings.Repeat("because "+s+" ", 40), Commands: []string{"aws " + s},
		})
	}
	d.Events = []*analysis.Event{e}
	return held(d, 80, 16)
}

func TestListsScrollToTheirEnd(t *testing.T) {
	for _, key := range []string{"down", "pgdown", "j"} {
		m := advised()
		press(m, "4")
		wants(t, m, "more lines below")
		for range 60 {
			press(m, key)
		}
		wants(t, m, "the very last line")
		for range 60 {
			press(m, "up")
		}
		wants(t, m, "do one")
	}
}

func TestEveryItemOfAListCanBeSelected(t *testing.T) {
	m := advised()
	press(m, "4")
	met := map[int]bool{}
	for range 60 {
		met[m.cursor] = true
		if s := m.sheet(m.width); !strings.Contains(seen(m), strings.TrimSpace(plainSelect(s.lines[s.items[m.cursor]]))) && m.scroll <= s.items[m.cursor] {
			t.Errorf("item %d is selected but not in sight", m.cursor)
		}
		press(m, "down")
	}
	if len(met) != 3 {
		t.Errorf("%d items were selected, want 3", len(met))
	}
}

func TestSelectionStandsWhereItWasAfterAResize(t *testing.T) {
	m := advised()
	press(m, "4", "down", "down", "down", "down")
	at := m.cursor
	for _, size := range [][2]int{{40, 10}, {200, 60}, {80, 16}, {1, 1}} {
		m.width, m.height = size[0], size[1]
		m.frame()
	}
	if m.cursor != at {
		t.Errorf("item %d is selected, was %d", m.cursor, at)
	}
}
