package collectors

import (
	"context"
	"sync"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// task makes one call, or a few that need each other, and puts the answer where
// no other task does. What went wrong it returns.
type task func(ctx context.Context) []telemetry.Warning

// concurrency bounds the calls in flight. AWS's control planes answer a few
// dozen calls a second; an hour of a table with two indexes takes about twenty.
const concurrency = 12

// roundLimit bounds a round of calls, so that a poll ends before the next is due.
const roundLimit = 25 * time.Second

// parallel runs the tasks, returns when all have ended, and gives their warnings
// in the tasks' order.
func parallel(ctx context.Context, tasks []task) []telemetry.Warning {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	warnings := make([][]telemetry.Warning, len(tasks))
	slots := make(chan struct{}, concurrency)
	var running sync.WaitGroup
	for i, t := range tasks {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			warnings[i] = t(ctx)
		})
	}
	running.Wait()
	var all []telemetry.Warning
	for _, w := range warnings {
		all = append(all, w...)
	}
	return all
}

// pacer keeps calls of one kind apart.
type pacer struct {
	gap  time.Duration
	mu   sync.Mutex
	next time.Time
}

// wait returns when the caller's turn has come, or with the context's error.
func (p *pacer) wait(ctx context.Context, now time.Time) error {
	p.mu.Lock()
	turn := p.next
	if turn.Before(now) {
		turn = now
	}
	p.next = turn.Add(p.gap)
	p.mu.Unlock()
	return sleep(ctx, turn.Sub(now))
}

// sleep waits, or returns the context's error as soon as it is done.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
