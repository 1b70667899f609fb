package analysis

import (
	"fmt"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// markReach is how long before an event a mark is told with it. An assumption: most
// deploys take hold within minutes.
const markReach = 15 * time.Minute

// marked are the marks to be shown with the window, oldest first: those of its time, and
// of the minutes before it that an event at its start may follow upon.
func (f *facts) marked() []telemetry.Mark {
	var out []telemetry.Mark
	for _, m := range f.marks {
		if m.At.Before(f.window.End) && !m.At.Before(f.window.Start.Add(-markReach)) {
			out = append(out, m)
		}
	}
	return out
}

// context says which marks came shortly before an event, the nearest first. A mark in the
// event's first minute counts: minutes are told whole.
func (f *facts) context(e *Event) []string {
	const most = 5
	var out []string
	for _, m := range slices.Backward(f.marked()) {
		before := e.Start.Sub(m.At)
		if before <= -f.period() || before > markReach || !m.Concerns(e.Resource.TableID) {
			continue
		}
		when := "as it began"
		if minutes := int(e.Start.Sub(m.At.Truncate(time.Minute)) / time.Minute); minutes > 0 {
			when = fmt.Sprintf("%d min before", minutes)
		}
		out = append(out, fmt.Sprintf("%s, %s: %s", clock(m.At), when, m.Text))
	}
	return out[:min(most, len(out))]
}
