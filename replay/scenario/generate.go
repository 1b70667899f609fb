package scenario

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Incident is a scenario that has been played: what AWS would have reported, and
// what really happened.
type Incident struct {
	Scenario *Scenario
	Truth    Truth
	batch    telemetry.Batch
	rules    []*rule
}

// Generate plays a scenario. The same scenario and seed give the same incident.
func Generate(s *Scenario, seed uint64) *Incident {
	w := play(s, seed)
	in := &Incident{Scenario: s, Truth: w.truth()}
	in.emit(w, seed)
	return in
}

// Play is Generate's truth alone, without what AWS would have reported of it.
func Play(s *Scenario, seed uint64) Truth { return play(s, seed).truth() }

func play(s *Scenario, seed uint64) *world {
	w := newWorld(s, rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)))
	w.run()
	return w
}

// Batch is all of the incident at once, as one would fetch it afterwards: one
// report of each rule over the whole window.
func (in *Incident) Batch() telemetry.Batch {
	b := in.batch
	for _, r := range in.rules {
		b.Rankings = append(b.Rankings, r.ranking(in.Scenario.id(r.unit.name), b.Window.Start, b.Window.End))
	}
	return b
}

// TruthJSON is the truth as a recording's header holds it.
func (in *Incident) TruthJSON() (json.RawMessage, error) {
	text, err := json.Marshal(in.Truth)
	if err != nil {
		return nil, fmt.Errorf("encode the truth of scenario %q: %w", in.Scenario.Name, err)
	}
	return text, nil
}

// snapshots describe the table and its indexes as they are now.
func (w *world) snapshots() []snapshot {
	var out []snapshot
	for _, u := range w.units() {
		out = append(out, u.snapshot())
	}
	return out
}

// emit writes the batch.
func (in *Incident) emit(w *world, seed uint64) {
	s := w.s
	in.batch = telemetry.Batch{
		Source: telemetry.Source{Kind: telemetry.SourceRecording, Name: s.Name},
		Window: telemetry.Window{Start: s.Start, End: s.end(), Period: time.Minute},
		Quotas: []telemetry.Quotas{{
			Account: s.Account, Region: s.Region,
			PerTable:   telemetry.Throughput{Read: &s.Quota, Write: &s.Quota},
			PerAccount: telemetry.Throughput{Read: twice(s.Quota), Write: twice(s.Quota)},
		}},
	}
	snapshots, at := w.start, s.Start
	if s.DescribedAfter {
		snapshots, at = w.snapshots(), s.end()
	}
	in.batch.Tables = []telemetry.Table{w.describe(snapshots, at)}
	if s.Table.Stream {
		in.batch.Shards = []telemetry.Shards{w.shards(s.DescribedAfter)}
	}
	for _, sc := range w.scaler {
		percent := 100 * sc.Target
		in.batch.Targets = append(in.batch.Targets, telemetry.ScalingTarget{
			Resource: s.id(sc.Index), Direction: sc.Direction, Min: &sc.Min, Max: &sc.Max, Percent: &percent,
		})
		for _, a := range sc.activities {
			if !a.End.After(s.end()) {
				in.batch.Activities = append(in.batch.Activities, a)
			}
		}
	}
	slices.SortStableFunc(in.batch.Activities, func(a, b telemetry.ScalingActivity) int { return a.Start.Compare(b.Start) })
	e := &emitter{w: w, rng: rand.New(rand.NewPCG(seed, 2)), tails: rand.New(rand.NewPCG(seed, 4)), stray: w.strays()}
	in.batch.Series = e.all()
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, u := range w.units() {
		rules := w.rules(u)
		in.batch.Insights = append(in.batch.Insights, w.insights(u, rules))
		for _, r := range rules {
			ranker := &ranker{w: w, rng: rng, u: u, rule: r}
			ranker.count()
			if r.kind.Throttled() && u == w.table {
				ranker.strays(e.stray)
			}
		}
		in.rules = append(in.rules, rules...)
	}
}

func twice(r telemetry.Rate) *telemetry.Rate {
	r *= 2
	return &r
}

// rollingName is the key of a rolling load in the period that begins at t.
func rollingName(l *Load, start time.Time, t int) string {
	return strings.Replace(l.Keys[0].Name, "%", start.Add(seconds(t)).Format("2006-01-02T15:04"), 1)
}
