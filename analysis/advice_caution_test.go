package analysis

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// cautious is an adviser on ten minutes in which a table served 1,000 units a second and
// refused so many more.
func cautious(refused float64, contributing ...Factor) *adviser {
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	l := &Load{}
	for i := range 10 {
		l.Minutes = append(l.Minutes, Minute{
			Start: start.Add(time.Duration(i) * time.Minute), State: telemetry.Known, Consumed: 1000, Capacity: 1000,
			Throttled: 60 * refused, ThrottleState: telemetry.Known, Requests: -1,
		})
	}
	likely := likelyWanted(1000, refused)
	e := &Event{
		Cause: TableCapacity, Limit: telemetry.ProvisionedLimit, Direction: telemetry.Write, Contributing: contributing,
		Start: start, End: start.Add(10 * time.Minute), ThrottledEvents: 600 * refused,
		Demand: &Estimate{Likely: likely, Low: wanted(1000, refused, mostAttempts), High: wanted(1000, refused, fewestAttempts)},
	}
	return &adviser{res: &Resource{Write: l}, event: e, load: l}
}

// In bursts of seconds the refusals don't tell how often clients try: what is enough three
// times in four is then what clients want that try once.
func TestSizesAreEnoughWhereAttemptsAreUnknown(t *testing.T) {
	a := cautious(4000, SubMinuteBurst)
	if got, want := a.caution()*a.event.Demand.Likely, 5000.0; got < 0.99*want || got > 1.01*want {
		t.Errorf("sized for %.0f, want %.0f, which is what was served and refused", got, want)
	}
}

func TestCautionNeverLowersASize(t *testing.T) {
	for _, refused := range []float64{1, 100, 1000, 4000, 50000} {
		for _, factors := range [][]Factor{nil, {SubMinuteBurst}} {
			a := cautious(refused, factors...)
			most := a.event.Demand.High / a.event.Demand.Likely
			if got := a.caution(); got < 1 || got > most*1.001 {
				t.Errorf("%v refused, %v: %.3f, want from 1 to %.3f", refused, factors, got, most)
			}
		}
	}
}

func TestNothingWantedNeedsNoCaution(t *testing.T) {
	a := cautious(100)
	a.event.Demand = nil
	if got := a.caution(); got != 1 {
		t.Errorf("%v, want 1", got)
	}
}
