package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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

// load reads a capture directory, a recording ("-" is stdin) or a built-in
// incident, whichever the name fits first.
func (a app) load(ctx context.Context, name string) (incident, error) {
	if name == "-" {
		return a.loadRecording(ctx, name, "stdin")
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return loadCapture(name)
	case err == nil:
		return a.loadRecording(ctx, name, filepath.Base(name))
	case errors.Is(err, os.ErrNotExist) && !strings.ContainsRune(name, filepath.Separator):
		return loadBuiltIn(ctx, name)
	}
	return incident{}, pathError("open", name, err)
}

func loadCapture(path string) (incident, error) {
	b, err := decodeCapture(path)
	if err != nil {
		return incident{}, err
	}
	return minutely(b), nil
}

// minutely cuts a batch into minutes, so that a replay and a report are told the
// same.
func minutely(b telemetry.Batch) incident {
	var in incident
	for step := range telemetry.Minutes(b) {
		in.add(step)
	}
	return in
}

func decodeCapture(path string) (telemetry.Batch, error) {
	name := filepath.Base(path)
	if whole, err := filepath.Abs(path); err == nil {
		name = filepath.Base(whole)
	}
	return capture.Decode(os.DirFS(path), name)
}

func (a app) loadRecording(ctx context.Context, path, name string) (incident, error) {
	r, closer, err := a.openRecording(path)
	if err != nil {
		if errors.Is(err, replay.ErrNotRecording) && filepath.Ext(path) == ".json" {
			err = fmt.Errorf("%w\nhint: for a capture give its directory: %s", err, filepath.Dir(path))
		}
		return incident{}, err
	}
	defer func() { _ = closer.Close() }()
	in, err := readAll(ctx, r, name)
	for _, damage := range r.Damage() {
		a.warn("warning: %q is %v", path, damage)
	}
	return in, err
}

// loadBuiltIn opens a built-in incident, or plays a built-in scenario.
func loadBuiltIn(ctx context.Context, name string) (incident, error) {
	if r, err := incidents.Open(name); err == nil {
		return readAll(ctx, r, name)
	}
	if s, err := scenario.Library(name); err == nil {
		b := scenario.Generate(s, 1).Batch()
		b.Source = telemetry.Source{Kind: telemetry.SourceRecording, Name: name}
		return minutely(b), nil
	}
	names := scenario.Names()
	for _, i := range incidents.All {
		names = append(names, i.Name)
	}
	return incident{}, fmt.Errorf("no file, directory or built-in incident is named %q%s", name,
		didYouMean("", name, names, "hotpart simulate --list names the built-in scenarios"))
}

// readAll reads a recording, whose source is from now on the recording.
func readAll(ctx context.Context, r *replay.Reader, name string) (incident, error) {
	var in incident
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return in, fmt.Errorf("read %q: %w", name, err)
		}
		b.Source = telemetry.Source{Kind: telemetry.SourceRecording, Name: name}
		in.add(b)
	}
	if len(in.batches) == 0 {
		return in, fmt.Errorf("read %q: the recording holds no data", name)
	}
	if text, ok := in.lost(); ok {
		return in, fmt.Errorf("read %q: %s", name, text)
	}
	return in, nil
}

// lost reports whether a recording is so damaged that nothing but the word of its
// damage came out, which a report would take for a window without events.
func (in *incident) lost() (text string, ok bool) {
	if len(in.batches) != 1 || !in.window.End.IsZero() {
		return "", false
	}
	for _, w := range in.batches[0].Warnings {
		if w.Code == telemetry.DamagedRecording {
			return w.Text, true
		}
	}
	return "", false
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
