package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/capture"
	"github.com/hotpart/hotpart/replay"
	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/replay/scenario"
)

// incident is everything that a path or a built-in name holds.
type incident struct {
	// batches are oldest first, all with the source that they were read from.
	batches []telemetry.Batch
	// window spans all batches; its period is the first one's.
	window telemetry.Window
}

// fromFlag lets a command be told what to read.
func fromFlag(cmd *cobra.Command, from *string) {
	cmd.Flags().StringVar(from, "from", "", "the `path` of a capture directory, recording, log or CSV export, or a built-in incident's name")
}

// load keeps everything that a path or name holds.
func (a app) load(ctx context.Context, name string) (incident, error) {
	var in incident
	err := a.each(ctx, name, in.add)
	return in, err
}

// each gives the batches of a capture directory, a file of any kind that is read ("-"
// is stdin) or a built-in incident, whichever the name fits first, one after the other. It ends
// with an error where they are more than can be analysed at once.
func (a app) each(ctx context.Context, name string, take func(telemetry.Batch)) error {
	var sum extent
	bounded := func(b telemetry.Batch) error {
		if err := sum.add(b); err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		take(b)
		return nil
	}
	if name == "-" {
		kind, all := lookInto(a.in, "")
		if a.in = all; kind == recordingFile {
			return a.eachOfRecording(ctx, name, "stdin", bounded)
		}
	} else if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) && !strings.ContainsRune(name, filepath.Separator) {
		return eachBuiltIn(ctx, name, bounded)
	}
	b, ok, err := a.decode(name)
	switch {
	case err != nil:
		return err
	case ok:
		return minutely(b, bounded)
	}
	return a.eachOfRecording(ctx, name, filepath.Base(name), bounded)
}

// minutely cuts a batch into minutes, so that a replay and a report are told the
// same.
func minutely(b telemetry.Batch, take func(telemetry.Batch) error) error {
	for step := range telemetry.Minutes(b) {
		if err := take(step); err != nil {
			return err
		}
	}
	return nil
}

func decodeCapture(path string) (telemetry.Batch, error) {
	name := filepath.Base(path)
	if whole, err := filepath.Abs(path); err == nil {
		name = filepath.Base(whole)
	}
	return capture.Decode(os.DirFS(path), name)
}

func (a app) eachOfRecording(ctx context.Context, path, name string, take func(telemetry.Batch) error) error {
	r, closer, err := a.openRecording(path)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }()
	err = readAll(ctx, r, name, take)
	a.warnOfDamage(path, r)
	return err
}

// eachBuiltIn opens a built-in incident, or plays a built-in scenario.
func eachBuiltIn(ctx context.Context, name string, take func(telemetry.Batch) error) error {
	if r, err := incidents.Open(name); err == nil {
		return readAll(ctx, r, name, take)
	}
	if s, err := scenario.Library(name); err == nil {
		b := scenario.Generate(s, 1).Batch()
		b.Source = telemetry.Source{Kind: telemetry.SourceRecording, Name: name}
		return minutely(b, take)
	}
	names := scenario.Names()
	for _, i := range incidents.All {
		names = append(names, i.Name)
	}
	return fmt.Errorf("no file, directory or built-in incident is named %q%s", name,
		didYouMean("", name, names, "hotpart simulate --list names the built-in scenarios"))
}

// readAll reads a recording, whose source is from now on the recording.
func readAll(ctx context.Context, r *replay.Reader, name string, take func(telemetry.Batch) error) error {
	var lost string
	n := 0
	for ; ; n++ {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
		if n == 0 && b.Window.End.IsZero() {
			lost = damageTold(b)
		}
		b.Source = telemetry.Source{Kind: telemetry.SourceRecording, Name: name}
		if err := take(b); err != nil {
			return err
		}
	}
	switch {
	case n == 0:
		return fmt.Errorf("read %q: the recording holds no data", name)
	case n == 1 && lost != "":
		// Nothing but the word of its damage came out, which a report would take for a
		// window without events.
		return fmt.Errorf("read %q: %s", name, lost)
	}
	return nil
}

// damageTold is what a batch tells of the recording's damage, "" for none.
func damageTold(b telemetry.Batch) string {
	for _, w := range b.Warnings {
		if w.Code == telemetry.DamagedRecording {
			return w.Text
		}
	}
	return ""
}

func (in *incident) add(b telemetry.Batch) {
	w := &in.window
	if len(in.batches) == 0 {
		*w = b.Window
	}
	if b.Window.Start.Before(w.Start) {
		w.Start = b.Window.Start
	}
	if b.Window.End.After(w.End) {
		w.End = b.Window.End
	}
	in.batches = append(in.batches, b)
}

// cut keeps what falls between two times as the command line gives them; "" is
// no bound.
func (in incident) cut(start, end string) (incident, error) {
	from, to, err := span(start, end, in.window)
	if err != nil || from.IsZero() && to.IsZero() {
		return in, err
	}
	c := replay.Cutter{From: from, To: to}
	var out incident
	for _, b := range in.batches {
		if b, ok := c.Take(b); ok {
			out.add(b)
		}
	}
	if len(out.batches) == 0 {
		return out, fmt.Errorf("nothing falls in that time\nhint: the data run from %s to %s", minuteText(in.window.Start), minuteText(in.window.End))
	}
	return out, nil
}
