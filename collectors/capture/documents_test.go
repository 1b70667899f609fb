package capture

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"
)

func TestFilesAreReadHoweverTheyWereSaved(t *testing.T) {
	utf16File := func(little bool) string {
		out := []byte{}
		for _, c := range utf16.Encode([]rune("\ufeff" + writesAnswer)) {
			if little {
				out = append(out, byte(c), byte(c>>8))
			} else {
				out = append(out, byte(c>>8), byte(c))
			}
		}
		return string(out)
	}
	tests := map[string]struct {
		answer   string
		points   int
		warnings []string
	}{
		"byte order mark":       {"\xef\xbb\xbf" + writesAnswer, 2, nil},
		"CRLF":                  {strings.ReplaceAll(writesAnswer, "\n", "\r\n"), 2, nil},
		"UTF-16, little endian": {utf16File(true), 2, nil},
		"UTF-16, big endian":    {utf16File(false), 2, nil},
		"brackets within texts": {strings.Replace(writesAnswer, `"Label":"`, `"Label":"]}\"{[,] `, 1), 2, nil},
		"trailing commas": {
			strings.NewReplacer("60000.0]", "60000.0 ,\n]", `"Messages":[]`, `"Messages":[],`).Replace(writesAnswer), 2,
			[]string{"unreadable_file: get-metric-data.json:2: stray comma before a closing bracket, read nevertheless"},
		},
		"cut short": {
			"\n" + strings.TrimSuffix(writesAnswer, "}"), 0,
			[]string{"get-metric-data.json:2: the document that begins here is cut short", "not in the answer"},
		},
		"the second document cut short": {
			writesAnswer + "\n" + strings.TrimSuffix(writesAnswer, "}"), 2,
			[]string{"get-metric-data.json:3: the document that begins here is cut short"},
		},
		"the list cut short": {"[" + writesAnswer + ",", 2, []string{"the list of documents is cut short"}},
		"a broken line": {
			strings.Replace(writesAnswer, `"Values"`, `Values`, 1), 0,
			[]string{"get-metric-data.json:2: not valid JSON: invalid character 'V'", "not in the answer"},
		},
		"text behind":    {writesAnswer + "\n\nDone.", 2, []string{"get-metric-data.json:4: not JSON from here on"}},
		"another output": {"METRICDATARESULTS\tm1", 0, []string{"get-metric-data.json:1: not JSON; run the command with --output json", "not in the answer"}},
		"a refusal": {
			"\nAn error occurred (AccessDenied) when calling the GetMetricData operation: User is not authorized", 0,
			[]string{"denied: get-metric-data.json: holds a refusal instead of an answer: An error occurred (AccessDenied)", "not in the answer"},
		},
		"empty":     {" \n", 0, []string{"unreadable_file: get-metric-data.json: empty", "not in the answer"}},
		"too large": {string(make([]byte, maxFileSize+1)), 0, []string{"unreadable_file: get-metric-data.json: larger than 64 MB, not read", "not in the answer"}},
		"a value of another kind": {
			strings.Replace(writesAnswer, `"Messages":[]`, "\"Messages\":\n7", 1), 2,
			[]string{"unreadable_file: get-metric-data.json:3: Messages is a number, which isn't what AWS sends; ignored"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, map[string]string{"get-metric-data.json": tt.answer})
			points := 0
			for _, s := range got.Series {
				points += len(s.Points)
			}
			if points != tt.points {
				t.Errorf("%d points, want %d", points, tt.points)
			}
			wantWarnings(t, got, tt.warnings...)
		})
	}
}

func TestEndlessTroubleIsReadInBoundedTimeAndWarnings(t *testing.T) {
	got := decoded(t, map[string]string{
		"describe-limits.json": strings.Repeat("{}\n", maxDocuments),
		"get-metric-data.json": writesAnswer + strings.Repeat("[", 1_000_000),
	})
	if n := len(got.Warnings); n != maxWarnings+1 {
		t.Errorf("%d warnings", n)
	}
	if last := got.Warnings[len(got.Warnings)-2].Text; !strings.HasPrefix(last, "describe-limits.json:1000:") {
		t.Errorf("the last is %q", last)
	}
}

func TestUnknownFilesAreIgnored(t *testing.T) {
	wantWarnings(t, decoded(t, map[string]string{
		"notes.txt": "throttled again", "list-tables.json": `{"TableNames":["x"]}`, "expected.json": "{", "describe-table": "{",
	}))
}

func TestMissingFilesAreNamed(t *testing.T) {
	tests := map[string]struct {
		missing []string
		want    []string
	}{
		"table":   {[]string{"describe-table.json"}, []string{"missing_file: describe-table.json: no such file: mode, capacity and keys"}},
		"limits":  {[]string{"describe-limits.json"}, []string{"missing_file: describe-limits.json: no such file: the account's quotas"}},
		"queries": {[]string{"metric-data-queries.json"}, []string{"missing_file: metric-data-queries.json: no such file"}},
		"answer":  {[]string{"get-metric-data.json"}, []string{"missing_file: get-metric-data.json: no such file: unanswered queries: 1"}},
		"metrics": {[]string{"get-metric-data.json", "metric-data-queries.json"}, []string{"metric-data-queries.json: no such file", "get-metric-data.json: no such file: there are no metrics"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for _, file := range tt.missing {
				files[file] = "-"
			}
			wantWarnings(t, decoded(t, files), tt.want...)
		})
	}
}

func TestFilesAreReadInNaturalOrder(t *testing.T) {
	dir := fstest.MapFS{}
	want := []string{
		"describe-table.json", "describe-table.2.json", "describe-table.10.json", "describe-table.page9.json",
		"describe-table.page10.json", "describe-table.page10b.json", "get-metric-data.json", "get-metric-data.02.json", "get-metric-data.2.json",
	}
	for _, name := range want {
		dir[name] = &fstest.MapFile{}
	}
	l, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(fileNames(l.files), " "); got != strings.Join(want, " ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, " "))
	}
}

func TestTrailingCommasAreBlankedInPlace(t *testing.T) {
	body := []byte(`{"a":[1,],"b":",]","c":{"d":"\",}",},}`)
	got, first := withoutTrailingCommas(body)
	if want := `{"a":[1 ],"b":",]","c":{"d":"\",}" } }`; string(got) != want || first != 7 {
		t.Errorf("got %s, first at %d, want %s, 7", got, first, want)
	}
	if !bytes.Contains(body, []byte("[1,]")) {
		t.Error("the text given was changed")
	}
}
