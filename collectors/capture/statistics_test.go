package capture

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const throttleStatistics = `{"Datapoints":[{"Timestamp":"2026-03-02T10:05:00Z","Sum":240.0,"Unit":"Count"},
{"Timestamp":"2026-03-02T10:03:00+00:00","Sum":12.5,"Unit":"Count"},],"Label":"WriteThrottleEvents"}`

func seriesOf(t *testing.T, b telemetry.Batch, m telemetry.Metric) telemetry.Series {
	t.Helper()
	for _, s := range b.Series {
		if s.ID.Metric == m {
			return s
		}
	}
	t.Fatalf("no series of %s in %v", m, b.Series)
	return telemetry.Series{}
}

func points(s telemetry.Series) string {
	var out []string
	for _, p := range s.Points {
		out = append(out, p.Time.Format("15:04")+"="+telemetry.Thousands(p.Value*10))
	}
	return strings.Join(out, " ")
}

func TestStatisticsJoinTheCapture(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"of the only table", "get-metric-statistics.json", "orders"},
		{"of a table by name", "get-metric-statistics.orders.WriteThrottleEvents.json", "orders"},
		{"of an index by name", "get-metric-statistics.orders.by-status.2.json", "orders/by-status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := seriesOf(t, decoded(t, map[string]string{c.file: throttleStatistics}), telemetry.WriteThrottleEvents)
			if s.ID.Resource.String() != c.want || s.ID.Resource.Account != "111122223333" || points(s) != "10:03=125 10:05=2,400" || s.Status != telemetry.Complete {
				t.Errorf("%+v, want %s", s, c.want)
			}
		})
	}
}

func TestStatisticsAloneNameTheirTableByTheFile(t *testing.T) {
	consumed := `{"Label":"ConsumedWriteCapacityUnits","Datapoints":[{"Timestamp":"2026-03-02T10:05:00Z","Sum":60000,"Maximum":4},{"Timestamp":"2026-03-02T10:04:00Z","Sum":58000,"Maximum":2}]}`
	batch, err := Decode(fstest.MapFS{
		"get-metric-statistics.my.table.ConsumedWriteCapacityUnits.Sum.json": {Data: []byte(consumed)},
		"get-metric-statistics.my.table.WriteThrottleEvents.json":            {Data: []byte(throttleStatistics)},
	}, "stats")
	if err != nil {
		t.Fatal(err)
	}
	s := seriesOf(t, batch, telemetry.WriteThrottleEvents)
	if s.ID.Resource.String() != "my.table" || s.Period != time.Minute || len(batch.Series) != 3 {
		t.Errorf("%+v", batch.Series)
	}
	for _, w := range batch.Warnings {
		if strings.Contains(w.Text, "metric") && w.Code == telemetry.MissingFile {
			t.Errorf("warning %s", w.Text)
		}
	}
}

func TestStatisticsMayBePercentilesOfAnOperation(t *testing.T) {
	batch := decoded(t, map[string]string{"get-metric-statistics.orders.PutItem.json": `{"Label":"SuccessfulRequestLatency","Datapoints":[{"Timestamp":"2026-03-02T10:05:00Z","ExtendedStatistics":{"p99":21.5}}]}`})
	if s := seriesOf(t, batch, telemetry.SuccessfulRequestLatency); s.ID.Stat != telemetry.P99 || s.ID.Operation != "PutItem" || len(s.Points) != 1 || s.Points[0].Value != 21.5 {
		t.Errorf("%+v", s)
	}
}

func TestStatisticsYieldToGetMetricData(t *testing.T) {
	batch := decoded(t, map[string]string{"get-metric-statistics.json": `{"Label":"ConsumedWriteCapacityUnits","Datapoints":[{"Timestamp":"2026-03-02T10:05:00Z","Sum":1}]}`})
	if got := points(seriesOf(t, batch, telemetry.ConsumedWriteCapacityUnits)); len(batch.Series) != 1 || got != "10:04=600,000 10:05=582,100" {
		t.Errorf("%s of %d series", got, len(batch.Series))
	}
}

func TestOneFileIsReadByItself(t *testing.T) {
	dir := fstest.MapFS{
		"x.json":                      {Data: []byte(throttleStatistics)},
		"describe-table.json":         {Data: []byte(ordersTable)},
		"Orders writes-data-2026.csv": {Data: []byte("Time,orders WriteThrottleEvents Sum\n1772445900000,7\n")},
	}
	batch, err := DecodeFile(dir, "x.json")
	if err != nil || len(batch.Tables) != 0 || batch.Source.Name != "x.json" {
		t.Fatalf("%+v, %v", batch, err)
	}
	if s := seriesOf(t, batch, telemetry.WriteThrottleEvents); s.ID.Resource.Table != Unnamed {
		t.Errorf("%+v", s)
	}
	wantWarning(t, batch, telemetry.PartialDataCode, "x.json: doesn't say of which table it is, which is called TABLE here; name the file get-metric-statistics.TABLE.json")
	batch, err = DecodeFile(dir, "Orders writes-data-2026.csv")
	if err != nil || seriesOf(t, batch, telemetry.WriteThrottleEvents).ID.Resource.Table != "orders" {
		t.Errorf("%+v, %v", batch, err)
	}
}

func TestStatisticsThatAreNoTotalsAreNamed(t *testing.T) {
	batch := decoded(t, map[string]string{"get-metric-statistics.json": `{"Label":"WriteThrottleEvents","Datapoints":[{"Timestamp":"2026-03-02T10:05:00","Average":1},{"Average":1}]}`})
	wantWarning(t, batch, telemetry.PartialDataCode, "has no Sum of WriteThrottleEvents")
	wantWarning(t, batch, telemetry.PartialDataCode, "left out points whose time can't be read")
	wantWarning(t, batch, telemetry.ClockSkew, "times without a zone, taken for UTC")
}
