package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Reader reads a recording's batches in the order in which they were written.
type Reader struct {
	lines  *lines
	header Header
	known  known
	damage []error // all of it, in order
	told   int     // how much of damage is in a warning already
	last   telemetry.Batch
	ended  bool
}

// NewReader begins to read. It returns an error that wraps ErrNotRecording for
// anything but a recording, and another one where the recording is of a newer
// format.
func NewReader(r io.Reader) (*Reader, error) {
	l, err := newLines(r)
	if err != nil {
		return nil, err
	}
	reader := &Reader{lines: l}
	for {
		text, err := reader.line()
		if errors.Is(err, io.EOF) {
			return nil, reader.noHeader()
		}
		if err != nil {
			return nil, err
		}
		if text == nil && l.gz == nil { // what follows is the rest of that line
			return nil, reader.noHeader()
		}
		if text == nil {
			continue
		}
		var h headerLine
		if err := json.Unmarshal(text, &h); err != nil {
			return nil, fmt.Errorf("%w: its first line is not JSON", ErrNotRecording)
		}
		if err := h.check(); err != nil {
			return nil, err
		}
		reader.header, reader.known = h.Header, known{}
		return reader, nil
	}
}

func (r *Reader) noHeader() error {
	if len(r.damage) > 0 {
		return fmt.Errorf("%w, or one that broke before its first line ended: %w", ErrNotRecording, r.damage[0])
	}
	return fmt.Errorf("%w: it has no lines", ErrNotRecording)
}

// Header is the header of the recording's beginning.
func (r *Reader) Header() Header { return r.header }

// Damage is what was found damaged so far, in order.
func (r *Reader) Damage() []error { return r.damage }

// Next returns the next batch, and io.EOF at the end. Where the recording is
// damaged, the batch after that carries a warning that says so; damage at the
// very end comes with one more batch that holds nothing else. Other errors are
// those of ctx and of the underlying reader.
func (r *Reader) Next(ctx context.Context) (telemetry.Batch, error) {
	for !r.ended {
		if err := ctx.Err(); err != nil {
			return telemetry.Batch{}, err
		}
		text, err := r.line()
		if errors.Is(err, io.EOF) {
			r.ended = true
			break
		}
		if err != nil {
			return telemetry.Batch{}, err
		}
		if text == nil {
			continue
		}
		if b, ok := r.read(text); ok {
			r.warn(&b)
			r.last = b
			return b, nil
		}
	}
	if r.told < len(r.damage) {
		return r.farewell(), nil
	}
	return telemetry.Batch{}, io.EOF
}

// line gives the next line, or nil where one is lost.
func (r *Reader) line() ([]byte, error) {
	text, err := r.lines.next()
	var d *damage
	if errors.As(err, &d) {
		r.damage = append(r.damage, d)
		return nil, nil
	}
	return text, err
}

// batchStart begins a batch line as a Writer writes it. It spares the longest
// lines from being parsed twice.
var batchStart = []byte(`{"kind":"batch",`)

// read takes in one line; ok tells that it was a batch.
func (r *Reader) read(text []byte) (b telemetry.Batch, ok bool) {
	var l anyLine
	err := parsable(text)
	switch {
	case err != nil:
	case bytes.HasPrefix(text, batchStart):
		l.Kind = kindBatch
	default:
		err = json.Unmarshal(text, &l)
	}
	switch {
	case err != nil:
	case l.Kind == kindHeader:
		err = r.restart(text)
	case l.Kind == kindDefine:
		err = r.known.define(l)
	case l.Kind == kindBatch:
		b, err = r.known.batch(text)
		ok = err == nil
	}
	if err != nil {
		r.lines.lost++
		r.damage = append(r.damage, &damage{r.lines.tape.at, err})
	}
	return b, ok
}

// restart takes the header of a later member, or of a recording that was joined
// to this one.
func (r *Reader) restart(text []byte) error {
	r.known = known{span: r.known.span}
	var h headerLine
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	return h.check()
}

// warn tells in b what is lost between the last batch and b.
func (r *Reader) warn(b *telemetry.Batch) {
	if r.told == len(r.damage) {
		return
	}
	text := r.where()
	switch gap := b.Window.Start; {
	case r.last.Window.End.IsZero():
		text += fmt.Sprintf("; nothing before %s could be read", clock(b.Window.Start))
	case gap.After(r.last.Window.End):
		text += fmt.Sprintf("; %s to %s is lost", clock(r.last.Window.End), clock(gap))
	default:
		text += "; no minute is missing"
	}
	// The list may be shared with other batches of the member.
	b.Warnings = append(b.Warnings[:len(b.Warnings):len(b.Warnings)], telemetry.Warning{Code: telemetry.DamagedRecording, Text: text})
}

// where names the untold damage's place and cause, and marks it as told.
func (r *Reader) where() string {
	untold := r.damage[r.told:]
	r.told = len(r.damage)
	text := "the recording is " + untold[0].Error()
	if n := len(untold) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// farewell is the last batch of a recording whose end is damaged.
func (r *Reader) farewell() telemetry.Batch {
	text := r.where()
	if end := r.last.Window.End; end.IsZero() {
		text += "; no batch could be read"
	} else {
		text += "; it could be read to " + clock(end)
	}
	end := r.last.Window.End
	return telemetry.Batch{
		Source:    r.last.Source,
		Window:    telemetry.Window{Start: end, End: end, Period: r.last.Window.Period},
		FetchedAt: r.last.FetchedAt,
		Warnings:  []telemetry.Warning{{Code: telemetry.DamagedRecording, Text: text}},
	}
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
