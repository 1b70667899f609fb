package capture

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// maxColumns and maxRows bound a CSV file, beside its size.
const (
	maxColumns = 1000
	maxRows    = 1_000_000
)

// grafana reads Grafana's CSV exports of CloudWatch panels: a column a series, or in
// the older form three columns of series, time and value. What a column shows is
// told by its heading alone.
func (d *decoder) grafana() {
	for _, f := range d.r.files {
		if f.kind != kindGrafana {
			continue
		}
		if data := d.r.text(f); data != nil {
			sheet := sheet{d: d, file: f, columns: map[string]*column{}}
			sheet.read(data)
			sheet.finish()
		}
	}
}

// sheet is one CSV file.
type sheet struct {
	d       *decoder
	file    file
	comma   rune
	columns map[string]*column // by heading
	order   []*column

	times                          map[time.Time]bool
	unreadable                     int
	firstUnreadable                int // line
	zoneless, formatted, untotaled bool
}

// column is one series. id.Metric is "" where the heading names no metric.
type column struct {
	heading string
	id      telemetry.SeriesID
	points  []telemetry.Point
}

func (s *sheet) warn(code, format string, args ...any) {
	s.d.r.warn(code, telemetry.ResourceID{}, "%s: "+format, append([]any{s.file.name}, args...)...)
}

func (s *sheet) read(data []byte) {
	data = s.separator(data)
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = s.comma, -1, true, true
	head, err := in.Read()
	head = slices.Clone(head)
	at := slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), "time") })
	if err != nil || at < 0 {
		s.warn(telemetry.UnreadableFile, "no export of Grafana's: its first line has no column Time")
		return
	}
	if len(head) > maxColumns {
		s.warn(telemetry.UnreadableFile, "more than %d columns, not read", maxColumns)
		return
	}
	rows := len(head) == 3 && strings.EqualFold(head[0], "series") && at == 1 && strings.EqualFold(head[2], "value")
	s.times = map[time.Time]bool{}
	for n := 0; ; n++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		line, _ := in.FieldPos(0)
		if n == maxRows {
			s.warn(telemetry.PartialDataCode, "more than %d rows: the rest is not read", maxRows)
			return
		}
		if err != nil || at >= len(row) {
			s.skip(line)
			continue
		}
		when := parseStamp(row[at])
		if when.time.IsZero() {
			s.skip(line)
			continue
		}
		s.zoneless = s.zoneless || when.zoneless
		s.times[when.time] = true
		if rows {
			if len(row) == 3 {
				s.value(row[0], when.time, row[2], line)
			}
			continue
		}
		for i, cell := range row {
			if i != at && i < len(head) {
				s.value(head[i], when.time, cell, line)
			}
		}
	}
}

// separator finds what parts the columns, and drops Excel's line that says it.
func (s *sheet) separator(data []byte) []byte {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if sep, told := bytes.CutPrefix(bytes.TrimSpace(first), []byte("sep=")); told && len(sep) == 1 {
		s.comma = rune(sep[0])
		data, first = rest, nil
	}
	if first != nil {
		s.comma = ','
		if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
			s.comma = ';'
		} else if bytes.Count(first, []byte("\t")) > bytes.Count(first, []byte(",")) {
			s.comma = '\t'
		}
	}
	if s.comma == '"' || s.comma == '\r' || s.comma == '\n' || s.comma >= 0x80 {
		s.comma = ','
	}
	return data
}

func (s *sheet) skip(line int) {
	if s.unreadable++; s.unreadable == 1 {
		s.firstUnreadable = line
	}
}

// value adds one cell to the column of a heading. Empty cells are gaps.
func (s *sheet) value(heading string, at time.Time, cell string, line int) {
	c := s.columns[heading]
	if c == nil {
		if len(s.order) == maxColumns {
			s.skip(line)
			return
		}
		c = &column{heading: strings.Clone(heading), id: s.seriesID(heading)}
		s.columns[c.heading] = c
		s.order = append(s.order, c)
	}
	if cell = strings.TrimSpace(cell); cell == "" || c.id.Metric == "" {
		return
	}
	value, formatted, ok := parseCell(cell, s.comma)
	if !ok {
		s.skip(line)
		return
	}
	s.formatted = s.formatted || formatted
	c.points = append(c.points, telemetry.Point{Time: at, Value: value})
}

