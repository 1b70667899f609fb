package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

// recorder appends what is told live to a file. Every batch is in the file when
// record returns, so that a dropped connection or a killed process loses nothing.
// After a write that failed, as on a full disk, the file ends with what was written
// before, and the next poll is tried again.
type recorder struct {
	path   string
	file   growingFile
	writer *replay.Writer // nil before the first batch, and after a failure
	header replay.Header
	polls  int
	// size is the file's length, whole what of it are whole batches.
	size, whole int64
	// ending makes a whole recording of the first whole bytes.
	ending []byte
}

// growingFile is what a recorder needs of an *os.File.
type growingFile interface {
	io.WriteSeeker
	Truncate(size int64) error
	Close() error
}

// newRecorder makes the file, for its owner's eyes only: it will hold key values.
func newRecorder(path string) (*recorder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write %q: the file exists\nhint: choose another name; hotpart info %s says what it holds", path, pasted(path))
	}
	if err != nil {
		return nil, pathError("write", path, err)
	}
	return &recorder{path: path, file: file}, nil
}

// Write appends to the file, and counts.
func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.file.Write(p)
	r.size += int64(n)
	return n, err
}

// record appends a poll. What the first reaches back over is cut into minutes, so
// that it replays minute by minute.
func (r *recorder) record(b telemetry.Batch) error {
	steps := func(yield func(telemetry.Batch) bool) { yield(b) }
	if r.polls == 0 {
		r.header, steps = captureHeader(b), telemetry.Minutes(b)
	}
	if err := r.append(steps); err != nil {
		return errors.Join(pathError("write", r.path, err), r.mend())
	}
	r.polls++
	return nil
}

func (r *recorder) append(steps iter.Seq[telemetry.Batch]) error {
	if r.writer == nil {
		if _, err := r.Write(r.ending); err != nil {
			return err
		}
		w, err := replay.NewWriter(r, r.header)
		if err != nil {
			return err
		}
		r.writer = w
	}
	for step := range steps {
		if err := r.writer.Write(step); err != nil {
			return err
		}
		r.whole, r.ending = r.size, r.writer.Ending()
	}
	return nil
}

// mend cuts off what a failed write left.
func (r *recorder) mend() error {
	r.writer, r.size = nil, r.whole
	if err := r.file.Truncate(r.whole); err != nil {
		return err
	}
	_, err := r.file.Seek(r.whole, io.SeekStart)
	return err
}

// close ends the recording. A file without a batch is taken away again.
func (r *recorder) close() error {
	if r.whole == 0 {
		return errors.Join(r.file.Close(), os.Remove(r.path))
	}
	var err error
	if r.writer != nil {
		err = r.writer.Close()
	} else {
		_, err = r.Write(r.ending)
	}
	if err != nil {
		err = errors.Join(pathError("write", r.path, err), r.mend())
	}
	return errors.Join(err, r.file.Close())
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
		// Only the file's name, so that a narrow screen has room for the reason.
		why := strings.Replace(err.Error(), filepath.Dir(t.recorder.path)+string(filepath.Separator), "", 1)
		b.Warnings = append(b.Warnings, telemetry.Warning{Code: telemetry.Unrecorded, Text: "this is not being recorded: " + why})
	}
	return b, nil
}
