package capture

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func export(t *testing.T, content string) telemetry.Batch {
	t.Helper()
	batch, err := DecodeFile(fstest.MapFS{"panel.csv": {Data: []byte(content)}}, "panel.csv")
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestExportsOfGrafanaAreUnderstood(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"series as rows", "Series;Time;Value\norders WriteThrottleEvents;2026-03-02T10:05:00.000Z;300\norders WriteThrottleEvents;2026-03-02T10:04:00.000Z;7\n", "10:04=70 10:05=3,000"},
		{"series as columns", "Time;orders ConsumedWriteCapacityUnits;orders WriteThrottleEvents\n2026-03-02T10:05:00.000Z;58210;300,5\n", "10:05=3,005"},
		{"quoted, milliseconds", "\"Time\",\"WriteThrottleEvents {TableName=\"\"orders\"\"}\"\n1772445900000,300\n1772445960000,\n", "10:05=3,000"},
		{"local time, formatted", "\"Time\",\"orders\u00a0WriteThrottleEvents_Sum\"\r\n2026-03-02 10:06:00,58.2 K\r\n", "10:06=582,000"},
		{"for Excel", "\xef\xbb\xbfsep=;\r\nTime;AWS/DynamoDB orders WriteThrottleEvents Sum\r\n2026-03-02T10:06:00Z;1\r\n", "10:06=10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := seriesOf(t, export(t, c.content), telemetry.WriteThrottleEvents)
			if s.ID.Resource.String() != "orders" || s.ID.Stat != telemetry.Sum || points(s) != c.want || s.Status != telemetry.PartialData || s.Period != time.Minute {
				t.Errorf("%+v: %s, want %s", s, points(s), c.want)
			}
		})
	}
}

func TestHeadingsTellWhatAColumnShows(t *testing.T) {
	batch := export(t, "Time,orders/by-status ReadThrottleEvents,TableName=orders ThrottledRequests Query Sum,GlobalSecondaryIndexName: g TableName: orders ConsumedReadCapacityUnits Maximum,writes\n1772445900000,1,2,3,4\n1772446200000,1,2,3,4\n")
	var got []string
	for _, s := range batch.Series {
		got = append(got, s.ID.Resource.String()+" "+string(s.ID.Metric)+" "+string(s.ID.Stat)+s.ID.Operation+" "+s.Period.String())
	}
	if text := strings.Join(got, "; "); text != "orders/by-status ReadThrottleEvents Sum 5m0s; orders ThrottledRequests SumQuery 5m0s; orders/g ConsumedReadCapacityUnits Maximum 5m0s" {
		t.Error(text)
	}
	wantWarning(t, batch, telemetry.PartialDataCode, `left out columns whose heading names no metric of DynamoDB's: "writes"`)
	wantWarning(t, batch, telemetry.PartialDataCode, "headings without a statistic, taken for Sum over the period")
	wantWarning(t, batch, telemetry.PartialDataCode, "a cell without a value is unknown")
}

func TestTroubleWithAnExportIsSaid(t *testing.T) {
	batch := export(t, "Time,WriteThrottleEvents\n2026-03-02 10:05:00,58.2 K\nlater,1\n2026-03-02 10:06:00,12 °C\n2026-03-02 10:07:00\n")
	wantWarning(t, batch, telemetry.PartialDataCode, "left out what can't be read: 2, the first in line 3")
	wantWarning(t, batch, telemetry.PartialDataCode, "values are rounded for reading")
	wantWarning(t, batch, telemetry.ClockSkew, "taken for UTC")
	wantWarning(t, batch, telemetry.PartialDataCode, "which is called TABLE here")
	wantWarning(t, decoded(t, map[string]string{"notes.csv": "a,b\n1,2\n"}), telemetry.UnreadableFile, "notes.csv: no export of Grafana's: its first line has no column Time")
	wantWarning(t, decoded(t, map[string]string{"wide.csv": "Time" + strings.Repeat(",x", maxColumns) + "\n"}), telemetry.UnreadableFile, "wide.csv: more than 1000 columns, not read")
}

func TestExportWithoutMetricsIsAnError(t *testing.T) {
	_, err := DecodeFile(fstest.MapFS{"panel.csv": {Data: []byte("Time,writes\n1772445900000,1\n")}}, "panel.csv")
	if err == nil || !strings.Contains(err.Error(), `left out columns whose heading names no metric of DynamoDB's: "writes"`) {
		t.Errorf("error %v", err)
	}
}
