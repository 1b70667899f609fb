package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// marksFlag adds --marks to a command.
func marksFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "marks", "", "a `file` of what else happened, such as deploys: a time and a text a line")
}

// readMarks reads a file with a time and a text on each line. Times are RFC 3339, a date
// and HH:MM in UTC, or HH:MM as moment reads it in w. Blank lines, and those that begin with #, are left
// out. Its errors carry file:line.
func readMarks(path string, w telemetry.Window) ([]telemetry.Mark, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, pathError("read marks", path, err)
	}
	defer func() { _ = file.Close() }()
	var out []telemetry.Mark
	lines := bufio.NewScanner(file)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m, err := readMark(line, w)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, m)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: the line is longer than %d KiB", path, n+1, bufio.MaxScanTokenSize>>10)
	} else if err != nil {
		return nil, pathError("read marks", path, err)
	}
	return telemetry.SortMarks(out), nil
}

// checkMarks reads a file of marks for its errors alone, before AWS is asked anything; ""
// is no file.
func checkMarks(path string) error {
	if path == "" {
		return nil
	}
	_, err := readMarks(path, telemetry.Window{})
	return err
}

func readMark(line string, w telemetry.Window) (telemetry.Mark, error) {
	when, text, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	at, err := moment(when, w)
	if _, date := time.Parse(time.DateOnly, when); date == nil {
		clock, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		at, err = time.Parse("2006-01-02 15:04", when+" "+clock)
		when, text = when+" "+clock, rest
	}
	if err != nil || strings.HasPrefix(when, "-") {
		return telemetry.Mark{}, fmt.Errorf("time %q cannot be read\nhint: a line is a time and a text: 10:15 deploy v42 (UTC, the first day), 2026-03-02 10:15 deploy v42, or with an RFC 3339 time", when)
	}
	if text = strings.TrimSpace(text); text == "" {
		return telemetry.Mark{}, fmt.Errorf("nothing follows the time %s\nhint: say what happened: %s deploy v42", when, when)
	}
	return telemetry.Mark{At: at, Kind: telemetry.NoteMark, Text: text}, nil
}

// mark adds the marks of a file to an incident, each to the batch that tells of its time;
// "" is no file.
func (a app) mark(in incident, path string) (incident, error) {
	if path == "" {
		return in, nil
	}
	marks, err := readMarks(path, in.window)
	if err != nil {
		return in, err
	}
	given := 0
	for i := range in.batches {
		b := &in.batches[i]
		for given < len(marks) && marks[given].At.Before(b.Window.End) {
			b.Marks = append(b.Marks[:len(b.Marks):len(b.Marks)], marks[given])
			given++
		}
	}
	outside := len(marks) - given
	for _, m := range marks[:given] {
		if m.At.Before(in.window.Start.Add(-time.Hour)) {
			outside++
		}
	}
	if outside > 0 {
		a.warn("warning: %s: %d of %d marks lie outside the data's time, %s to %s", path, outside, len(marks), minuteText(in.window.Start), minuteText(in.window.End))
	}
	return in, nil
}

// marked gives each batch of a live source the marks that lie before its end: some that
// are known, and those of a file. It is read again each time, for a deploy may be written
// down while one watches.
type marked struct {
	source source
	path   string // "" for none
	known  []telemetry.Mark
	// day is the time within which an HH:MM is meant.
	day telemetry.Window
}

// newMarked adds marks to a source that begins at start: some that are known, and those
// of a file, which it checks; "" is no file.
func newMarked(s source, path string, known []telemetry.Mark, start time.Time) (*marked, error) {
	// A time of day is the one within a day of the start, or up to six hours before it.
	const before = 6 * time.Hour
	day := telemetry.Window{Start: start.Add(-before), End: start.Add(24*time.Hour - before)}
	m := &marked{s, path, known, day}
	_, err := m.read()
	return m, err
}

func (m *marked) read() ([]telemetry.Mark, error) {
	if m.path == "" {
		return nil, nil
	}
	return readMarks(m.path, m.day)
}

func (m *marked) Next(ctx context.Context) (telemetry.Batch, error) {
	b, err := m.source.Next(ctx)
	if err != nil {
		return b, err
	}
	return m.add(b), nil
}

// add gives a batch its marks.
func (m *marked) add(b telemetry.Batch) telemetry.Batch {
	marks, err := m.read()
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		b.Warnings = append(b.Warnings, telemetry.Warning{Code: telemetry.UnreadableFile, Text: text + ": marks written down since are not shown"})
	}
	for _, x := range slices.Concat(m.known, marks) {
		if x.At.Before(b.Window.End) {
			b.Marks = append(b.Marks[:len(b.Marks):len(b.Marks)], x)
		}
	}
	return b
}
