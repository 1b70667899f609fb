package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestEvidenceIsOrderedByWeightAndNamedInWords(t *testing.T) {
	e := &Event{Evidence: []Evidence{
		{Supports: true, Text: "says nothing"},
		{Supports: true, Text: "weak", Weight: 0.5},
		{Supports: false, Text: "against", Weight: -1.5},
		{Supports: true, Text: "strong", Weight: math.Log(10)},
		{Supports: true, Text: "moderate", Weight: math.Log(3.1)},
	}}
	var got []string
	for _, v := range e.Weightiest(true) {
		got = append(got, v.Text+"="+v.Strength())
	}
	if want := []string{"strong=strong", "moderate=moderate", "weak=weak", "says nothing="}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	against := e.Weightiest(false)
	if len(against) != 1 || against[0].Strength() != "moderate" {
		t.Errorf("against it stands %+v", against)
	}
}

func TestEveryVerdictSaysWhatWouldChangeIt(t *testing.T) {
	for _, cause := range Causes {
		e := &Event{Cause: cause, Limit: telemetry.KeyRangeLimit, Direction: telemetry.Write}
		certain := e.Overturn()
		if len(certain) == 0 {
			t.Errorf("%s: nothing would change it", cause)
		}
		for _, s := range certain {
			if _, then, _ := strings.Cut(s, ": then "); then == "" || strings.Contains(then, telemetry.Words(cause)) {
				t.Errorf("%s: %q names no other verdict", cause, s)
			}
		}
		e.LimitInferred = true
		if n := len(e.Overturn()); n != len(certain)+1 {
			t.Errorf("%s: an inferred limit adds %d ways, want 1", cause, n-len(certain))
		}
	}
}
