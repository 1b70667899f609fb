package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/capture"
	"github.com/hotpart/hotpart/collectors/logs"
)

// fileKind is what a file holds, by its beginning and its name.
type fileKind int

// The kinds. What is nothing else is taken for a recording, whose reader says what
// is wrong with it.
const (
	recordingFile fileKind = iota
	exportFile             // one file of a capture: CSV of Grafana's, JSON of get-metric-statistics
	logFile
)

// kindOf looks at the beginning of a file.
func kindOf(head []byte, name string) fileKind {
	text := head
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		text = unzipped(head)
	}
	isRecording := bytes.Contains(text, []byte(`"hotpart.recording"`))
	switch ext := filepath.Ext(name); {
	case isRecording, ext == ".hotpart", len(text) == 0:
		return recordingFile
	case capture.Names(filepath.Base(name)), ext == ".json" && bytes.Contains(text, []byte(`"Datapoints"`)):
		return exportFile
	case ext == ".json" && !bytes.Contains(text, []byte("imestamp")) && !bytes.Contains(text, []byte("hrottl")):
		return recordingFile
	case logs.Looks(text):
		return logFile
	}
	return recordingFile
}

// unzipped is the beginning of what gzip holds; empty where that is broken.
func unzipped(head []byte) []byte {
	gz, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	text := make([]byte, 4096)
	n, _ := io.ReadFull(gz, text) // the end of head is not the end of the file
	return text[:n]
}

// lookInto tells what an open file holds, and gives all of it to read.
func lookInto(in io.Reader, name string) (fileKind, *bufio.Reader) {
	const looked = 8 << 10
	all := bufio.NewReaderSize(in, looked)
	head, _ := all.Peek(looked)
	return kindOf(head, name), all
}

// decodeLog reads a log, which may be packed with gzip.
func decodeLog(in *bufio.Reader, name string) (telemetry.Batch, error) {
	var text io.Reader = in
	if head, _ := in.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		gz, err := gzip.NewReader(in)
		if err != nil {
			return telemetry.Batch{}, fmt.Errorf("read %q: %w", name, err)
		}
		text = gz
	}
	b, err := logs.Decode(text, name)
	if errors.Is(err, logs.ErrNoRefusals) {
		err = fmt.Errorf("%w\nhint: taken for a log, as it is no recording; docs/inputs.md says what can be read", err)
	}
	return b, err
}

// decode reads what is no recording as one batch; ok is false for recordings.
func (a app) decode(path string) (b telemetry.Batch, ok bool, err error) {
	if path == "-" {
		b, err = decodeLog(bufio.NewReader(a.in), "stdin")
		return b, true, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return b, false, pathError("open", path, err)
	}
	if info.IsDir() {
		b, err = decodeCapture(path)
		return b, true, err
	}
	file, err := os.Open(path)
	if err != nil {
		return b, false, pathError("open", path, err)
	}
	defer func() { _ = file.Close() }() // only read: closing can lose nothing
	switch kind, all := lookInto(file, path); kind {
	case exportFile:
		b, err = capture.DecodeFile(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		return b, true, err
	case logFile:
		b, err = decodeLog(all, filepath.Base(path))
		return b, true, err
	}
	return b, false, nil
}
