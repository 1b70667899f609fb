package replay

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Cutter keeps what falls in a span of time out of a run of batches. The first
// batch it lets through carries the descriptions that were told before it, so
// that the part can be understood without the rest.
type Cutter struct {
	// From is inclusive and To exclusive; zero is no bound.
	From, To time.Time

	before  telemetry.Batch // descriptions only
	started bool
}

// Take clips a batch. It reports false where nothing of it falls in the span.
// The batch itself isn't changed.
func (c *Cutter) Take(b telemetry.Batch) (telemetry.Batch, bool) {
	w := b.Window
	if !c.To.IsZero() && !w.Start.Before(c.To) {
		return telemetry.Batch{}, false
	}
	if !c.started {
		b = describe(c.before, b)
	}
	if !c.From.IsZero() && !w.End.After(c.From) {
		c.before = b
		return telemetry.Batch{}, false
	}
	c.started = true
	if w.Start.Before(c.From) {
		b.Window.Start = c.From
	}
	if !c.To.IsZero() && w.End.After(c.To) {
		b.Window.End = c.To
	}
	b.Series = slices.Clone(b.Series)
	for i := range b.Series {
		b.Series[i].Points = c.points(b.Series[i].Points)
	}
	b.Earlier = slices.Clone(b.Earlier)
	for i, e := range b.Earlier {
		b.Earlier[i].Points = (&Cutter{From: before(c.From, e.Ago), To: before(c.To, e.Ago)}).points(e.Points)
	}
	b.Rankings = slices.Clone(b.Rankings)
	for i := range b.Rankings {
		b.Rankings[i].Contributors = c.contributors(b.Rankings[i].Contributors)
	}
	b.Activities = slices.DeleteFunc(slices.Clone(b.Activities), func(a telemetry.ScalingActivity) bool {
		return !c.To.IsZero() && !a.Start.Before(c.To)
	})
	b.Marks = slices.DeleteFunc(slices.Clone(b.Marks), func(m telemetry.Mark) bool {
		return !c.To.IsZero() && !m.At.Before(c.To)
	})
	return b, true
}

// before is a bound so much earlier; no bound stays none.
func before(bound time.Time, ago time.Duration) time.Time {
	if bound.IsZero() {
		return bound
	}
	return bound.Add(-ago)
}

// points keeps those in the span. They are oldest first.
func (c *Cutter) points(points []telemetry.Point) []telemetry.Point {
	at := func(t time.Time) int {
		n, _ := slices.BinarySearchFunc(points, t, func(p telemetry.Point, t time.Time) int { return p.Time.Compare(t) })
		return n
	}
	from, to := 0, len(points)
	if !c.From.IsZero() {
		from = at(c.From)
	}
	if !c.To.IsZero() {
		to = max(from, at(c.To))
	}
	return points[from:to:to]
}

// contributors drops keys that aren't ranked in the span.
func (c *Cutter) contributors(all []telemetry.Contributor) []telemetry.Contributor {
	kept := make([]telemetry.Contributor, 0, len(all))
	for _, k := range all {
		if k.Points = c.points(k.Points); len(k.Points) > 0 {
			kept = append(kept, k)
		}
	}
	return kept
}

// describe adds to b the descriptions of an earlier batch that b doesn't renew.
func describe(earlier, b telemetry.Batch) telemetry.Batch {
	b.Tables = renew(earlier.Tables, b.Tables, func(t telemetry.Table) any { return t.ID })
	b.Insights = renew(earlier.Insights, b.Insights, func(i telemetry.Insights) any { return i.Resource })
	b.Quotas = renew(earlier.Quotas, b.Quotas, func(q telemetry.Quotas) any { return [2]string{q.Account, q.Region} })
	b.Shards = renew(earlier.Shards, b.Shards, func(s telemetry.Shards) any { return s.Table })
	b.Targets = renew(earlier.Targets, b.Targets, func(t telemetry.ScalingTarget) any {
		return [2]any{t.Resource, t.Direction}
	})
	b.Activities = renew(earlier.Activities, b.Activities, func(a telemetry.ScalingActivity) any {
		return [3]any{a.Resource, a.Direction, a.Start.UnixNano()}
	})
	b.Earlier = renew(earlier.Earlier, b.Earlier, func(e telemetry.Earlier) any { return [2]any{e.ID, e.Ago} })
	b.Marks = renew(earlier.Marks, b.Marks, func(m telemetry.Mark) any { return m })
	b.Warnings = renew(earlier.Warnings, b.Warnings, func(w telemetry.Warning) any { return w })
	return b
}

// renew is the earlier list with the later one's entries in place of those with
// the same key, and its new ones after them.
func renew[T any](earlier, later []T, key func(T) any) []T {
	if len(earlier) == 0 {
		return later
	}
	out := slices.Clone(earlier)
	at := make(map[any]int, len(out))
	for i, v := range out {
		at[key(v)] = i
	}
	for _, v := range later {
		if i, ok := at[key(v)]; ok {
			out[i] = v
			continue
		}
		out = append(out, v)
	}
	return out
}

// Copy writes what c keeps of the recording, and says how many batches that was.
func Copy(ctx context.Context, w *Writer, r *Reader, c *Cutter) (int, error) {
	for n := 0; ; {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		b, ok := c.Take(b)
		if !ok {
			continue
		}
		if err := w.Write(b); err != nil {
			return n, err
		}
		n++
	}
}
