package main

import (
	"context"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// past tells the screen what was known at a time, from batches, the oldest first. Going on
// takes the batches in between alone; going back begins anew.
type past struct {
	batches  []telemetry.Batch
	next     int // the first that isn't added yet
	analyzer *analysis.Analyzer
}

func newPast(batches []telemetry.Batch) *past { return &past{batches: batches} }

// At is what the batches that end by a time tell, the first one at least, and when the
// next of them ends; zero after the last.
func (p *past) At(ctx context.Context, t time.Time) (d *analysis.Diagnosis, until time.Time, err error) {
	if p.analyzer == nil || p.next > 1 && p.batches[p.next-1].Window.End.After(t) {
		p.analyzer, p.next = analysis.New(), 0
	}
	for p.next < len(p.batches) && (p.next == 0 || !p.batches[p.next].Window.End.After(t)) {
		if err := ctx.Err(); err != nil {
			return nil, until, err
		}
		p.analyzer.Add(p.batches[p.next])
		p.next++
	}
	if p.next < len(p.batches) {
		until = p.batches[p.next].Window.End
	}
	return p.analyzer.Diagnose(), until, nil
}

// earlier is what a live dashboard's first poll told of the time before it, minute by
// minute. It is laid out when it is first asked for.
type earlier struct {
	first telemetry.Batch
	past  *past
}

func (e *earlier) At(ctx context.Context, t time.Time) (*analysis.Diagnosis, time.Time, error) {
	if e.past == nil {
		e.past = newPast(slices.Collect(telemetry.Minutes(e.first)))
	}
	return e.past.At(ctx, t)
}
