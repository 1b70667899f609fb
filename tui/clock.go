package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// clock turns wall time into recorded time. While it runs, recorded time is from plus
// the wall time since started, times speed.
type clock struct {
	speed   float64
	running bool
	from    time.Time // recorded
	started time.Time // wall
}

// now is the recorded time at a wall time.
func (c *clock) now(wall time.Time) time.Time {
	if !c.running {
		return c.from
	}
	return c.from.Add(time.Duration(float64(wall.Sub(c.started)) * c.speed))
}

// set moves recorded time, whether it runs or not.
func (c *clock) set(recorded, wall time.Time) { c.from, c.started = recorded, wall }

// pause stops or restarts recorded time where it is.
func (c *clock) pause(wall time.Time) {
	c.set(c.now(wall), wall)
	c.running = !c.running
}

// setSpeed changes the speed from here on.
func (c *clock) setSpeed(speed float64, wall time.Time) {
	c.set(c.now(wall), wall)
	c.speed = speed
}

// speeds are the steps that < and > go through.
var speeds = []float64{1, 6, 15, 30, 60, 120, 300, 600}

// faster is the next speed up, or down.
func (c *clock) faster(up bool) float64 {
	if up {
		for _, s := range speeds {
			if s > c.speed {
				return s
			}
		}
		return speeds[len(speeds)-1]
	}
	for i := len(speeds) - 1; i >= 0; i-- {
		if speeds[i] < c.speed {
			return speeds[i]
		}
	}
	return speeds[0]
}

// agesTick is how often a live screen says anew how old its data are.
const agesTick = 10 * time.Second

// shortestTick bounds how often replay redraws.
const shortestTick = 40 * time.Millisecond

// tick waits until the next recorded minute is due, or on a live screen until ages have
// changed. It is the only place that makes
// ticks; a new generation makes those under way void.
func (m *model) tick() tea.Cmd {
	m.generation++
	generation := m.generation
	after := func(wait time.Duration) tea.Cmd {
		return tea.Tick(wait, func(time.Time) tea.Msg { return tickMsg{generation} })
	}
	if m.opts.Live {
		return after(agesTick)
	}
	if !m.clock.running || m.atEnd() {
		return nil
	}
	next := m.clock.from.Truncate(time.Minute).Add(time.Minute)
	now := m.clock.now(m.now())
	for !next.After(now) {
		next = next.Add(time.Minute)
	}
	wait := max(shortestTick, time.Duration(float64(next.Sub(now))/m.clock.speed))
	return after(wait)
}
