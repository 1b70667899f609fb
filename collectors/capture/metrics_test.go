package capture

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// answerOf is an answer to writesQuery with these times and values.
func answerOf(times, values string) string {
	return `{"MetricDataResults":[{"Id":"m1","StatusCode":"Complete","Timestamps":[` + times + `],"Values":[` + values + `]}]}`
}

func TestTimesAndValuesAreReadInEveryForm(t *testing.T) {
	sound := []telemetry.Point{{Time: at("10:04"), Value: 60000}, {Time: at("10:05"), Value: 0.5}}
	tests := map[string]struct{ times, values string }{
		"Z, newest first":            {`"2026-03-02T10:05:00Z","2026-03-02T10:04:00Z"`, `0.5,60000`},
		"Z, oldest first":            {`"2026-03-02T10:04:00Z","2026-03-02T10:05:00Z"`, `60000,0.5`},
		"offset with a colon":        {`"2026-03-02T10:05:00+00:00","2026-03-02T03:04:00-07:00"`, `0.5,60000`},
		"offset without a colon":     {`"2026-03-02T10:05:00+0000","2026-03-02T14:04:00+0400"`, `0.5,60000`},
		"offset of hours":            {`"2026-03-02T10:05:00+00","2026-03-02T14:04:00+04"`, `0.5,60000`},
		"offset, escaped":            {`"2026-03-02T10:05:00\u002b00:00","2026-03-02T14:04:00\u002b04:00"`, `0.5,60000`},
		"a blank for T":              {`"2026-03-02 10:05:00+00:00","2026-03-02 10:04:00 +0000"`, `0.5,60000`},
		"the word UTC":               {`"2026-03-02 10:05:00 UTC","2026-03-02T10:04:00UTC"`, `0.5,60000`},
		"milliseconds, microseconds": {`"2026-03-02T10:05:00.000Z","2026-03-02T10:04:00.000000+00:00"`, `0.5,60000`},
		"without seconds":            {`"2026-03-02T10:05Z","2026-03-02T10:04+00:00"`, `0.5,60000`},
		"epoch seconds":              {`1772445900,1772445840.0`, `0.5,60000`},
		"epoch milliseconds":         {`1772445900000,1772445840000`, `0.5,60000`},
		"numbers as strings":         {`"1772445900","1772445840000"`, `"0.5","60000"`},
		"exponents":                  {`1.7724459e9,1.77244584E+12`, `5e-1,6E4`},
		"a point twice":              {`"2026-03-02T10:05:00Z","2026-03-02T10:04:00Z","2026-03-02T10:05:00Z"`, `7,60000,0.5`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"get-metric-data.json": answerOf(tt.times, tt.values)})
			if diff := cmp.Diff(sound, got.Series[0].Points); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(got.Warnings) > 0 || got.Series[0].Status != telemetry.Complete {
				t.Errorf("status %s, warnings %q, want none", got.Series[0].Status, warnings(got))
			}
		})
	}
}

func TestUnreadablePointsMakeASeriesPartial(t *testing.T) {
	kept := []telemetry.Point{{Time: at("10:04"), Value: 1}}
	tests := map[string]struct{ times, values string }{
		"no time":          {`"2026-03-02T10:04:00Z",null`, `1,2`},
		"no such time":     {`"2026-03-02T10:04:00Z","yesterday"`, `1,2`},
		"the epoch":        {`"2026-03-02T10:04:00Z","1970-01-01T00:00:00-08:00"`, `1,2`},
		"beyond all years": {`"2026-03-02T10:04:00Z",1e300`, `1,2`},
		"no value":         {`"2026-03-02T10:04:00Z","2026-03-02T10:05:00Z"`, `1,null`},
		"not a number":     {`"2026-03-02T10:04:00Z","2026-03-02T10:05:00Z"`, `1,"NaN"`},
		"fewer values":     {`"2026-03-02T10:04:00Z","2026-03-02T10:05:00Z"`, `1`},
		"fewer times":      {`"2026-03-02T10:04:00Z"`, `1,2`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"get-metric-data.json": answerOf(tt.times, tt.values)})
			if diff := cmp.Diff(kept, got.Series[0].Points); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			wantWarnings(t, got, "partial_data: orders: ConsumedWriteCapacityUnits Sum: partly unreadable")
			if got.Series[0].Status != telemetry.PartialData {
				t.Errorf("status %s", got.Series[0].Status)
			}
		})
	}
}

