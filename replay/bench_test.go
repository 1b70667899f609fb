package replay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// BenchmarkWriteDay and BenchmarkReadDay are a day of one busy table with three
// indexes: 80,640 points and 576,000 ranked values.
func BenchmarkWriteDay(b *testing.B) {
	batches := day()
	b.ReportAllocs()
	for b.Loop() {
		out := record(b, batches...)
		b.ReportMetric(float64(len(out)), "file-bytes")
	}
}

func BenchmarkReadDay(b *testing.B) {
	recording := record(b, day()...)
	b.ReportAllocs()
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(recording))
		if err != nil {
			b.Fatal(err)
		}
		for !errors.Is(err, io.EOF) {
			_, err = r.Next(context.Background())
		}
	}
}

func BenchmarkFirstBatch(b *testing.B) {
	recording := record(b, day()...)
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(recording))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Next(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
