package tui

import (
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func steady(n int, r telemetry.Rate) []telemetry.Rate {
	out := make([]telemetry.Rate, n)
	for i := range out {
		out[i] = r
	}
	return out
}

func twoRows() *model {
	a := append(steady(5, 200), steady(5, 1000)...)
	return held(table(10, map[string][]telemetry.Rate{"a": a, "b": steady(10, 100)}), 120, 40)
}

func TestCrosshairNamesPartitionMinuteLoadAndRefusals(t *testing.T) {
	m := twoRows()
	press(m, "down")
	wants(t, m, "10:09 ~p1 KEY#a: 1,000 WCU/s, modelled, about 100 refused")
	press(m, "down", "left")
	wants(t, m, "10:08 ~p2 KEY#b: 100 WCU/s, modelled")
}

func TestRectangleTellsMeanPeakRefusalsAndCauses(t *testing.T) {
	m := twoRows()
	press(m, "down", "v", "down", "left", "v")
	wants(t, m, "10:08–10:10 · ~p1 KEY#a, ~p2 KEY#b")
	wants(t, m, "mean 1,100 WCU/s, busiest cell 1,000 WCU/s · 200 refused · key range 100 % · no event")
}

func TestTwoRectanglesAreCompared(t *testing.T) {
	m := twoRows()
	press(m, "down", "v", "left", "v", "left", "left", "left", "left", "left", "v", "left", "v", "d")
	wants(t, m, "mean WCU/s 1,000 -> 200 (x0.2) · busiest cell 1,000 -> 200 (x0.2) · refused 200 -> 0")
	press(m, "d")
	wants(t, m, "nothing refused")
}

func TestComparingNeedsTwoRectangles(t *testing.T) {
	m := twoRows()
	press(m, "down", "v", "v", "d")
	wants(t, m, "mark a rectangle with v twice")
}

func TestRectangleOfUnknownLoadSaysSo(t *testing.T) {
	m := twoRows()
	for i := range m.grid().lines[0].cells {
		m.grid().lines[0].cells[i].State = telemetry.Unknown
	}
	press(m, "down", "v", "v")
	wants(t, m, "load unknown")
}

func TestEscapeClosesTheCrosshair(t *testing.T) {
	m := twoRows()
	press(m, "down", "esc")
	if m.cross.on || strings.Contains(seen(m), "~p1 KEY#a: ") {
		t.Error("the crosshair is still there")
	}
}

func TestRectangleIsExplainedWhereThereIsLittleRoom(t *testing.T) {
	d := fixtures(t)["hot-key-tenant"]
	m := still(Options{Hindsight: d}, 60, 20, d)
	m.typed("up", "v", "left", "down", "v")
	got := strings.Join(strings.Fields(m.plain()), " ")
	for _, want := range []string{"~p1 TENANT#6634701, ~p2 TENANT#5067098", "refused", "key range 100 %", "HOT KEY 99 % sure throttles"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, m.plain())
		}
	}
}
