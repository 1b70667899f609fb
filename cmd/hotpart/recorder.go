package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

// recorder appends what is told live to a file. Every batch is in the file when
// record returns, so that a dropped connection or a killed process loses nothing.
type recorder struct {
	path   string
	file   *os.File
	writer *replay.Writer // nil before the first batch
	polls  int
}

// newRecorder makes the file, for its owner's eyes only: it will hold key values.
func newRecorder(path string) (*recorder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write %q: the file exists\nhint: choose another name; hotpart info %s says what it holds", path, path)
	}
	if err != nil {
		return nil, pathError("write", path, err)
	}
	return &recorder{path: path, file: file}, nil
}

// record appends a poll. What reaches back over many minutes is cut into them, so
// that it replays minute by minute.
func (r *recorder) record(b telemetry.Batch) error {
	if r.writer == nil {
		w, err := replay.NewWriter(r.file, captureHeader(b))
		if err != nil {
			return pathError("write", r.path, err)
		}
		r.writer = w
		for step := range telemetry.Minutes(b) {
			if err := w.Write(step); err != nil {
				return pathError("write", r.path, err)
			}
		}
	} else if err := r.writer.Write(b); err != nil {
		return pathError("write", r.path, err)
	}
	r.polls++
	return nil
}

// close ends the recording. A file without a batch is taken away again.
func (r *recorder) close() error {
	if r.writer == nil {
		return errors.Join(r.file.Close(), os.Remove(r.path))
	}
	return errors.Join(r.writer.Close(), r.file.Close())
}

// taped records what a source gives. What can't be recorded is still shown, with
// a warning that says so.
type taped struct {
	source   source
	recorder *recorder
}

func (t *taped) Next(ctx context.Context) (telemetry.Batch, error) {
	b, err := t.source.Next(ctx)
	if err != nil {
		return b, err
	}
	if err := t.recorder.record(b); err != nil {
		b.Warnings = append(b.Warnings, telemetry.Warning{Code: telemetry.Unrecorded, Text: "this is not being recorded: " + err.Error()})
	}
	return b, nil
}
