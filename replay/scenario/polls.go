package scenario

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// How late points are published. One-minute points converge within a few minutes,
// five-minute ones were seen six to seven minutes late (a public report on
// provisioned capacity points); AWS publishes no figure: assumption.
const (
	minuteDelay = time.Minute
	fiveDelay   = 6 * time.Minute
	lookBack    = 15 * time.Minute
)

// Polls is the incident as it would have been seen live, one poll a minute: each
// asks for the last quarter of an hour, the newest minute is told in part and
// revised by the next poll, capacity comes late, and each poll ranks the keys of
// its own window. Descriptions come with the first poll.
func (in *Incident) Polls() []telemetry.Batch {
	s := in.Scenario
	rng := rand.New(rand.NewPCG(uint64(len(in.batch.Series)), uint64(s.Length)))
	var out []telemetry.Batch
	for at := s.Start.Add(5 * time.Minute); !at.After(s.end().Add(fiveDelay)); at = at.Add(time.Minute) {
		out = append(out, in.poll(at, rng, len(out) == 0))
	}
	return out
}

func (in *Incident) poll(at time.Time, rng *rand.Rand, first bool) telemetry.Batch {
	s := in.Scenario
	window := telemetry.Window{Start: at.Add(-lookBack), End: at, Period: time.Minute}
	if window.Start.Before(s.Start) {
		window.Start = s.Start
	}
	b := telemetry.Batch{Source: in.batch.Source, Window: window, FetchedAt: at.Add(3 * time.Second)}
	if first {
		b.Tables, b.Insights, b.Quotas = in.batch.Tables, in.batch.Insights, in.batch.Quotas
		b.Shards, b.Targets = in.batch.Shards, in.batch.Targets
	}
	for _, a := range in.batch.Activities {
		if !a.Start.After(at) && (first || a.End.After(at.Add(-lookBack))) {
			b.Activities = append(b.Activities, a)
		}
	}
	part := 0.5 + 0.45*rng.Float64()
	for _, series := range in.batch.Series {
		delay := minuteDelay
		if series.Period > time.Minute {
			delay = fiveDelay
		}
		kept := []telemetry.Point{}
		for _, p := range within(series.Points, window.Start, window.End) {
			ready := p.Time.Add(series.Period).Add(delay)
			if ready.After(at) {
				break
			}
			if ready.Equal(at) && series.Period == time.Minute && adds(series.ID.Stat) {
				p.Value = math.Round(p.Value * part)
			}
			kept = append(kept, p)
		}
		series.Points = kept
		b.Series = append(b.Series, series)
	}
	for _, r := range in.rules {
		b.Rankings = append(b.Rankings, r.ranking(s.id(r.unit.name), window.Start, at.Add(-minuteDelay-time.Minute)))
	}
	return b
}

// adds reports whether late samples raise a statistic.
func adds(s telemetry.Statistic) bool { return s == telemetry.Sum || s == telemetry.SampleCount }
