package awsserver

import (
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Join makes one batch of successive ones, such as those of a recording: the last
// description of each kind, and all points.
func Join(batches []telemetry.Batch) telemetry.Batch {
	var out telemetry.Batch
	for i, b := range batches {
		if i == 0 {
			out.Source, out.Window = b.Source, b.Window
		}
		if b.Window.Start.Before(out.Window.Start) {
			out.Window.Start = b.Window.Start
		}
		if b.Window.End.After(out.Window.End) {
			out.Window.End = b.Window.End
		}
		out.Tables = latest(out.Tables, b.Tables, func(t telemetry.Table) any { return t.ID })
		out.Insights = latest(out.Insights, b.Insights, func(i telemetry.Insights) any { return i.Resource })
		out.Quotas = latest(out.Quotas, b.Quotas, func(q telemetry.Quotas) any { return q.Account + q.Region })
		out.Shards = latest(out.Shards, b.Shards, func(s telemetry.Shards) any { return s.Stream })
		out.Targets = latest(out.Targets, b.Targets, func(t telemetry.ScalingTarget) any {
			return [2]any{t.Resource, t.Direction}
		})
		out.Activities = latest(out.Activities, b.Activities, func(a telemetry.ScalingActivity) any {
			return [3]any{a.Resource, a.Direction, a.Start.UnixNano()}
		})
	}
	for _, b := range batches {
		out.Marks = append(out.Marks, b.Marks...)
	}
	out.Marks = telemetry.SortMarks(out.Marks)
	out.Series, out.Rankings = joinSeries(batches), joinRankings(batches)
	return out
}

// latest replaces what has the same key, and adds the rest.
func latest[T any](known, more []T, key func(T) any) []T {
	for _, m := range more {
		if i := slices.IndexFunc(known, func(k T) bool { return key(k) == key(m) }); i >= 0 {
			known[i] = m
			continue
		}
		known = append(known, m)
	}
	return known
}

func joinSeries(batches []telemetry.Batch) []telemetry.Series {
	var out []telemetry.Series
	at := map[telemetry.SeriesID]int{}
	for _, b := range batches {
		for _, s := range b.Series {
			i, known := at[s.ID]
			if !known {
				i = len(out)
				at[s.ID] = i
				out = append(out, telemetry.Series{ID: s.ID, Period: s.Period, Status: s.Status, Points: []telemetry.Point{}})
			}
			out[i].Points = append(out[i].Points, s.Points...)
		}
	}
	for i := range out {
		out[i].Points = telemetry.SortPoints(out[i].Points)
	}
	return out
}

// joinRankings makes one ranking a rule, of every key that any had.
func joinRankings(batches []telemetry.Batch) []telemetry.Ranking {
	type place struct {
		rule string
		key  telemetry.Key
	}
	var out []telemetry.Ranking
	rules := map[string]int{}
	keys := map[place]int{}
	for _, b := range batches {
		for _, r := range b.Rankings {
			i, known := rules[r.Rule]
			if !known {
				i = len(out)
				rules[r.Rule] = i
				first := r
				first.Contributors = []telemetry.Contributor{}
				out = append(out, first)
			}
			for _, c := range r.Contributors {
				j, known := keys[place{r.Rule, c.Key}]
				if !known {
					j = len(out[i].Contributors)
					keys[place{r.Rule, c.Key}] = j
					out[i].Contributors = append(out[i].Contributors, telemetry.Contributor{Key: c.Key})
				}
				out[i].Contributors[j].Points = append(out[i].Contributors[j].Points, c.Points...)
			}
		}
	}
	for _, r := range out {
		for j := range r.Contributors {
			r.Contributors[j].Points = telemetry.SortPoints(r.Contributors[j].Points)
		}
	}
	return out
}
