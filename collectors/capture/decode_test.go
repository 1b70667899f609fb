package capture

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var ordersID = telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}

const (
	ordersTable = `{"Table":{"TableName":"orders","TableArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/orders","TableStatus":"ACTIVE",
"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
"AttributeDefinitions":[{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}],
"ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":20},
"GlobalSecondaryIndexes":[{"IndexName":"by-status","KeySchema":[{"AttributeName":"status","KeyType":"HASH"}]}]}}`

	limits = `{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}`

	writesQuery = `[{"Id":"m1","MetricStat":{"Metric":{"Namespace":"AWS/DynamoDB","MetricName":"ConsumedWriteCapacityUnits",
"Dimensions":[{"Name":"TableName","Value":"orders"}]},"Period":60,"Stat":"Sum"},"ReturnData":true}]`

	writesAnswer = `{"MetricDataResults":[{"Id":"m1","Label":"ConsumedWriteCapacityUnits","StatusCode":"Complete",
"Timestamps":["2026-03-02T10:05:00Z","2026-03-02T10:04:00Z"],"Values":[58210.0,60000.0]}],"Messages":[]}`
)

// directory is a sound capture of one table, changed by files; a file whose text
// is "-" is taken out.
func directory(files map[string]string) fstest.MapFS {
	dir := fstest.MapFS{}
	put := func(name, content string) {
		dir[name] = &fstest.MapFile{Data: []byte(content)}
	}
	put("describe-table.json", ordersTable)
	put("describe-limits.json", limits)
	put("metric-data-queries.json", writesQuery)
	put("get-metric-data.json", writesAnswer)
	for name, content := range files {
		put(name, content)
		if content == "-" {
			delete(dir, name)
		}
	}
	return dir
}

func decoded(t *testing.T, files map[string]string) telemetry.Batch {
	t.Helper()
	batch, err := Decode(directory(files), "orders")
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	return batch
}

func at(clock string) time.Time {
	t, err := time.Parse("15:04", clock)
	if err != nil {
		panic(err)
	}
	return t.AddDate(2026, 2, 1)
}

func warnings(b telemetry.Batch) []string {
	var out []string
	for _, w := range b.Warnings {
		out = append(out, w.Code+": "+w.Text)
	}
	return out
}

func TestSoundCaptureDecodesWithoutWarning(t *testing.T) {
	got := decoded(t, nil)
	rate := func(r telemetry.Rate) *telemetry.Rate { return &r }
	want := telemetry.Batch{
		Source: telemetry.Source{Kind: telemetry.SourceCapture, Name: "orders"},
		Window: telemetry.Window{Start: at("10:04"), End: at("10:06"), Period: time.Minute},
		Tables: []telemetry.Table{{
			ID: ordersID, Status: "ACTIVE", Mode: telemetry.ModeProvisioned,
			Keys:     []telemetry.KeyAttribute{{Name: "pk", Role: "HASH", Type: "S"}, {Name: "sk", Role: "RANGE", Type: "N"}},
			Capacity: telemetry.Capacity{Provisioned: telemetry.Throughput{Read: rate(10), Write: rate(20)}},
			Indexes: []telemetry.Index{{
				Name: "by-status",
				Keys: []telemetry.KeyAttribute{{Name: "status", Role: "HASH"}},
			}},
		}},
		Quotas: []telemetry.Quotas{{
			Account: "111122223333", Region: "eu-west-1",
			PerTable:   telemetry.Throughput{Read: rate(40000), Write: rate(40000)},
			PerAccount: telemetry.Throughput{Read: rate(80000), Write: rate(80000)},
		}},
		Series: []telemetry.Series{{
			ID:     telemetry.SeriesID{Resource: ordersID.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum},
			Period: time.Minute, Status: telemetry.Complete,
			Points: []telemetry.Point{{Time: at("10:04"), Value: 60000}, {Time: at("10:05"), Value: 58210}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDecodeFailsOnlyWithoutTableAndSeries(t *testing.T) {
	lambda := strings.ReplaceAll(writesQuery, "AWS/DynamoDB", "AWS/Lambda")
	tests := map[string]struct {
		files map[string]string
		want  []string // parts of the error; none: no error
	}{
		"a table's description is enough": {map[string]string{"describe-table.json": ordersTable}, nil},
		"one series is enough":            {map[string]string{"metric-data-queries.json": writesQuery, "get-metric-data.json": writesAnswer}, nil},
		"an empty directory":              {nil, []string{"empty", "hint: hotpart capture TABLE"}},
		"no capture at all":               {map[string]string{"go.mod": "module x", "\x1b[2J.txt": ""}, []string{"only \\x1b[2J.txt, go.mod", "hint:"}},
		"a directory above":               {map[string]string{"incident/describe-table.json": ordersTable}, []string{"only incident", "hint: name the directory"}},
		"another service":                 {map[string]string{"metric-data-queries.json": lambda, "get-metric-data.json": writesAnswer}, []string{"AWS/Lambda, not of AWS/DynamoDB"}},
		"an answer without its request":   {map[string]string{"get-metric-data.json": writesAnswer}, []string{"hint: add metric-data-queries.json"}},
		"a refusal": {
			map[string]string{"describe-table.json": "An error occurred (AccessDeniedException) when calling the DescribeTable operation"},
			[]string{"holds a refusal instead of an answer", "hint:"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := fstest.MapFS{}
			for file, content := range tt.files {
				dir[file] = &fstest.MapFile{Data: []byte(content)}
			}
			_, err := Decode(dir, "incident")
			if (err != nil) != (tt.want != nil) {
				t.Fatalf("err = %v, want one: %t", err, tt.want != nil)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
}

func TestDirectoryThatCannotBeReadIsAnError(t *testing.T) {
	_, err := Decode(os.DirFS(t.TempDir()+"/none"), "none")
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), `read capture "none": no such file or directory`) {
		t.Errorf("err = %v", err)
	}
}
