package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotpart/hotpart/replay"
	"github.com/hotpart/hotpart/replay/incidents"
)

// openRecording opens a recording by its path, or a built-in incident by its
// name; "-" is stdin.
func (a app) openRecording(path string) (*replay.Reader, io.Closer, error) {
	if path == "-" {
		r, err := replay.NewReader(a.in)
		if err != nil {
			return nil, nil, fmt.Errorf("read stdin: %w", err)
		}
		return r, io.NopCloser(nil), nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsRune(path, filepath.Separator) {
		return openBuiltIn(path)
	}
	if err != nil {
		return nil, nil, pathError("open", path, err)
	}
	r, err := replay.NewReader(file)
	if err == nil {
		return r, file, nil
	}
	_ = file.Close()
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		return nil, nil, fmt.Errorf("read %q: it is a directory\nhint: hotpart import %s -o FILE makes a recording of a capture directory", path, pasted(path))
	}
	return nil, nil, fmt.Errorf("read %q: %w", path, err)
}

func openBuiltIn(name string) (*replay.Reader, io.Closer, error) {
	if r, err := incidents.Open(name); err == nil {
		return r, io.NopCloser(nil), nil
	}
	var names []string
	for _, i := range incidents.All {
		names = append(names, i.Name)
	}
	return nil, nil, fmt.Errorf("no recording or built-in incident is named %q%s", name,
		didYouMean("", name, names, "hotpart replay | cat lists the built-in incidents"))
}

// warnOfDamage says what of a recording, read so far, is damaged.
func (a app) warnOfDamage(path string, r *replay.Reader) {
	for _, damage := range r.Damage() {
		a.warn("warning: %q is %v", path, damage)
	}
}

// pathError words an error of the file system: what was tried, on what, why.
func pathError(verb, path string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %q: no such file or directory", verb, path)
	}
	return fmt.Errorf("%s %q: %w", verb, path, err)
}

// writeRecording makes a recording at path for its owner alone, by way of a file
// beside it, so that a path holds a whole recording or what it held before. "-" is
// stdout.
func (a app) writeRecording(path string, h replay.Header, fill func(*replay.Writer) error) error {
	if path == "-" {
		return fillRecording(a.out, h, fill)
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".hotpart-*")
	if err != nil {
		return pathError("write", path, err)
	}
	defer func() { _ = os.Remove(part.Name()) }()
	err = errors.Join(fillRecording(part, h, fill), part.Close())
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return pathError("write", path, err)
	}
	return nil
}

func fillRecording(out io.Writer, h replay.Header, fill func(*replay.Writer) error) error {
	w, err := replay.NewWriter(out, h)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}
