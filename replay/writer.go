package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// memberSpan is how much recorded time a gzip member holds: what one damaged
// byte may cost. Measured over a day of one table and three indexes, it adds 1 %
// to the size against a single member.
const memberSpan = 30 * time.Minute

// Writer appends batches to a recording. Every Write is flushed to the
// underlying writer before it returns. After an error nothing more can be
// written, and what was written before stays readable.
type Writer struct {
	under  io.Writer
	gz     *gzip.Writer // nil for plain text
	header Header
	began  time.Time // end of the member's first batch
	opened bool      // a member has been begun
	defs   definitions
	buf    bytes.Buffer
	err    error
	// sum and size are the checksum and length of the member's text that is flushed.
	sum, size uint32
}

// NewWriter begins a compressed recording. The header is written at once.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	writer := NewTextWriter(w, h)
	writer.gz = gzip.NewWriter(w)
	return writer, writer.begin()
}

// NewTextWriter writes the same lines uncompressed, as one member. The header is
// written with the first batch, or by Close.
func NewTextWriter(w io.Writer, h Header) *Writer {
	h.Format, h.Version = Format, Version
	return &Writer{under: w, header: h}
}

// begin starts a member and puts the header in it.
func (w *Writer) begin() error {
	w.defs = newDefinitions()
	w.opened, w.began, w.sum, w.size = true, time.Time{}, 0, 0
	w.buf.Reset()
	w.add(headerLine{Kind: kindHeader, Header: w.header})
	return w.flush()
}

// Write appends a batch and flushes it.
func (w *Writer) Write(b telemetry.Batch) error {
	if w.err != nil {
		return w.err
	}
	if err := w.turn(b.Window.End); err != nil {
		return err
	}
	w.buf.Reset()
	w.add(w.line(b))
	return w.flush()
}

// turn begins a new member when the present one is full.
func (w *Writer) turn(end time.Time) error {
	if !w.opened {
		if err := w.begin(); err != nil {
			return err
		}
	}
	if w.began.IsZero() {
		w.began = end
	}
	if age := end.Sub(w.began); w.gz == nil || age >= 0 && age < memberSpan {
		return nil
	}
	if err := w.gz.Close(); err != nil {
		return w.fail(err)
	}
	w.gz.Reset(w.under)
	err := w.begin()
	w.began = end
	return err
}

// Close ends the recording. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if !w.opened {
		if err := w.begin(); err != nil {
			return err
		}
	}
	w.err = errors.New("write recording: already closed")
	if w.gz == nil {
		return nil
	}
	return w.gz.Close()
}

func (w *Writer) fail(err error) error {
	w.err = fmt.Errorf("write recording: %w", err)
	return w.err
}

func (w *Writer) failIf(err error) error {
	if err == nil {
		return nil
	}
	return w.fail(err)
}

// add appends one line to the buffer.
func (w *Writer) add(line any) {
	if w.err != nil {
		return
	}
	enc := json.NewEncoder(&w.buf)
	enc.SetEscapeHTML(false)
	before := w.buf.Len()
	if err := enc.Encode(line); err != nil {
		_ = w.fail(err)
	} else if n := w.buf.Len() - before; n > maxLine {
		_ = w.fail(fmt.Errorf("a line of %d bytes is over the limit of %d", n, maxLine))
	}
}

// flush writes the buffered lines and flushes them.
func (w *Writer) flush() error {
	if w.err != nil {
		return w.err
	}
	if w.gz == nil {
		_, err := w.under.Write(w.buf.Bytes())
		return w.failIf(err)
	}
	if _, err := w.gz.Write(w.buf.Bytes()); err != nil {
		return w.fail(err)
	}
	if err := w.gz.Flush(); err != nil {
		return w.fail(err)
	}
	w.sum = crc32.Update(w.sum, crc32.IEEETable, w.buf.Bytes())
	w.size += uint32(w.buf.Len())
	return nil
}

// Ending is what makes a whole recording of what is written up to now, where this Writer
// can't go on: the end of the present gzip member, empty for plain text. It goes behind
// the last byte of the last Write or of NewWriter, and nothing of this Writer after it.
func (w *Writer) Ending() []byte {
	if w.gz == nil {
		return nil
	}
	ending := []byte{0x01, 0x00, 0x00, 0xff, 0xff} // an empty stored block, the last (RFC 1951, 3.2.4)
	ending = binary.LittleEndian.AppendUint32(ending, w.sum)
	return binary.LittleEndian.AppendUint32(ending, w.size)
}

// line turns a batch into its line, and adds the lines that define what it
// refers to.
func (w *Writer) line(b telemetry.Batch) batchLine {
	l := batchLine{
		Kind: kindBatch, Start: b.Window.Start.UTC(), End: b.Window.End.UTC(),
		Period: duration(b.Window.Period), FetchedAt: b.FetchedAt.UTC(),
	}
	if b.Source != (telemetry.Source{}) {
		l.Source = w.define(whatSource, b.Source)
	}
	l.Tables = defineList(w, whatTables, b.Tables)
	l.Insights = defineList(w, whatInsights, b.Insights)
	l.Quotas = defineList(w, whatQuotas, b.Quotas)
	l.Shards = defineList(w, whatShards, b.Shards)
	l.Targets = defineList(w, whatTargets, b.Targets)
	l.Activities = defineList(w, whatActivities, b.Activities)
	l.Marks = defineList(w, whatMarks, b.Marks)
	l.Warnings = defineList(w, whatWarnings, b.Warnings)
	for _, s := range b.Series {
		part := seriesPart{N: w.defineSeries(s), Points: s.Points}
		if s.Status != telemetry.Complete {
			part.Status = s.Status
		}
		l.Series = append(l.Series, part)
	}
	for _, e := range b.Earlier {
		n := w.defineSeries(telemetry.Series{ID: e.ID, Period: e.Period})
		l.Earlier = append(l.Earlier, earlierPart{N: n, Ago: duration(e.Ago), Points: e.Points})
	}
	for _, r := range b.Rankings {
		l.Rankings = append(l.Rankings, w.ranking(r))
	}
	return l
}

func (w *Writer) ranking(r telemetry.Ranking) rankingPart {
	part := rankingPart{
		N:     w.define(whatRanking, rankingHead{Resource: r.Resource, RuleKind: r.Kind, Rule: r.Rule, KeyLabels: r.KeyLabels}),
		Start: r.Start.UTC(), End: r.End.UTC(), Aggregate: r.Aggregate, Unique: r.Unique,
	}
	for _, k := range r.Contributors {
		part.Contributors = append(part.Contributors, contributorToPart(k))
	}
	return part
}
