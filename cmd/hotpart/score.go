package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/scenario"
)

// score diagnoses random incidents and prints how often the diagnosis is right.
func (a app) score(ctx context.Context, how simulation) error {
	if how.number < 1 {
		return usage("-n %d: want at least one scenario", how.number)
	}
	trials, err := runTrials(ctx, how)
	if err != nil {
		return err
	}
	sheet := newScoreSheet()
	for _, t := range trials {
		sheet.add(t)
	}
	return sheet.print(a.out, how.detail)
}

// trial is one incident with the truth and the diagnosis.
type trial struct {
	name   string
	truth  scenario.Truth
	events []*analysis.Event
	// ranked says of each resource, by its index, whether its keys could be
	// seen.
	ranked map[string]bool
}

// runTrials plays and diagnoses scenarios with consecutive seeds, in the order of
// the seeds.
func runTrials(ctx context.Context, how simulation) ([]trial, error) {
	n := how.number
	trials := make([]trial, n)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, runtime.NumCPU()) {
		workers.Go(func() {
			for i := range next {
				trials[i] = runTrial(how.seed+uint64(i), how.live)
			}
		})
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(next)
	workers.Wait()
	return trials, err
}

func runTrial(seed uint64, live bool) trial {
	s := scenario.Random(seed)
	in := scenario.Generate(s, seed)
	analyzer := analysis.New()
	batches := []telemetry.Batch{in.Batch()}
	if live {
		batches = in.Polls()
	}
	for _, b := range batches {
		analyzer.Add(b)
	}
	t := trial{name: s.Name, truth: in.Truth, events: analyzer.Diagnose().Events, ranked: map[string]bool{}}
	t.ranked[""] = s.Table.Insights == scenario.InsightsAccessed || s.Table.Insights == scenario.InsightsThrottled
	for _, x := range s.Indexes {
		t.ranked[x.Name] = x.Insights == scenario.InsightsAccessed
	}
	return t
}

// matches reports whether an event is about what really happened: the same
// place, at a time that overlaps.
func matches(e *analysis.Event, t *scenario.Event) bool {
	return e.Resource.Table == t.Table && e.Resource.Index == t.Index && e.Direction == t.Operation && overlap(e, t) > 0
}

func overlap(e *analysis.Event, t *scenario.Event) time.Duration {
	from, to := e.Start, e.End
	if t.Start.After(from) {
		from = t.Start
	}
	if t.End.Before(to) {
		to = t.End
	}
	return to.Sub(from)
}

// answer is the event that best answers a true one; nil where none does.
func (t *trial) answer(truth *scenario.Event) *analysis.Event {
	var best *analysis.Event
	for _, e := range t.events {
		if e.Note() || !matches(e, truth) {
			continue
		}
		if best == nil || overlap(e, truth) > overlap(best, truth) {
			best = e
		}
	}
	return best
}

// about is the true event that a reported one is about; nil where there is none.
func (t *trial) about(e *analysis.Event) *scenario.Event {
	var best *scenario.Event
	for i := range t.truth.Events {
		truth := &t.truth.Events[i]
		if matches(e, truth) && (best == nil || overlap(e, truth) > overlap(e, best)) {
			best = truth
		}
	}
	return best
}

// shards is what an event's advice says of the number of keys; 0 where nothing.
func shards(e *analysis.Event) float64 {
	for _, r := range e.Recommendations {
		if r.Action != analysis.ShardKey && r.Action != analysis.ShardIndexKey {
			continue
		}
		switch n := r.Parameters["shards"].(type) {
		case int:
			return float64(n)
		case float64:
			return n
		}
	}
	return 0
}

// wanted words a true event for a list of errors.
func wanted(t *scenario.Event) string {
	return fmt.Sprintf("%s/%s %s by %s at %s", t.Index, t.Operation, t.Causes[0], t.Limit, t.Start.Format("15:04"))
}
