package report

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

var update = flag.Bool("update", false, "write the golden files")

type format func(io.Writer, *analysis.Diagnosis, Options) error

var formats = map[string]format{"txt": Text, "json": JSON, "md": Markdown, "html": HTML}

func render(t *testing.T, f format, d *analysis.Diagnosis, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := f(&out, d, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestGoldenReports(t *testing.T) {
	healthy := &analysis.Diagnosis{
		Source: telemetry.Source{Kind: telemetry.SourceLive, Name: "orders"},
		Window: telemetry.Window{Start: at(0), End: at(12), Period: time.Minute},
	}
	for ending, f := range formats {
		t.Run(ending, func(t *testing.T) {
			golden(t, "incident."+ending, render(t, f, incident(), Options{}))
			golden(t, "masked."+ending, render(t, f, incident(), Options{Mask: true}))
			golden(t, "nothing."+ending, render(t, f, healthy, Options{}))
		})
	}
}

func TestSameDiagnosisGivesSameBytes(t *testing.T) {
	for ending, f := range formats {
		first, second := render(t, f, incident(), Options{Mask: true}), render(t, f, incident(), Options{Mask: true})
		if first != second {
			t.Errorf("%s differs from run to run", ending)
		}
	}
}

func TestEmptyDiagnosisIsReportedInEveryFormat(t *testing.T) {
	for ending, f := range formats {
		if !strings.Contains(render(t, f, &analysis.Diagnosis{}, Options{Mask: true}), "NO EVENT") {
			t.Errorf("%s doesn't say that there is no event", ending)
		}
	}
}

func TestHostileTextActsNowhere(t *testing.T) {
	for _, ending := range []string{"txt", "md", "html"} {
		got := render(t, formats[ending], incident(), Options{})
		if strings.ContainsAny(got, "\x1b\x00") {
			t.Errorf("%s holds control characters", ending)
		}
		if ending != "txt" && strings.Contains(got, "<script>") {
			t.Errorf("%s holds a script", ending)
		}
		if ending == "md" && strings.Contains(got, "https://evil") {
			t.Error("md links an address from outside")
		}
	}
}

func TestMaskedReportsHoldNoKey(t *testing.T) {
	for ending, f := range formats {
		got := render(t, f, incident(), Options{Mask: true})
		for _, key := range []string{"TENANT", "evil.example", "profile"} {
			if strings.Contains(got, key) {
				t.Errorf("%s shows %q", ending, key)
			}
		}
		if !strings.Contains(got, "key-1") {
			t.Errorf("%s names no masked key", ending)
		}
	}
}

func TestMasksAreStableAndWholeWords(t *testing.T) {
	var m analysis.Mask
	m.Learn(incident())
	tests := map[string]string{
		"TENANT#123 beside TENANT#1": "key-1 beside key-2",
		"TENANT#1234 is another key": "TENANT#1234 is another key",
		"'TENANT#9'":                 "'key-4'",
		telemetry.Clean(hostile):     "key-5",
		"the rest":                   "the rest",
	}
	for in, want := range tests {
		if got := m.Text(in); got != want {
			t.Errorf("text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestConfidenceWithoutACauseSaysWhatItIsAbout(t *testing.T) {
	d := incident()
	d.Events[0].Cause = analysis.Undetermined
	text := strings.Join(strings.Fields(render(t, Text, d, Options{})), " ")
	if !strings.Contains(text, "% that the data can't tell the cause") {
		t.Errorf("the confidence reads as that of a cause:\n%s", text)
	}
}

func TestEventsBesideTheLeadingOneAreNamedBeforeTheDetails(t *testing.T) {
	d := incident()
	other := *d.Events[0]
	other.Confidence, other.Ongoing = 0.9, true
	other.Resource.Index = "by\x1b-status"
	for range 4 {
		d.Events = append(d.Events, &other)
	}
	lead, _, _ := strings.Cut(render(t, Text, d, Options{}), "\n\n")
	lead = strings.Join(strings.Fields(lead), " ")
	if !strings.Contains(lead, "Also: ") || !strings.Contains(lead, "still going on (event ") || !strings.Contains(lead, " more") {
		t.Errorf("the lead leaves events out:\n%s", lead)
	}
	if strings.Contains(lead, "\x1b") {
		t.Error("the lead holds a control character")
	}
}

func TestTextStaysWithinEightyColumns(t *testing.T) {
	for line := range strings.SplitSeq(render(t, Text, incident(), Options{}), "\n") {
		if n := utf8.RuneCountInString(line); n > textWidth && !strings.Contains(line, "$ ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestTimesAreShownInTheZoneAskedFor(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	got := render(t, Text, incident(), Options{Location: zone})
	for _, want := range []string{"2026-03-03 00:31 to 00:37 CET", "those in the verdict in UTC"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreReturned(t *testing.T) {
	for ending, f := range formats {
		if err := f(brokenWriter{}, incident(), Options{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v", ending, err)
		}
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"a|b":         `a\|b`,
		"*x* _y_ `z`": "\\*x\\* \\_y\\_ \\`z\\`",
		"1. first":    `1\. first`,
		"- item":      `\- item`,
		"TENANT#123":  `TENANT\#123`,
		"http://x":    `http\://x`,
	} {
		if got := escapeMarkdown(in); got != want {
			t.Errorf("escapeMarkdown(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHeatmapMergesWhatDoesNotFit(t *testing.T) {
	d := incident()
	l := d.Tables[0].Resources[0].Write
	for i := range 1000 {
		l.Minutes = append(l.Minutes, analysis.Minute{Start: at(12 + i)})
		for _, row := range l.Rows {
			row.Cells = append(row.Cells, analysis.Cell{State: telemetry.Known, Likely: 100})
		}
	}
	for range 40 {
		l.Rows = append(l.Rows, l.Rows[2])
	}
	got := render(t, HTML, d, Options{})
	for _, want := range []string{"A column is the maximum of 5 points.", "19 rows more not shown."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
}
