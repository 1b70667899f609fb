package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// marksFlag adds --marks to a command.
func marksFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "marks", "", "a `file` of what else happened, such as deploys: a time and a text a line")
}

// readMarks reads a file with a time and a text on each line. Times are RFC 3339, or
// HH:MM as moment reads them in w. Blank lines, and those that begin with #, are left
// out. Its errors carry file:line.
func readMarks(path string, w telemetry.Window) ([]telemetry.Mark, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, pathError("read marks", path, err)
	}
	defer func() { _ = file.Close() }()
	var out []telemetry.Mark
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
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
	if err := lines.Err(); err != nil {
		return nil, pathError("read marks", path, err)
	}
	return telemetry.SortMarks(out), nil
}

func readMark(line string, w telemetry.Window) (telemetry.Mark, error) {
	when, text, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	at, err := moment(when, w)
	if err != nil || strings.HasPrefix(when, "-") {
		return telemetry.Mark{}, fmt.Errorf("time %q cannot be read\nhint: a line is a time and a text: 2026-03-02T10:15:00Z deploy v42, or 10:15 deploy v42 (UTC, the first day)", when)
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

// marked gives each batch of a live source the marks of a file that lie before its end.
// The file is read again each time, for a deploy may be written down while one watches.
type marked struct {
	source source
	path   string
	// day is the time within which an HH:MM is meant.
	day telemetry.Window
}

// newMarked checks the file, and adds its marks to a source that begins at start; "" is no
// file.
func newMarked(s source, path string, start time.Time) (source, error) {
	if path == "" {
		return s, nil
	}
	// A time of day is the one within a day of the start, or up to six hours before it.
	const before = 6 * time.Hour
	day := telemetry.Window{Start: start.Add(-before), End: start.Add(24*time.Hour - before)}
	_, err := readMarks(path, day)
	return &marked{s, path, day}, err
}

func (m *marked) Next(ctx context.Context) (telemetry.Batch, error) {
	b, err := m.source.Next(ctx)
	if err != nil {
		return b, err
	}
	marks, err := readMarks(m.path, m.day)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		b.Warnings = append(b.Warnings, telemetry.Warning{Code: telemetry.UnreadableFile, Text: text + ": marks written down since are not shown"})
	}
	for _, x := range marks {
		if x.At.Before(b.Window.End) {
			b.Marks = append(b.Marks, x)
		}
	}
	return b, nil
}
