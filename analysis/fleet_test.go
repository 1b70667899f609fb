package analysis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Tables of a fleet that refuse nothing share what is laid out of them; each is
// diagnosed as if it were alone.
func TestATableOfAFleetIsDiagnosedAsIfAlone(t *testing.T) {
	fleet := benchFleet(80, 5)
	fleet.FetchedAt = fleet.Window.End.Add(20 * time.Second)
	capacity := telemetry.Rate(50)
	fleet.Tables[2].Mode = telemetry.ModeProvisioned
	fleet.Tables[2].Capacity.Provisioned = telemetry.Throughput{Read: &capacity, Write: &capacity}
	for i, s := range fleet.Series {
		switch {
		case s.ID.Resource.Table == "quiet-001" && s.ID.Metric == telemetry.WriteThrottleEvents:
			fleet.Series[i].Points = []telemetry.Point{{Time: fleet.Window.Start.Add(time.Hour), Value: 7}}
		case s.ID.Resource.Table == "quiet-003":
			fleet.Series[i].Status = telemetry.PartialData
		}
	}
	for _, together := range New().Observe(fleet).Tables[1:] {
		alone := telemetry.Batch{Window: fleet.Window, FetchedAt: fleet.FetchedAt}
		for _, described := range fleet.Tables {
			if described.ID == together.ID {
				alone.Tables = append(alone.Tables, described)
			}
		}
		for _, s := range fleet.Series {
			if s.ID.Resource.TableID == together.ID {
				alone.Series = append(alone.Series, s)
			}
		}
		if diff := cmp.Diff(New().Observe(alone).Tables[0], together, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s (-alone +in the fleet):\n%s", together.ID.Table, diff)
		}
		if got := together.Resources[0].Write.Throttled; (got == 7) != (together.ID.Table == "quiet-001") {
			t.Errorf("%s refused %v", together.ID.Table, got)
		}
	}
}

func TestAWarningLastsAsLongAsPollsRepeatIt(t *testing.T) {
	at := caseStart
	poll := func(codes ...string) telemetry.Batch {
		at = at.Add(time.Minute)
		b := telemetry.Batch{Window: telemetry.Window{Start: at.Add(-time.Minute), End: at, Period: time.Minute}, FetchedAt: at}
		for _, code := range codes {
			b.Warnings = append(b.Warnings, telemetry.Warning{Code: code, Text: code})
		}
		return b
	}
	same := poll(telemetry.InsightsDisabled)
	rest := telemetry.Batch{Window: same.Window, FetchedAt: same.FetchedAt}
	a := New()
	for _, step := range []struct {
		name  string
		batch telemetry.Batch
		want  []string
	}{
		{"said", same, []string{telemetry.InsightsDisabled}},
		{"a later minute of the same poll", rest, []string{telemetry.InsightsDisabled}},
		{"said again, and another", poll(telemetry.Denied, telemetry.InsightsDisabled), []string{telemetry.Denied, telemetry.InsightsDisabled}},
		{"no longer said", poll(telemetry.Denied), []string{telemetry.Denied}},
		{"a recording is damaged", poll(telemetry.DamagedRecording), []string{telemetry.DamagedRecording}},
		{"it stays so", poll(), []string{telemetry.DamagedRecording}},
	} {
		var got []string
		for _, w := range a.Observe(step.batch).Warnings {
			got = append(got, w.Code)
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
