package tui

import "time"

// markEvery is how far apart the marks over the map are.
func markEvery(g grid, win window) time.Duration {
	const apart = 10 // cells
	from, to := win.span()
	span := g.period * time.Duration((to-from)*apart/(win.columns*win.cells))
	for _, d := range []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720} {
		if every := d * time.Minute; every >= span {
			return every
		}
	}
	return 24 * time.Hour
}
