package capture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// The kinds of file that are read, by the first word of their names.
const (
	kindCapture    = "capture"
	kindTable      = "describe-table"
	kindLimits     = "describe-limits"
	kindInsights   = "describe-contributor-insights"
	kindQueries    = "metric-data-queries"
	kindAnswer     = "get-metric-data"
	kindReport     = "insight-report"
	kindStream     = "describe-stream"
	kindTargets    = "describe-scalable-targets"
	kindPolicies   = "describe-scaling-policies"
	kindActivities = "describe-scaling-activities"
	kindStatistics = "get-metric-statistics"
	kindGrafana    = "grafana" // any name that ends in .csv
)

var kinds = []string{
	kindCapture, kindTable, kindLimits, kindInsights, kindQueries, kindAnswer,
	kindReport, kindStream, kindTargets, kindPolicies, kindActivities, kindStatistics,
}

// The limits that keep a hostile directory from using up memory. A day of one table
// with three indexes and 25 keys a rule takes 43 MB and a million JSON values, most of
// them in reports of 4 MB.
const (
	maxFileSize    = 64 << 20   // bytes of one file
	maxFileValues  = 4_000_000  // JSON values in one file
	maxDocuments   = 10_000     // documents in one file
	maxTotalSize   = 1 << 30    // bytes of all files
	maxTotalValues = 32_000_000 // JSON values in all files
	maxKeys        = 1000       // keys in one report; CloudWatch lists 100 at most
	maxKeySize     = 16 << 10   // bytes of a key; DynamoDB's have 2 KiB at most, four joined 8
)

// file is one file of a known kind. Suffix is what stands between the kind and
// ".json", without the first dot: "" in describe-table.json, "2" in
// get-metric-data.2.json, the rule's name in an insight report.
type file struct {
	name, kind, suffix string
}

// listing is what a directory holds: the files of known kinds in natural order,
// and the names of all others.
type listing struct {
	files  []file
	others []string
	dirs   []string
}

func list(dir fs.FS) (listing, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return listing{}, err
	}
	var l listing
	for _, e := range entries {
		f, known := fileOf(e.Name())
		switch {
		case e.IsDir():
			l.dirs = append(l.dirs, e.Name())
		case known && e.Type()&^fs.ModeSymlink == 0:
			l.files = append(l.files, f)
		default:
			l.others = append(l.others, e.Name())
		}
	}
	slices.SortStableFunc(l.files, func(a, b file) int { return naturalOrder(a.name, b.name) })
	return l, nil
}

func fileOf(name string) (f file, known bool) {
	if stem, isCSV := strings.CutSuffix(name, ".csv"); isCSV {
		return file{name: name, kind: kindGrafana, suffix: stem}, true
	}
	stem, isJSON := strings.CutSuffix(name, ".json")
	if !isJSON {
		return file{}, false
	}
	kind, suffix, _ := strings.Cut(stem, ".")
	return file{name: name, kind: kind, suffix: suffix}, slices.Contains(kinds, kind)
}

// naturalOrder compares names so that page 9 comes before page 10.
func naturalOrder(a, b string) int {
	for x, y := stem(a), stem(b); ; {
		xText, xDigits, xRest := cutDigits(x)
		yText, yDigits, yRest := cutDigits(y)
		if c := cmp.Compare(xText, yText); c != 0 {
			return c
		}
		xNumber, yNumber := strings.TrimLeft(xDigits, "0"), strings.TrimLeft(yDigits, "0")
		if c := cmp.Or(cmp.Compare(len(xNumber), len(yNumber)), cmp.Compare(xNumber, yNumber)); c != 0 {
			return c
		}
		if xRest == "" || yRest == "" {
			return cmp.Or(cmp.Compare(xRest, yRest), cmp.Compare(a, b))
		}
		x, y = xRest, yRest
	}
}

// stem lets "get-metric-data.json", the first page, come before its "….2.json".
func stem(name string) string { return strings.TrimSuffix(name, ".json") }

func cutDigits(s string) (text, digits, rest string) {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	from := strings.IndexFunc(s, isDigit)
	if from < 0 {
		return s, "", ""
	}
	to := from
	for to < len(s) && isDigit(rune(s[to])) {
		to++
	}
	return s[:from], s[from:to], s[to:]
}

// reader reads the files of a capture and collects what is wrong with them.
type reader struct {
	dir fs.FS
	listing
	warnings []telemetry.Warning
	// single is set where the files are not all of a directory, so that none is missed.
	single bool
	// size and values are what the files so far came to.
	size, values int
}

