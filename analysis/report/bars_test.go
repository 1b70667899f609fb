package report

import (
	"slices"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestAColumnOfBarsIsItsHighestAndNeverUnknownAsZero(t *testing.T) {
	minute := func(throttled float64, s telemetry.State) analysis.Minute {
		return analysis.Minute{Throttled: throttled, ThrottleState: s}
	}
	tests := []struct {
		name    string
		minutes []analysis.Minute
		value   float64
		look    string
	}{
		{"known", []analysis.Minute{minute(3, telemetry.Known), minute(7, telemetry.Known)}, 7, "t"},
		{"known zero", []analysis.Minute{minute(0, telemetry.Known)}, 0, "t"},
		{"unknown beside known", []analysis.Minute{minute(9, telemetry.Unknown), minute(2, telemetry.Known)}, 2, "t"},
		{"unknown", []analysis.Minute{minute(0, telemetry.Unknown)}, 0, "u"},
		{"not yet published", []analysis.Minute{minute(0, telemetry.Unknown), minute(0, telemetry.Pending)}, 0, "p"},
	}
	refused := measured(&analysis.Load{}, 60)[0]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if value, _, look := refused.column(tt.minutes); value != tt.value || look != tt.look {
				t.Errorf("%v as %q, want %v as %q", value, look, tt.value, tt.look)
			}
		})
	}
}

func TestTheTimelineIsInOrderAndTellsTheWorstMinute(t *testing.T) {
	b := newBuilder(incident(), Options{})
	var texts []string
	for _, x := range b.timeline().groups[0].items {
		texts = append(texts, x.text)
	}
	for i := 1; i < len(texts); i++ {
		if texts[i][:16] < texts[i-1][:16] {
			t.Errorf("%q comes after %q", texts[i], texts[i-1])
		}
	}
	if want := "2026-03-02 23:31 UTC event 1 at its worst: 880 refusals a minute"; !slices.Contains(texts, want) {
		t.Errorf("%q lack %q", texts, want)
	}
}
