package capture

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// TestLimitsAreThoseOfTheDocument pins what docs/inputs.md states.
func TestLimitsAreThoseOfTheDocument(t *testing.T) {
	got := fmt.Sprint(maxFileSize>>20, maxFileValues, maxDocuments, maxTotalSize>>30, maxTotalValues, maxKeys, maxKeySize>>10)
	if want := "64 4000000 10000 1 32000000 1000 16"; got != want {
		t.Errorf("limits %s, want %s", got, want)
	}
}

// large is a directory in which one file says to be of 2 GB.
type large struct {
	fs.FS
	name string
}

func (l large) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if err == nil && name == l.name {
		f = largeFile{f}
	}
	return f, err
}

type largeFile struct{ fs.File }

func (f largeFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return largeInfo{info}, err
}

type largeInfo struct{ fs.FileInfo }

func (largeInfo) Size() int64 { return 2 << 30 }

func (largeFile) Read([]byte) (int, error) { panic("a file that is too large is read") }

func TestLargeFileIsNotRead(t *testing.T) {
	batch, err := Decode(large{directory(nil), "get-metric-data.json"}, "orders")
	if err != nil {
		t.Fatal(err)
	}
	wantWarning(t, batch, telemetry.UnreadableFile, "get-metric-data.json: larger than 64 MB, not read")
}

func TestFileOfManyValuesIsNotRead(t *testing.T) {
	batch := decoded(t, map[string]string{"get-metric-data.json": `{"MetricDataResults":[` + strings.Repeat("{},", maxFileValues/2) + `{}]}`})
	wantWarning(t, batch, telemetry.UnreadableFile, "get-metric-data.json: more than 4 million values, not read")
}

func TestFilesAreReadUpToABoundInAll(t *testing.T) {
	for _, c := range []struct {
		name         string
		size, values int
		want         string
	}{
		{"bytes", maxTotalSize, 0, "with the files before it more than 1024 MB, not read"},
		{"values", 0, maxTotalValues, "with the files before it more than 32 million values, not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &reader{dir: directory(nil), size: c.size, values: c.values}
			r.contents(file{name: "describe-table.json", kind: kindTable})
			if len(r.warnings) != 1 || !strings.HasSuffix(r.warnings[0].Text, c.want) {
				t.Errorf("warnings %v", r.warnings)
			}
		})
	}
}

func TestDocumentsOfAFileAreReadUpToABound(t *testing.T) {
	batch := decoded(t, map[string]string{"describe-stream.json": strings.Repeat("{}\n", maxDocuments+1)})
	wantWarning(t, batch, telemetry.UnreadableFile, "describe-stream.json:10001: more than 10000 documents: the rest is not read")
}

func TestReportIsReadUpToABound(t *testing.T) {
	one := `{"Keys":["%s"],"Datapoints":[{"Timestamp":"2026-03-02T10:04:00Z","ApproximateValue":5.0}]}`
	contributors := []string{fmt.Sprintf(one, strings.Repeat("k", maxKeySize+1))}
	for i := range maxKeys + 2 {
		contributors = append(contributors, fmt.Sprintf(one, fmt.Sprint(i)))
	}
	batch := decoded(t, map[string]string{
		"insight-report.DynamoDBContributorInsights-PKC-orders-1.json": `{"KeyLabels":["pk"],"Contributors":[` + strings.Join(contributors, ",") + `]}`,
	})
	if n := len(batch.Rankings[0].Contributors); n != maxKeys {
		t.Errorf("%d keys", n)
	}
	wantWarning(t, batch, telemetry.PartialDataCode, "left out 3 contributors, those after the first 1000 and keys of more than 16384 bytes")
}

func wantWarning(t *testing.T, batch telemetry.Batch, code, text string) {
	t.Helper()
	for _, w := range batch.Warnings {
		if w.Code == code && strings.Contains(w.Text, text) {
			return
		}
	}
	t.Errorf("no warning %s %q in %v", code, text, batch.Warnings)
}
