package main

import (
	"context"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// source gives batches, the oldest first, and io.EOF at the end.
type source interface {
	Next(ctx context.Context) (telemetry.Batch, error)
}

// feed gives the screen a diagnosis for each batch of a source.
type feed struct {
	source   source
	analyzer *analysis.Analyzer
}

func newFeed(s source) *feed { return &feed{s, analysis.New()} }

// Next waits for the source's next batch.
func (f *feed) Next(ctx context.Context) (*analysis.Diagnosis, error) {
	b, err := f.source.Next(ctx)
	if err != nil {
		return nil, err
	}
	return f.analyzer.Observe(b), nil
}
