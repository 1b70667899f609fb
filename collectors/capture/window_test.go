package capture

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestWindowIsTheCapturesOrThatOfConsumption(t *testing.T) {
	throttles := "[" + ask("m1", "WriteThrottleEvents", "Sum", "60", "TableName=orders") + "]"
	tests := map[string]struct {
		files      map[string]string
		start, end string // "" for none
	}{
		"from consumption":    {nil, "10:04", "10:06"},
		"from capture.json":   {map[string]string{"capture.json": `{"start":"2026-03-02T10:00:00Z","end":"2026-03-02T11:00:00+00:00"}`}, "10:00", "11:00"},
		"only a start told":   {map[string]string{"capture.json": `{"start":"2026-03-02T10:00:00Z"}`}, "10:00", "10:06"},
		"only an end told":    {map[string]string{"capture.json": `{"end":"2026-03-02T11:00:00Z"}`}, "10:04", "11:00"},
		"an end before start": {map[string]string{"capture.json": `{"start":"2026-03-02T10:00:00Z","end":"2026-03-02T09:00:00Z"}`}, "10:00", "10:06"},
		"without consumption, from any series": {
			map[string]string{"metric-data-queries.json": throttles, "get-metric-data.json": page("Complete", "", "10:07")}, "10:07", "10:08",
		},
		"consumption before all else": {
			map[string]string{"metric-data-queries.2.json": throttles, "get-metric-data.2.json": page("Complete", "", "10:59")}, "10:04", "10:06",
		},
		"without series, from keys": {
			map[string]string{"get-metric-data.json": "-", "insight-report.DynamoDBContributorInsights-PKC-orders-7.json": report(`"pk"`, `["a"]`)}, "10:04", "10:05",
		},
		"nothing with a time": {map[string]string{"get-metric-data.json": "-"}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, tt.files).Window
			want := telemetry.Window{Period: time.Minute}
			if tt.start != "" {
				want.Start, want.End = at(tt.start), at(tt.end)
			}
			if got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestFetchTimeIsTheCapturesOrUnknown(t *testing.T) {
	if got := decoded(t, nil); !got.FetchedAt.IsZero() || !got.Tables[0].At.IsZero() {
		t.Errorf("fetched %s, described %s without capture.json", got.FetchedAt, got.Tables[0].At)
	}
	got := decoded(t, map[string]string{"capture.json": `{"fetched_at":"2026-03-02T11:00:00Z"}`})
	if !got.FetchedAt.Equal(at("11:00")) || !got.Tables[0].At.Equal(at("11:00")) {
		t.Errorf("fetched %s, described %s", got.FetchedAt, got.Tables[0].At)
	}
}

func TestOneWrongTimeMakesNoWindowOfYears(t *testing.T) {
	got := decoded(t, map[string]string{"get-metric-data.json": answerOf(`"2009-03-02T10:04:00Z","2026-03-02T10:04:00Z"`, "1,2")})
	if w := got.Window; w.End.Sub(w.Start) > 31*24*time.Hour || !w.End.Equal(at("10:05")) {
		t.Errorf("window %v", w)
	}
	wantWarnings(t, got, "partial_data: the times span from 2009-03-02 to 2026-03-02: only what lies in the last 31 days is used")
}

func TestTimesWithoutAZoneAreTakenForUTC(t *testing.T) {
	got := decoded(t, map[string]string{"get-metric-data.json": answerOf(`"2026-03-02 10:05:00","2026-03-02T10:04"`, "1,2")})
	if s := got.Series[0]; len(s.Points) != 2 || !s.Points[0].Time.Equal(at("10:04")) {
		t.Errorf("points %v", s.Points)
	}
	wantWarnings(t, got, "clock_skew: get-metric-data.json: times without a zone, taken for UTC")
}
