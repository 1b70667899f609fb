package tui

// window is which minutes each column of the map stands for, and how many cells wide a
// column is. A column stands for step minutes; where all is set, the columns share that
// many minutes as evenly as they can, step at most.
type window struct {
	first, step, cells, columns, all int
}

// zoom is how many minutes a column stands for and how many cells it takes; one of the
// two is 1. The zero value fits.
type zoom struct{ minutes, cells int }

// zooms are the steps of + and -, the nearest first.
var zooms = []zoom{
	{1, 8},
	{1, 6},
	{1, 4},
	{1, 3},
	{1, 2},
	{1, 1},
	{2, 1},
	{3, 1},
	{5, 1},
	{10, 1},
	{15, 1},
	{30, 1},
	{60, 1},
	{120, 1},
	{240, 1},
	{480, 1},
	{1440, 1},
}

// widest is the widest column that fitting chooses.
const widest = 4

// window lays the minutes out on a width. Unless the user zoomed, a replay takes the
// widest columns that show all of it, and a live map one cell a minute, so that nothing
// moves when the next minute comes. What doesn't fit is paged by a quarter of the width:
// the map never scrolls by a column.
func (m *model) window(g grid, width int) window {
	z := m.zoom
	if z == (zoom{}) {
		z = m.fitting(g.total, width)
	}
	w := window{step: z.minutes, cells: z.cells, columns: max(1, width/z.cells)}
	if m.zoom == (zoom{}) && w.wastes(g.total) {
		w.all = g.total
		return w
	}
	quarter := max(1, w.columns/4)
	focus := g.known - 1
	if m.cross.on {
		focus = m.cross.minute
	}
	if column := focus / w.step; column >= w.columns {
		pages := (column - w.columns + quarter) / quarter
		w.first = pages * quarter * w.step
	}
	return w
}

// wastes reports whether columns of step minutes leave much of the width empty although
// there are minutes for all of it, as where they miss fitting by a few.
func (w window) wastes(total int) bool {
	const most = 0.8
	return w.step > 1 && total > w.columns && float64(w.used(total)) < most*float64(w.columns)
}

func (m *model) fitting(total, width int) zoom {
	if m.opts.Live {
		return zoom{1, 1}
	}
	for _, z := range zooms {
		if z.cells <= widest && (total+z.minutes-1)/z.minutes*z.cells <= width {
			return z
		}
	}
	return zooms[len(zooms)-1]
}

// minutes is the span of one column.
func (w window) minutes(column int) (from, to int) {
	if w.all > 0 {
		return column * w.all / w.columns, (column + 1) * w.all / w.columns
	}
	from = w.first + column*w.step
	return from, from + w.step
}

// span is what all columns together stand for.
func (w window) span() (from, to int) {
	_, to = w.minutes(w.columns - 1)
	return w.first, to
}

// column is where a minute is drawn; -1 before the first.
func (w window) column(minute int) int {
	switch {
	case minute < w.first:
		return -1
	case w.all > 0:
		return ((minute+1)*w.columns - 1) / w.all
	}
	return (minute - w.first) / w.step
}

// used is how many columns some minutes from the first on take.
func (w window) used(total int) int {
	if w.all > 0 {
		return min(w.columns, w.column(total-1)+1)
	}
	return (total + w.step - 1) / w.step
}

// moved is a minute some columns further on; it may lie outside the map.
func (w window) moved(minute, columns int) int {
	if w.all == 0 || columns == 0 {
		return minute + columns*w.step
	}
	from, _ := w.minutes(w.column(minute) + columns)
	return from
}
