package main

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestMomentReadsTimesInTheWindow(t *testing.T) {
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	at := func(hours, minutes int) time.Time {
		return day.Add(time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
	}
	evening := telemetry.Window{Start: at(22, 40), End: at(25, 22)}
	for _, c := range []struct {
		name, text string
		want       time.Time
	}{
		{"nothing is no bound", "", time.Time{}},
		{"RFC 3339 in UTC", "2026-03-02T23:10:00Z", at(23, 10)},
		{"RFC 3339 with an offset", "2026-03-03T00:10:00+01:00", at(23, 10)},
		{"clock time on the first day", "23:10", at(23, 10)},
		{"clock time before the window", "22:00", at(22, 0)},
		{"clock time that only the second day fits", "01:05", at(25, 5)},
		{"clock time after the window", "05:00", at(5, 0)},
		{"before the end", "-30m", at(24, 52)},
		{"before the end in two units", "-1h30m", at(23, 52)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := moment(c.text, evening)
			if err != nil || !got.Equal(c.want) {
				t.Errorf("%q is %v, want %v; error %v", c.text, got, c.want, err)
			}
		})
	}
	for _, text := range []string{"soon", "25:00", "-", "-5", "30m", "2026-03-02", "2026-03-02 10:00"} {
		if got, err := moment(text, evening); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
