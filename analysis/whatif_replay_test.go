package analysis

import (
	"math"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestRefusedUndoesWishOf(t *testing.T) {
	for _, attempts := range []float64{1, 2.5, 4, 11} {
		for _, refused := range []float64{0, 1, 250, 9000} {
			if got := wishOf(1000, refused, attempts).refused(1000, attempts); math.Abs(got-refused) > 1e-6*(1+refused) {
				t.Errorf("%v attempts: %v refused of what %v refusals stand for", attempts, got, refused)
			}
		}
	}
}

func TestWishIsWhatWasWanted(t *testing.T) {
	for _, attempts := range []float64{1, 4, 11} {
		if got, want := wishOf(1000, 700, attempts).rate(), wanted(1000, 700, attempts); math.Abs(got-want) > 1e-6*want {
			t.Errorf("%v attempts: %v, want %v", attempts, got, want)
		}
	}
}

func TestNothingServedRefusesEveryAttempt(t *testing.T) {
	if got := (wish{served: 100}).refused(0, 4); got != 400 {
		t.Errorf("%v refused, want every one of 4 attempts at 100", got)
	}
}

func TestDemandUnfoldsIntoServedAndRefused(t *testing.T) {
	for _, refused := range []float64{5, 500, 20000} {
		d := Estimate{Low: wanted(1000, refused, mostAttempts), High: wanted(1000, refused, fewestAttempts)}
		served, got := unfoldDemand(d)
		if math.Abs(served-1000) > 1 || math.Abs(got-refused) > 0.01*refused {
			t.Errorf("%v served and %v refused, want 1000 and %v", served, got, refused)
		}
	}
}

func TestCommonestOutcomeIsLikely(t *testing.T) {
	runs := []played{{weight: 1, refused: 0}, {weight: 1, refused: 1}, {weight: 1, refused: 900}, {weight: 0.5, refused: 5000}}
	got := weigh(runs, 2, func(o played) float64 { return o.refused })
	if got.Likely > 1 || got.Low != 0 || got.High != 5000 {
		t.Errorf("%+v, want about 0, from 0 to 5000", got)
	}
}

func TestBurstsAreRefusedWhateverElseIsServed(t *testing.T) {
	burst := func(calm float64) float64 {
		p := &past{
			limit: telemetry.ProvisionedLimit, event: &Event{}, cost: 1, calm: calm,
			served: []float64{500}, refusals: []float64{600}, allowed: []float64{1000},
		}
		return p.replay(Remedy{Provisioned: 2000}, future{attempts: 1}).refused
	}
	// 500 is served of a burst that wants 1,100, and twice the limit serves twice that; where
	// 400 of it is even, 100 is served of a burst that wants 700.
	if got := burst(0); math.Abs(got-100) > 1e-6 {
		t.Errorf("%v refused of a burst alone, want 100", got)
	}
	if got := burst(400); math.Abs(got-500) > 1e-6 {
		t.Errorf("%v refused of a burst on an even load, want 500", got)
	}
}