// parseCell reads a number, which may have a decimal comma where the columns are
// parted by something else, or be formatted: "58.2 K".
func parseCell(cell string, comma rune) (value float64, formatted, ok bool) {
	number := strings.TrimRightFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) })
	suffix := strings.TrimSpace(cell[len(number):])
	if comma != ',' && strings.Count(number, ",") == 1 && !strings.Contains(number, ".") {
		number = strings.Replace(number, ",", ".", 1)
	}
	value, err := strconv.ParseFloat(number, 64)
	factor, known := map[string]float64{"": 1, "K": 1e3, "k": 1e3, "M": 1e6, "Mil": 1e6, "B": 1e9, "Bil": 1e9}[suffix]
	value *= factor
	if err != nil || !known || value < 0 || value > 1e15 || value != value {
		return 0, false, false
	}
	return value, suffix != "", true
}

var (
	namedTable     = regexp.MustCompile(`\bTableName["']?\s*[=:]\s*["']?([A-Za-z0-9_.-]+)`)
	namedIndex     = regexp.MustCompile(`\bGlobalSecondaryIndexName["']?\s*[=:]\s*["']?([A-Za-z0-9_.-]+)`)
	namedOperation = regexp.MustCompile(`\b(` + strings.Join(telemetry.APIOperations, "|") + `)\b`)
	headingWord    = regexp.MustCompile(`[A-Za-z0-9_./-]+`)
)

// seriesID understands a heading such as "orders WriteThrottleEvents Sum" or
// `ConsumedWriteCapacityUnits {TableName="orders"}`. A word that is neither metric,
// statistic nor operation is the table's name, or TABLE/INDEX, if it is the only one.
func (s *sheet) seriesID(heading string) (id telemetry.SeriesID) {
	rest, table, index := heading, "", ""
	if m := namedIndex.FindStringSubmatch(rest); m != nil {
		index, rest = m[1], strings.Replace(rest, m[0], " ", 1)
	}
	if m := namedTable.FindStringSubmatch(rest); m != nil {
		table, rest = m[1], strings.Replace(rest, m[0], " ", 1)
	}
	var unknown []string
	for _, word := range headingWord.FindAllString(strings.ReplaceAll(rest, namespace, " "), -1) {
		metric := slices.IndexFunc(telemetry.Metrics, func(m telemetry.Metric) bool {
			return strings.EqualFold(word, string(m)) || strings.EqualFold(word, string(m)+"_Sum")
		})
		stat, isStat := statistic(word)
		switch {
		case metric >= 0:
			id.Metric = telemetry.Metrics[metric]
		case isStat:
			id.Stat = stat
		case namedOperation.FindString(word) == word:
			id.Operation = word
		default:
			unknown = append(unknown, strings.Trim(word, "./-"))
		}
	}
	if id.Metric == "" {
		return telemetry.SeriesID{}
	}
	if table == "" && len(unknown) == 1 {
		table, index, _ = strings.Cut(unknown[0], "/")
	}
	if id.Stat == "" {
		id.Stat, s.untotaled = telemetry.Sum, true
	}
	if table != "" {
		id.Resource = s.d.names.resource(table, index, "")
	} else {
		id.Resource = s.d.byFileName(file{name: s.file.name, kind: s.file.kind}, id.Metric)
	}
	return id
}

// finish adds the columns' series and says what is wrong with the sheet.
func (s *sheet) finish() {
	var times []telemetry.Point
	for t := range s.times {
		times = append(times, telemetry.Point{Time: t})
	}
	period := smallestGap(telemetry.SortPoints(times))
	var strangers []string
	for _, c := range s.order {
		if c.id.Metric == "" {
			strangers = append(strangers, strconv.Quote(c.heading))
			continue
		}
		// A panel may hide, join or thin out what CloudWatch said, so that an empty cell
		// means nothing.
		s.d.addSeries(telemetry.Series{ID: c.id, Period: period, Status: telemetry.PartialData, Points: telemetry.SortPoints(c.points)})
	}
	if len(strangers) < len(s.order) {
		s.warn(telemetry.PartialDataCode, "a panel shows what it was told to: a cell without a value is unknown, and keys, limits and capacity are known only where there is a column for them")
	}
	if len(strangers) > 0 {
		s.warn(telemetry.PartialDataCode, "left out columns whose heading names no metric of DynamoDB's: %s", sample(strangers))
	}
	if s.untotaled {
		s.warn(telemetry.PartialDataCode, "headings without a statistic, taken for Sum over the period")
	}
	if s.formatted {
		s.warn(telemetry.PartialDataCode, "values are rounded for reading; export with Formatted data switched off")
	}
	if s.zoneless {
		s.d.r.warnOfZones(s.file)
	}
	if s.unreadable > 0 {
		s.warn(telemetry.PartialDataCode, "left out what can't be read: %d, the first in line %d", s.unreadable, s.firstUnreadable)
	}
}
