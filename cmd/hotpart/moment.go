package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// moment reads a time as the command line takes it: RFC 3339; HH:MM, in UTC on
// the window's first day (or on its second, where the window reaches there and
// the first doesn't fit); -30m, before the window's end. "" is the zero time.
func moment(text string, window telemetry.Window) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC(), nil
	}
	if strings.HasPrefix(text, "-") {
		if d, err := time.ParseDuration(text); err == nil {
			return window.End.Add(d), nil
		}
	}
	if t, err := time.Parse("15:04", text); err == nil {
		start := window.Start.UTC()
		first := time.Date(start.Year(), start.Month(), start.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
		if next := first.AddDate(0, 0, 1); first.Before(start) && !next.After(window.End) {
			return next, nil
		}
		return first, nil
	}
	return time.Time{}, fmt.Errorf("time %q cannot be read\nhint: 2026-03-02T10:15:00Z, 10:15 (UTC) or -30m (before the end)", text)
}

// span reads a pair of times, of which either may be missing. flags names them
// for errors.
func span(start, end string, window telemetry.Window) (from, to time.Time, err error) {
	if from, err = moment(start, window); err != nil {
		return from, to, usage("--start: %w", err)
	}
	if to, err = moment(end, window); err != nil {
		return from, to, usage("--end: %w", err)
	}
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return from, to, usage("--end %s is not after --start %s", end, start)
	}
	return from, to, nil
}

// minuteText is a time as moment reads it.
func minuteText(t time.Time) string { return t.UTC().Format(time.RFC3339) }