// wantWarnings compares the warnings with want, each of which is a part of one.
func wantWarnings(t *testing.T, b telemetry.Batch, want ...string) {
	t.Helper()
	got := warnings(b)
	matches := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		matches = matches && strings.Contains(got[i], want[i])
	}
	if !matches {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// page is one result for m1: minute 10:04 or later with the value 1.
func page(status, rest string, minutes ...string) string {
	var times, values []string
	for _, m := range minutes {
		times, values = append(times, `"2026-03-02T`+m+`:00Z"`), append(values, "1")
	}
	return `{"MetricDataResults":[{"Id":"m1","StatusCode":"` + status + `","Timestamps":[` + strings.Join(times, ",") +
		`],"Values":[` + strings.Join(values, ",") + `]}]` + rest + `}`
}

func TestPagesAreJoined(t *testing.T) {
	const more = `,"NextToken":"page-2"`
	tests := map[string]struct {
		files    map[string]string
		want     telemetry.Status
		points   int
		warnings []string
	}{
		"documents one after the other": {
			map[string]string{"get-metric-data.json": page("PartialData", more, "10:05") + "\n" + page("Complete", "", "10:04")},
			telemetry.Complete, 2, nil,
		},
		"a list of documents": {
			map[string]string{"get-metric-data.json": "[" + page("PartialData", more, "10:05") + "," + page("Complete", "", "10:04") + "]"},
			telemetry.Complete, 2, nil,
		},
		"a file a page": {
			map[string]string{
				"get-metric-data.json": "-", "get-metric-data.page9.json": page("PartialData", more, "10:05"),
				"get-metric-data.page10.json": page("Complete", "", "10:04"),
			},
			telemetry.Complete, 2, nil,
		},
		"the same page twice": {
			map[string]string{"get-metric-data.json": page("Complete", "", "10:05") + page("Complete", "", "10:05")},
			telemetry.Complete, 1, nil,
		},
		"partial on the last page": {
			map[string]string{"get-metric-data.json": page("PartialData", "", "10:05")},
			telemetry.PartialData, 1,
			[]string{"partial_data: orders: ConsumedWriteCapacityUnits Sum: answered in part"},
		},
		"the last page missing": {
			map[string]string{"get-metric-data.json": page("PartialData", more, "10:05")},
			telemetry.PartialData, 1,
			[]string{"get-metric-data.json:1: ends with a NextToken", "answered in part"},
		},
		"an internal error with values": {
			map[string]string{"get-metric-data.json": page("InternalError", "", "10:05")},
			telemetry.InternalError, 0,
			[]string{"internal_error: orders: ConsumedWriteCapacityUnits Sum: failed in CloudWatch"},
		},
		"an internal error on one page": {
			map[string]string{"get-metric-data.json": page("InternalError", more, "10:05") + page("Complete", "", "10:04")},
			telemetry.PartialData, 1,
			[]string{"internal_error: "},
		},
		"forbidden": {
			map[string]string{"get-metric-data.json": page("Forbidden", "")},
			telemetry.Forbidden, 0,
			[]string{"denied: orders: ConsumedWriteCapacityUnits Sum"},
		},
		"no status": {
			map[string]string{"get-metric-data.json": page("", "", "10:05")},
			telemetry.Complete, 1, nil,
		},
		"a message": {
			map[string]string{"get-metric-data.json": page("Complete", `,"Messages":[{"Code":"PartialData","Value":"Some data unavailable"}]`, "10:05")},
			telemetry.Complete, 1,
			[]string{"partial_data: get-metric-data.json:1: CloudWatch says PartialData: Some data unavailable"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, tt.files)
			wantWarnings(t, got, tt.warnings...)
			if s := got.Series[0]; s.Status != tt.want || len(s.Points) != tt.points {
				t.Errorf("%s with %d points, want %s with %d", s.Status, len(s.Points), tt.want, tt.points)
			}
		})
	}
}

