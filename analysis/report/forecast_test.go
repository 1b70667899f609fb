package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func tried() (*analysis.Diagnosis, *analysis.Event, []Tried) {
	at := time.Date(2026, 3, 2, 10, 4, 0, 0, time.UTC)
	e := &analysis.Event{
		ID: "1/eu/orders//write/x", Resource: telemetry.TableID{Table: "orders\x1b[31m"}.Resource(), Direction: telemetry.Write,
		Cause: analysis.HotKey, Confidence: 0.9, Start: at, End: at.Add(time.Hour), ThrottledEvents: 45000,
	}
	told := analysis.Forecast{
		OK: true, Why: []string{"it is a model"},
		Before: analysis.Outcome{
			Throttled: analysis.Estimate{Likely: 45000, Low: 45000, High: 45000}, Hottest: &analysis.Hottest{Rate: 990},
		},
		After: analysis.Outcome{
			Throttled: analysis.Estimate{Likely: 10, Low: 0, High: 200}, Hottest: &analysis.Hottest{Rate: 500, Low: 400, High: 600},
		},
	}
	return &analysis.Diagnosis{}, e, []Tried{
		{What: "shard \x1b[2Jx over 4 keys", Forecast: told},
		{What: "pray", Forecast: analysis.Forecast{Why: []string{"it changes nothing"}}},
	}
}

func TestForecastSaysWhatIsMeasuredAndWhatModelled(t *testing.T) {
	d, e, all := tried()
	var out bytes.Buffer
	if err := Forecasts(&out, d, e, all, Options{}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"45,000 (measured)", "45,000 → 0 to 200, likely 10 (modelled)", "990 → 400 to 600, likely 500 WCU/s (modelled)",
		"no forecast: it changes nothing", "Assumed\n  · it is a model\n", "10:04 to 11:04 UTC",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.ContainsRune(text, 0x1b) {
		t.Errorf("an escape reaches the text: %q", text)
	}
}

func TestForecastAsJSONIsNullWhereThereIsNone(t *testing.T) {
	d, e, all := tried()
	var out bytes.Buffer
	if err := ForecastsJSON(&out, d, e, all, Options{}); err != nil {
		t.Fatal(err)
	}
	var got jsonForecasts
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != ForecastSchema || len(got.Forecasts) != 2 || *got.Forecasts[0].After.Throttled.High != 200 {
		t.Errorf("%s", out.Bytes())
	}
	if got.Forecasts[1].Before != nil || got.Forecasts[1].After != nil {
		t.Errorf("a forecast that there isn't has figures: %s", out.Bytes())
	}
}