// maxWarnings bounds what one capture can make a reader read. A sound capture of
// many tables has a few for each.
const maxWarnings = 1000

// warn adds a warning, up to a bound.
func (r *reader) warn(code string, about telemetry.ResourceID, format string, args ...any) {
	switch n := len(r.warnings); {
	case n < maxWarnings:
		r.warnings = append(r.warnings, telemetry.Warning{Code: code, Text: fmt.Sprintf(format, args...), Resource: about})
	case n == maxWarnings:
		r.warnings = append(r.warnings, telemetry.Warning{Code: telemetry.PartialDataCode, Text: "further warnings are left out"})
	}
}

// has reports whether a file of that kind is there, readable or not.
func (r *reader) has(kind string) bool {
	return slices.ContainsFunc(r.files, func(f file) bool { return f.kind == kind })
}

func (r *reader) hasFile(kind, suffix string) bool {
	return slices.ContainsFunc(r.files, func(f file) bool { return f.kind == kind && f.suffix == suffix })
}

func fileName(kind, suffix string) string {
	if suffix == "" {
		return kind + ".json"
	}
	return kind + "." + suffix + ".json"
}

// warnOfZones says what was made of times that don't tell their zone.
func (r *reader) warnOfZones(f file) {
	r.warn(telemetry.ClockSkew, telemetry.ResourceID{}, "%s: times without a zone, taken for UTC", f.name)
}

// contents returns a JSON file's text as UTF-8, or nil after a warning.
func (r *reader) contents(f file) []byte {
	data := r.text(f)
	if data == nil {
		return nil
	}
	if trimmed := bytes.TrimSpace(data); trimmed[0] != '{' && trimmed[0] != '[' {
		r.notJSON(f, trimmed)
		return nil
	}
	return data
}

// text returns a file's text as UTF-8, with more than blanks in it, or nil after a
// warning.
func (r *reader) text(f file) []byte {
	data, err := readBounded(r.dir, f.name)
	if err == nil {
		err = r.account(data)
	}
	if err != nil {
		r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s: %v", f.name, pathless(err))
		return nil
	}
	data = toUTF8(data)
	if len(bytes.TrimSpace(data)) == 0 {
		r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s: empty; the command that writes it may have been refused", f.name)
		return nil
	}
	return data
}

// account refuses a file that would take up too much memory, by itself or on top of
// the others.
func (r *reader) account(data []byte) error {
	values := 0
	for _, mark := range []string{"{", "[", ","} {
		values += bytes.Count(data, []byte(mark))
	}
	switch {
	case values > maxFileValues:
		return fmt.Errorf("more than %d million values, not read", maxFileValues/1_000_000)
	case r.size+len(data) > maxTotalSize:
		return fmt.Errorf("with the files before it more than %d MB, not read", maxTotalSize>>20)
	case r.values+values > maxTotalValues:
		return fmt.Errorf("with the files before it more than %d million values, not read", maxTotalValues/1_000_000)
	}
	r.size, r.values = r.size+len(data), r.values+values
	return nil
}

func (r *reader) notJSON(f file, text []byte) {
	if refused(text) {
		r.warn(telemetry.Denied, telemetry.ResourceID{}, "%s: holds a refusal instead of an answer: %s", f.name, firstLine(text))
		return
	}
	r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:1: not JSON; run the command with --output json", f.name)
}

// refused recognizes the error texts and error documents of a denied call.
func refused(text []byte) bool {
	for _, word := range []string{"AccessDenied", "UnauthorizedOperation", "is not authorized to perform", "UnrecognizedClient", "ExpiredToken"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

func firstLine(text []byte) string {
	const most = 200
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if len(line) > most {
		line = line[:most]
	}
	return strings.ToValidUTF8(string(line), "")
}

var errTooLarge = fmt.Errorf("larger than %d MB, not read", maxFileSize>>20)

func readBounded(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read: closing can lose nothing
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() > maxFileSize:
		return nil, errTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(max(info.Size(), 0)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, maxFileSize+1)); err != nil {
		return nil, err
	}
	if b.Len() > maxFileSize {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// pathless drops the operation and path that the file system puts before the
// reason: the file is named already.
func pathless(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// toUTF8 drops a byte order mark and decodes UTF-16, which is what PowerShell's
// redirection writes.
func toUTF8(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return data
	}
	codes := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		codes = append(codes, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(codes)))
}