// ask is a query with these dimensions, as name=value.
func ask(id, metric, stat string, period string, dimensions ...string) string {
	var list []string
	for _, d := range dimensions {
		name, value, _ := strings.Cut(d, "=")
		list = append(list, `{"Name":"`+name+`","Value":"`+value+`"}`)
	}
	return `{"Id":"` + id + `","MetricStat":{"Metric":{"Namespace":"AWS/DynamoDB","MetricName":"` + metric +
		`","Dimensions":[` + strings.Join(list, ",") + `]},"Period":` + period + `,"Stat":"` + stat + `"}}`
}

func TestSeriesAreToldByTheirQueries(t *testing.T) {
	home := telemetry.TableID{Account: "111122223333", Region: "eu-west-1"}
	tests := map[string]struct {
		query    string
		want     telemetry.SeriesID // zero: left out
		warnings []string
	}{
		"of an index": {
			ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=orders", "GlobalSecondaryIndexName=by-status"),
			telemetry.SeriesID{Resource: ordersID.WithIndex("by-status"), Metric: telemetry.ReadThrottleEvents, Stat: telemetry.Sum},
			nil,
		},
		"of an operation, statistic in another case": {
			ask("m1", "SuccessfulRequestLatency", "samplecount", "60", "Operation=PutItem", "TableName=orders"),
			telemetry.SeriesID{Resource: ordersID.Resource(), Metric: telemetry.SuccessfulRequestLatency, Stat: telemetry.SampleCount, Operation: "PutItem"},
			nil,
		},
		"of replicated writes": {
			ask("m1", "ConsumedWriteCapacityUnits", "Sum", "60", "TableName=orders", "Source=GlobalTable"),
			telemetry.SeriesID{Resource: ordersID.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum, Traffic: "GlobalTable"},
			nil,
		},
		"of the account": {
			ask("m1", "AccountMaxTableLevelWrites", "Maximum", "300"),
			telemetry.SeriesID{Resource: home.Resource(), Metric: telemetry.AccountMaxTableLevelWrites, Stat: telemetry.Maximum},
			nil,
		},
		"by the table's ARN": {
			ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=arn:aws:dynamodb:eu-west-1:111122223333:table/orders"),
			telemetry.SeriesID{Resource: ordersID.Resource(), Metric: telemetry.ReadThrottleEvents, Stat: telemetry.Sum},
			nil,
		},
		"within the whole request": {
			`{"StartTime":"x","MetricDataQueries":[` + ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=orders") + `]}`,
			telemetry.SeriesID{Resource: ordersID.Resource(), Metric: telemetry.ReadThrottleEvents, Stat: telemetry.Sum},
			nil,
		},
		"a metric nobody reads":       {ask("m1", "ConsumedStorageUnits", "Sum", "60", "TableName=orders"), telemetry.SeriesID{}, nil},
		"a percentile of no use":      {ask("m1", "SuccessfulRequestLatency", "p50", "60", "TableName=orders"), telemetry.SeriesID{}, nil},
		"a dimension more":            {ask("m1", "ReplicationLatency", "Average", "60", "TableName=orders", "ReceivingRegion=x"), telemetry.SeriesID{}, nil},
		"no table, no account metric": {ask("m1", "ReadThrottleEvents", "Sum", "60"), telemetry.SeriesID{}, nil},
		"an expression":               {`{"Id":"m1","Expression":"m2/60"}`, telemetry.SeriesID{}, nil},
		"an input of an expression": {
			strings.TrimSuffix(ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=orders"), "}") + `,"ReturnData":false}`, telemetry.SeriesID{}, nil,
		},
		"a wrong dimension": {
			ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=orders", "GlobalSecondaryIndex=by-status"),
			telemetry.SeriesID{},
			[]string{`partial_data: metric-data-queries: DynamoDB's metrics have no dimension "GlobalSecondaryIndex"`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"metric-data-queries.json": "[" + tt.query + "]", "get-metric-data.json": page("Complete", "", "10:04")})
			wantWarnings(t, got, tt.warnings...)
			var id telemetry.SeriesID
			if len(got.Series) > 0 {
				id = got.Series[0].ID
			}
			if diff := cmp.Diff(tt.want, id); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnswersFindTheirQueries(t *testing.T) {
	reads := ask("m1", "ReadThrottleEvents", "Sum", "60", "TableName=orders")
	writes := ask("m2", "WriteThrottleEvents", "Sum", "60", "TableName=orders")
	index := ask("m3", "WriteThrottleEvents", "Sum", "60", "TableName=orders", "GlobalSecondaryIndexName=by-status")
	result := func(id, label string, value string) string {
		return `{"Id":"` + id + `","Label":"` + label + `","StatusCode":"Complete","Timestamps":["2026-03-02T10:04:00Z"],"Values":[` + value + `]}`
	}
	answer := func(results ...string) string { return `{"MetricDataResults":[` + strings.Join(results, ",") + `]}` }
	tests := map[string]struct {
		files    map[string]string
		want     map[string]float64 // value by series
		warnings []string
	}{
		"by Id, in any order": {
			map[string]string{"metric-data-queries.json": "[" + reads + "," + writes + "]", "get-metric-data.json": answer(result("m2", "", "2"), result("m1", "", "1"))},
			map[string]float64{"orders ReadThrottleEvents": 1, "orders WriteThrottleEvents": 2},
			nil,
		},
		"the same Id in another pair of files": {
			map[string]string{
				"metric-data-queries.json": "[" + reads + "]", "get-metric-data.json": answer(result("m1", "", "1")),
				"metric-data-queries.2.json": "[" + strings.Replace(writes, "m2", "m1", 1) + "]", "get-metric-data.2.json": answer(result("m1", "", "2")),
			},
			map[string]float64{"orders ReadThrottleEvents": 1, "orders WriteThrottleEvents": 2},
			nil,
		},
		"results of expressions are no one's": {
			map[string]string{"metric-data-queries.json": "[" + reads + `,{"Id":"e1","Expression":"m1/60"}]`, "get-metric-data.json": answer(result("m1", "", "1"), result("e1", "", "9"))},
			map[string]float64{"orders ReadThrottleEvents": 1},
			nil,
		},
		"an Id nobody asked for": {
			map[string]string{"metric-data-queries.json": "[" + reads + "]", "get-metric-data.json": answer(result("m1", "", "1"), result("m7", "", "9"))},
			map[string]float64{"orders ReadThrottleEvents": 1},
			[]string{"partial_data: get-metric-data.json:1: left out results whose Id no query has, or several have: 1"},
		},
		"no Ids: by order": {
			map[string]string{"metric-data-queries.json": "[" + writes + "," + index + "]", "get-metric-data.json": answer(result("", "WriteThrottleEvents", "1"), result("", "WriteThrottleEvents", "2"))},
			map[string]float64{"orders WriteThrottleEvents": 1, "orders/by-status WriteThrottleEvents": 2},
			nil,
		},
		"no Ids, labels against the order: by label": {
			map[string]string{"metric-data-queries.json": "[" + reads + "," + writes + "]", "get-metric-data.json": answer(result("", "WriteThrottleEvents", "2"), result("", "ReadThrottleEvents", "1"))},
			map[string]float64{"orders ReadThrottleEvents": 1, "orders WriteThrottleEvents": 2},
			[]string{"results without an Id, used only where the Label names one query: 2"},
		},
		"no Ids, a label of two queries": {
			map[string]string{"metric-data-queries.json": "[" + writes + "," + index + "]", "get-metric-data.json": answer(result("", "WriteThrottleEvents", "2"))},
			map[string]float64{},
			[]string{"results without an Id", "orders: WriteThrottleEvents Sum: not in the answer", "orders/by-status: WriteThrottleEvents Sum: not in the answer"},
		},
		"asked for, not answered": {
			map[string]string{"metric-data-queries.json": "[" + reads + "," + writes + "]", "get-metric-data.json": answer(result("m1", "", "1"))},
			map[string]float64{"orders ReadThrottleEvents": 1},
			[]string{"partial_data: orders: WriteThrottleEvents Sum: not in the answer"},
		},
		"an answer not saved": {
			map[string]string{"metric-data-queries.2.json": "[" + reads + "]", "metric-data-queries.json": "[" + writes + "]", "get-metric-data.json": answer(result("m2", "", "2"))},
			map[string]float64{"orders WriteThrottleEvents": 2},
			[]string{"missing_file: get-metric-data.2.json: no such file: unanswered queries: 1"},
		},
		"asked twice": {
			map[string]string{
				"metric-data-queries.json": "[" + reads + "]", "get-metric-data.json": answer(result("m1", "", "1")),
				"metric-data-queries.later.json": "[" + reads + "]", "get-metric-data.later.json": answer(result("m1", "", "3")),
			},
			map[string]float64{"orders ReadThrottleEvents": 3},
			nil,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, tt.files)
			values := map[string]float64{}
			for _, s := range got.Series {
				values[s.ID.Resource.String()+" "+string(s.ID.Metric)] = s.Points[0].Value
			}
			if diff := cmp.Diff(tt.want, values); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			wantWarnings(t, got, tt.warnings...)
		})
	}
}

