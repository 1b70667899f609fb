package tui

import (
	"context"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
)

// FrameOptions say how to draw a single frame.
type FrameOptions struct {
	// Width and Height are in cells; at least 1.
	Width, Height int
	// Pane is "heat" (the default), "keys", "events", "advice", "evidence", "runbook",
	// "tables" or "help".
	Pane string
	// Hindsight is the diagnosis of the whole recording, for the extent of the map and the
	// marks on the time line; nil where the frame shows its end.
	Hindsight *analysis.Diagnosis
	// Color keeps the codes for 24-bit colour; else the frame is plain text.
	Color bool
	// Light draws for a light background.
	Light       bool
	ASCII, Mask bool
}

// Panes lists the names that FrameOptions.Pane takes, in the order of their keys.
var Panes = []string{"heat", "keys", "events", "advice", "evidence", "runbook", "tables", "help"}

// Frame draws what the dashboard would show of a diagnosis, as Height lines of Width
// cells.
func Frame(d *analysis.Diagnosis, o FrameOptions) string {
	whole, until := d, time.Time{}
	if h := o.Hindsight; h != nil && h.Window.End.After(d.Window.End) {
		whole, until = h, h.Window.End
	}
	m := newModel(context.Background(), nil, Options{
		ASCII: o.ASCII, Mask: o.Mask, Paused: true, Hindsight: whole,
		Now: func() time.Time { return d.Window.End },
	})
	m.profile, m.dark = colorprofile.TrueColor, !o.Light
	m.restyle()
	m.width, m.height = max(1, o.Width), max(1, o.Height)
	m.mask.Learn(d)
	m.history.add(d, until)
	m.follow()
	for i, name := range Panes {
		if name == o.Pane {
			m.pane = pane(i)
		}
	}
	if e := m.shownEvent(); e != nil && m.pane == advicePane {
		m.forecasts = forecastsOf(d, d, e)
	}
	lines := m.frame()
	if !o.Color {
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
	}
	return strings.Join(lines, "\n")
}
