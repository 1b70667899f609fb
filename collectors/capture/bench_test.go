package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkDecodeDay decodes a day of one table as the AWS CLI prints it: 40
// series and four rankings of 25 keys, a point a minute.
func BenchmarkDecodeDay(b *testing.B) {
	const minutes = 24 * 60
	clock := func(i int) string {
		return `"` + at("00:00").Add(time.Duration(i)*time.Minute).Format("2006-01-02T15:04:05+00:00") + `"`
	}
	var times, values, datapoints strings.Builder
	for i := range minutes {
		comma := ","
		if i == minutes-1 {
			comma = ""
		}
		fmt.Fprintf(&times, "                %s%s\n", clock(minutes-1-i), comma)
		fmt.Fprintf(&values, "                %d.0%s\n", 50000+i, comma)
		fmt.Fprintf(&datapoints, "                {\n                    \"Timestamp\": %s,\n                    \"ApproximateValue\": %d.0\n                }%s\n", clock(i), i, comma)
	}
	var queries, results, contributors []string
	for i := range 40 {
		id := fmt.Sprintf("m%d", i)
		queries = append(queries, ask(id, "ConsumedWriteCapacityUnits", "Sum", "60", "TableName=orders", fmt.Sprintf("Operation=%d", i)))
		results = append(results, `{"Id":"`+id+`","StatusCode":"Complete","Timestamps":[`+times.String()+`],"Values":[`+values.String()+`]}`)
	}
	for i := range 25 {
		contributors = append(contributors, fmt.Sprintf(`{"Keys":["k%d"],"ApproximateAggregateValue":1.0,"Datapoints":[%s]}`, i, datapoints.String()))
	}
	files := map[string]string{
		"metric-data-queries.json": "[" + strings.Join(queries, ",") + "]",
		"get-metric-data.json":     `{"MetricDataResults":[` + strings.Join(results, ",") + `]}`,
	}
	for _, kind := range []string{"PKC", "SKC", "PKT", "SKT"} {
		files["insight-report."+rulePrefix+kind+"-orders-1.json"] = `{"KeyLabels":["pk"],"Contributors":[` + strings.Join(contributors, ",") + `]}`
	}
	dir := directory(files)
	size := 0
	for _, f := range dir {
		size += len(f.Data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if batch, err := Decode(dir, "orders"); err != nil || len(batch.Series) != 40 || len(batch.Rankings) != 4 {
			b.Fatalf("%d series, %d rankings, %v", len(batch.Series), len(batch.Rankings), err)
		}
	}
}