func TestAnsweredWithoutPointsIsNotTheSameAsNotAnswered(t *testing.T) {
	got := decoded(t, map[string]string{"get-metric-data.json": page("Complete", "")})
	if len(got.Series) != 1 || len(got.Series[0].Points) != 0 {
		t.Errorf("answered without points: %d series", len(got.Series))
	}
	got = decoded(t, map[string]string{"get-metric-data.json": `{"MetricDataResults":[]}`})
	if len(got.Series) != 0 {
		t.Errorf("not answered: %d series", len(got.Series))
	}
}

func TestPeriodIsTheRequestsOrTheSmallestGap(t *testing.T) {
	dimension := "TableName=orders"
	tests := map[string]struct {
		period  string
		minutes []string
		want    time.Duration
		coarse  bool
	}{
		"a minute":                    {"60", []string{"10:00", "10:05"}, time.Minute, false},
		"five minutes":                {"300", []string{"10:00", "10:05"}, 5 * time.Minute, true},
		"an hour, as a string":        {`"3600"`, []string{"10:00"}, time.Hour, true},
		"not told, by gap":            {"null", []string{"10:15", "10:00", "10:05"}, 5 * time.Minute, true},
		"not told, too few points":    {"null", []string{"10:00"}, time.Minute, false},
		"nonsense, taken as not told": {"-1e300", []string{"10:00", "10:01"}, time.Minute, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{
				"metric-data-queries.json": "[" + ask("m1", "ConsumedReadCapacityUnits", "Sum", tt.period, dimension) + "]",
				"get-metric-data.json":     page("Complete", "", tt.minutes...),
			})
			if got.Series[0].Period != tt.want || got.Window.Period != tt.want {
				t.Errorf("series %s, window %s, want %s", got.Series[0].Period, got.Window.Period, tt.want)
			}
			if tt.coarse {
				wantWarnings(t, got, "coarse_period: orders: consumed capacity was saved every")
			} else {
				wantWarnings(t, got)
			}
		})
	}
}
