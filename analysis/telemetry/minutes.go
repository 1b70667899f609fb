package telemetry

import (
	"iter"
	"slices"
	"time"
)

// Minutes cuts a batch into steps of one period each, oldest first, as if it had
// been told as it happened: descriptions, states, earlier days and warnings come with the
// first step, each point, ranked value, scaling activity and mark with the step
// it falls in. Points outside the window are dropped. Observing all steps is the
// same as observing the batch.
func Minutes(b Batch) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		period := b.Window.Period
		if period <= 0 {
			period = time.Minute
		}
		steps := newCutter(b)
		for start := b.Window.Start; start.Before(b.Window.End); start = start.Add(period) {
			step := steps.until(start.Add(period))
			step.Window = Window{Start: start, End: start.Add(period), Period: b.Window.Period}
			if start.Equal(b.Window.Start) {
				step.Tables, step.Insights, step.Quotas = b.Tables, b.Insights, b.Quotas
				step.Shards, step.Targets, step.Warnings = b.Shards, b.Targets, b.Warnings
				step.Earlier = b.Earlier
			}
			if !yield(step) {
				return
			}
		}
	}
}

// cutter walks all series and contributors of a batch forward in time once.
type cutter struct {
	batch        Batch
	series       []int   // next point of each series
	contributors [][]int // next point of each ranking's contributors
	activities   []ScalingActivity
	marks        []Mark
}

func newCutter(b Batch) *cutter {
	c := &cutter{batch: b, series: make([]int, len(b.Series))}
	for _, r := range b.Rankings {
		c.contributors = append(c.contributors, make([]int, len(r.Contributors)))
	}
	c.activities = slices.Clone(b.Activities)
	slices.SortStableFunc(c.activities, func(x, y ScalingActivity) int { return x.Start.Compare(y.Start) })
	c.marks = SortMarks(slices.Clone(b.Marks))
	return c
}

// until takes everything before end that wasn't taken yet. Activities
// and marks from before the window come with the first step.
func (c *cutter) until(end time.Time) Batch {
	out := Batch{Source: c.batch.Source, FetchedAt: c.batch.FetchedAt}
	for i, s := range c.batch.Series {
		s.Points, c.series[i] = c.take(s.Points, c.series[i], end)
		out.Series = append(out.Series, s)
	}
	for i, r := range c.batch.Rankings {
		kept := []Contributor{}
		for j, k := range r.Contributors {
			k.Points, c.contributors[i][j] = c.take(k.Points, c.contributors[i][j], end)
			if len(k.Points) > 0 {
				kept = append(kept, k)
			}
		}
		r.Contributors = kept
		out.Rankings = append(out.Rankings, r)
	}
	n := 0
	for n < len(c.activities) && c.activities[n].Start.Before(end) {
		n++
	}
	out.Activities, c.activities = c.activities[:n:n], c.activities[n:]
	n = 0
	for n < len(c.marks) && c.marks[n].At.Before(end) {
		n++
	}
	out.Marks, c.marks = c.marks[:n:n], c.marks[n:]
	return out
}

func (c *cutter) take(points []Point, from int, end time.Time) ([]Point, int) {
	for from < len(points) && points[from].Time.Before(c.batch.Window.Start) {
		from++
	}
	to := from
	for to < len(points) && points[to].Time.Before(end) {
		to++
	}
	return points[from:to:to], to
}
