package analysis

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestPainIsTheShareRefusedTimesHowLongItGoesOn(t *testing.T) {
	quiet := Minute{ThrottleState: telemetry.Known, Requests: 1000}
	bad := Minute{ThrottleState: telemetry.Known, Throttled: 250, Requests: 750}
	blind := Minute{ThrottleState: telemetry.Known, Throttled: 250, Requests: -1}
	pending := Minute{ThrottleState: telemetry.Pending, Requests: -1}
	repeat := func(m Minute, n int) (out []Minute) {
		for range n {
			out = append(out, m)
		}
		return out
	}
	for _, c := range []struct {
		name    string
		minutes [][]Minute
		want    Pain
		weight  float64
	}{
		{"nothing refused", [][]Minute{repeat(quiet, 60)}, Pain{0, 0, 15}, 0},
		{"all the time", [][]Minute{repeat(bad, 60)}, Pain{0.25, 15, 15}, 0.25},
		{"a while ago", [][]Minute{repeat(bad, 20), repeat(quiet, 40)}, Pain{0, 0, 15}, 0},
		{"of late", [][]Minute{repeat(quiet, 55), repeat(bad, 5)}, Pain{0.25, 5, 15}, 0.25 / 3},
		{"the newest are pending", [][]Minute{repeat(bad, 57), repeat(pending, 3)}, Pain{0.25, 12, 12}, 0.25},
		{"requests unknown", [][]Minute{repeat(blind, 60)}, Pain{-1, 15, 15}, 0},
		{"nothing known", [][]Minute{repeat(pending, 60)}, Pain{0, 0, 0}, 0},
		{"nothing at all", nil, Pain{}, 0},
	} {
		var l Load
		for _, part := range c.minutes {
			l.Minutes = append(l.Minutes, part...)
		}
		for i := range l.Minutes {
			l.Minutes[i].Start = caseStart.Add(time.Duration(i) * time.Minute)
		}
		if got := l.Pain(); got != c.want || got.Weight() != c.weight {
			t.Errorf("%s: got %+v with weight %v, want %+v with %v", c.name, got, got.Weight(), c.want, c.weight)
		}
	}
}
