package main

import (
	"fmt"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// The most that is analysed at once, so that no file, however it was made, takes up
// all memory. At either bound an analysis takes about 3 GB. Thirty days of one
// table with three indexes and 25 keys a rule, a point a minute, are 18 million of
// each.
const (
	// maxValues bounds the values of series and rankings; a series or key without any
	// counts as one, and so do 32 bytes of a key.
	maxValues = 25_000_000
	// maxCells bounds what is laid out minute by minute: keys times minutes, and
	// tables and indexes, which take more, several times that.
	maxCells         = 25_000_000
	cellsPerResource = 8
)

// extent is how much the analysis of some batches has to hold.
type extent struct {
	from, to  time.Time
	period    time.Duration
	resources map[telemetry.ResourceID]*ranked
	values    int
}

// ranked is which partition keys of a resource are ranked.
type ranked struct{ keys map[string]bool }

// add takes a batch into account. The error says that it is too much.
func (e *extent) add(b telemetry.Batch) error {
	e.addWindow(b.Window)
	for _, s := range b.Series {
		if s.ID.Resource.Table != "" {
			e.resource(s.ID.Resource)
		}
		e.values += max(1, len(s.Points))
	}
	for _, r := range b.Rankings {
		of := e.resource(r.Resource)
		e.values++
		for _, c := range r.Contributors {
			if len(of.keys) < analysis.MaxKeys {
				of.keys[c.Key.Partition] = true
			}
			e.values += max(1, len(c.Points)) + (len(c.Key.Partition)+len(c.Key.Sort))/32
		}
	}
	return e.check()
}

func (e *extent) addWindow(w telemetry.Window) {
	if !w.Start.Before(w.End) {
		return
	}
	if e.from.IsZero() || w.Start.Before(e.from) {
		e.from = w.Start
	}
	if w.End.After(e.to) {
		e.to = w.End
	}
	if w.Period > 0 && (e.period == 0 || w.Period < e.period) {
		e.period = w.Period
	}
}

func (e *extent) resource(id telemetry.ResourceID) *ranked {
	r := e.resources[id]
	if r == nil {
		if e.resources == nil {
			e.resources = map[telemetry.ResourceID]*ranked{}
		}
		r = &ranked{keys: map[string]bool{}}
		e.resources[id] = r
	}
	return r
}

func (e *extent) check() error {
	const hint = "hint: a part of a recording: hotpart cut FILE --start -6h -o part.hotpart"
	if e.values > maxValues {
		return fmt.Errorf("more than %d million values, too many to analyse at once\n%s", maxValues/1_000_000, hint)
	}
	period := e.period
	if period == 0 {
		period = time.Minute
	}
	steps := int(e.to.Sub(e.from) / period)
	keys := 0
	for _, r := range e.resources {
		keys += len(r.keys)
	}
	if (keys+cellsPerResource*len(e.resources))*steps > maxCells {
		return fmt.Errorf("%d tables and indexes and %d keys over %d periods of %v are too much to analyse at once\n%s",
			len(e.resources), keys, steps, period, hint)
	}
	return nil
}
