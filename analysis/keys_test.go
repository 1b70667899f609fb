package analysis

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Old metrics are kept by five minutes, while reports of keys are by the minute.
func TestRankedMinutesAddUpWhereStepsAreLonger(t *testing.T) {
	byMinutes := benchDay(240, 0, 5)
	coarse := byMinutes
	coarse.Window.Period = 5 * time.Minute
	coarse.Series = nil
	for _, s := range byMinutes.Series {
		sums := map[time.Time]float64{}
		for _, p := range s.Points {
			sums[p.Time.Truncate(5*time.Minute)] += p.Value
		}
		s.Period, s.Points = 5*time.Minute, nil
		for at, sum := range sums {
			s.Points = append(s.Points, telemetry.Point{Time: at, Value: sum})
		}
		s.Points = telemetry.SortPoints(s.Points)
		coarse.Series = append(coarse.Series, s)
	}
	first := func(b telemetry.Batch) EventKey {
		t.Helper()
		e := New().Observe(b).Leading()
		if e == nil || e.Cause != HotKey || len(e.Keys) == 0 || e.Keys[0].Rate == nil {
			t.Fatalf("steps of %s: the leading event is %+v", b.Window.Period, e)
		}
		return e.Keys[0]
	}
	want, got := first(byMinutes), first(coarse)
	if got.Key != want.Key || got.Rate.Likely < 0.95*want.Rate.Likely || got.Rate.Likely > 1.05*want.Rate.Likely {
		t.Errorf("steps of 5m: %v peaks at %.0f a second, by minutes %v at %.0f", got.Key, got.Rate.Likely, want.Key, want.Rate.Likely)
	}
}
