package report

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// FuzzReports puts any text in every place that takes text from outside and checks that
// no format fails, that JSON is JSON, and that nothing a terminal or a page might act on
// comes through.
func FuzzReports(f *testing.F) {
	for _, seed := range []string{"", "TENANT#123", hostile, "a\nb\tc", "```\n$ rm", "\xff\xfe", "\u202eright", "\"},{\"", "key-1", "1", "| --- |", "</pre><img src=x onerror=alert(1)>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, o := range []Options{{}, {Mask: true}} {
			for ending, write := range formats {
				got := render(t, write, everywhere(s), o)
				checkHarmless(t, ending, got)
			}
		}
	})
}

// everywhere is the incident with a text in the places that outsiders can write to.
func everywhere(s string) *analysis.Diagnosis {
	d := incident()
	d.Source.Name = s
	d.Warnings = append(d.Warnings, telemetry.Warning{Code: telemetry.Denied, Text: s})
	d.Tables[0].ID.Table = s
	d.Tables[0].Changes[0].Text = s
	d.Marks[0].Text = s
	e := d.Events[1]
	e.Context[0] = s
	e.Keys[0].Key = telemetry.Key{Partition: s, Sort: s}
	e.Evidence[0].Text, e.Missing[0] = s, s
	r := &e.Recommendations[0]
	r.Summary, r.Why, r.Commands = "shard "+s, s, []string{"aws " + s}
	d.Tables[0].Resources[0].Write.Rows[0].Keys[0].Partition = s
	return d
}

func checkHarmless(t *testing.T, ending, got string) {
	t.Helper()
	if ending == "json" {
		if !json.Valid([]byte(got)) {
			t.Errorf("not JSON: %q", got)
		}
		return
	}
	if at := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }); at >= 0 {
		t.Errorf("%s holds %q", ending, got[at:min(len(got), at+4)])
	}
	if ending == "html" {
		for _, tag := range []string{"<script", "<img", "onerror=alert(1)>"} {
			if strings.Contains(got, tag) {
				t.Errorf("html holds %s", tag)
			}
		}
	}
}
