package tui

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestReplayShowsAllMinutesInTheWidestColumnsThatFit(t *testing.T) {
	m := &model{}
	for _, c := range []struct {
		name                string
		total, width        int
		step, cells, atMost int
	}{
		{"few minutes", 10, 80, 1, widest, 40},
		{"two cells", 30, 80, 1, 2, 60},
		{"one cell", 60, 80, 1, 1, 60},
		{"two minutes a cell", 150, 80, 2, 1, 75},
		{"some more minutes than cells", 100, 80, 2, 1, 80},
		{"a day", 1440, 80, 30, 1, 80},
	} {
		w := m.window(grid{total: c.total, known: c.total}, c.width)
		if w.step != c.step || w.cells != c.cells || w.first != 0 {
			t.Errorf("%s: %+v", c.name, w)
		}
		if used := (w.column(c.total-1) + 1) * w.cells; used != c.atMost {
			t.Errorf("%s: %d cells are used, want %d", c.name, used, c.atMost)
		}
	}
}

func TestLiveMapPagesByAQuarterAndNeverScrollsByAColumn(t *testing.T) {
	m := &model{opts: Options{Live: true}}
	firsts := map[int]bool{}
	for known := 1; known < 400; known++ {
		w := m.window(grid{total: known, known: known}, 80)
		if c := w.column(known - 1); c < 0 || c >= w.columns {
			t.Fatalf("with %d minutes the newest is at column %d", known, c)
		}
		firsts[w.first] = true
	}
	if len(firsts) != 17 {
		t.Errorf("%d pages, want 17", len(firsts))
	}
}

func TestZoomGoesInAndOutAndFits(t *testing.T) {
	m := held(table(30, map[string][]telemetry.Rate{"a": steady(30, 500)}), 120, 40)
	fit := m.window(m.grid(), m.layout().columns())
	press(m, "+")
	if w := m.window(m.grid(), m.layout().columns()); w.cells <= fit.cells {
		t.Errorf("zooming in gives %+v after %+v", w, fit)
	}
	press(m, "-", "-", "-", "-", "-")
	if w := m.window(m.grid(), m.layout().columns()); w.step < 2 {
		t.Errorf("zooming out gives %+v", w)
	}
	for range 30 {
		press(m, "-")
	}
	press(m, "0")
	if w := m.window(m.grid(), m.layout().columns()); w != fit {
		t.Errorf("fitting gives %+v, want %+v", w, fit)
	}
}

func TestColumnsTileTheMinutes(t *testing.T) {
	for width := 1; width < 90; width++ {
		for _, total := range []int{1, 2, 40, 81, 100, 163, 1440, 1441} {
			w := (&model{}).window(grid{total: total, known: total}, width)
			at := w.first
			for c := range w.columns {
				from, to := w.minutes(c)
				if from != at || to <= from || to-from > w.step {
					t.Fatalf("%d minutes on %d: column %d is %d to %d after %d, step %d", total, width, c, from, to, at, w.step)
				}
				for i := from; i < to; i++ {
					if w.column(i) != c {
						t.Fatalf("%d minutes on %d: minute %d is in column %d, want %d", total, width, i, w.column(i), c)
					}
				}
				if left := w.moved(to-1, -1); c > 0 && w.column(left) != c-1 {
					t.Fatalf("%d minutes on %d: left of column %d is minute %d", total, width, c, left)
				}
				at = to
			}
			if at < total {
				t.Fatalf("%d minutes on %d: the columns end at %d", total, width, at)
			}
		}
	}
}
