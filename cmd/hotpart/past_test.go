package main

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis"
)

func TestPastIsWhatWasKnownHoweverOneGetsThere(t *testing.T) {
	in, err := app{}.load(t.Context(), "scaling-too-late")
	if err != nil {
		t.Fatal(err)
	}
	known := func(n int) *analysis.Diagnosis {
		a := analysis.New()
		for _, b := range in.batches[:n] {
			a.Add(b)
		}
		return a.Diagnose()
	}
	p, last := newPast(in.batches), len(in.batches)
	end := func(n int) time.Time { return in.batches[n-1].Window.End }
	for _, c := range []struct {
		name string
		at   time.Time
		want int // batches
	}{
		{"before the first step", time.Time{}, 1},
		{"a step on", end(2), 2},
		{"between two steps", end(20).Add(time.Second), 20},
		{"the end", end(last), last},
		{"after the end", end(last).Add(time.Hour), last},
		{"back", end(30), 30},
		{"the same again", end(30), 30},
		{"the start", end(1), 1},
	} {
		d, until, err := p.At(t.Context(), c.at)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(known(c.want), d); diff != "" {
			t.Errorf("%s: not what %d batches tell:\n%s", c.name, c.want, diff)
		}
		if c.want == last && !until.IsZero() || c.want < last && !until.Equal(end(c.want+1)) {
			t.Errorf("%s: it holds until %v", c.name, until)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := newPast(in.batches).At(ctx, end(last)); err == nil {
		t.Error("it goes on although nobody waits any more")
	}
}
