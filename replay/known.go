package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// known are the definitions that a reader has met in the present member.
type known struct {
	span       span
	size       int // bytes of the definitions' text
	objects    int // in the definitions
	sources    map[int]telemetry.Source
	tables     map[int][]telemetry.Table
	insights   map[int][]telemetry.Insights
	quotas     map[int][]telemetry.Quotas
	shards     map[int][]telemetry.Shards
	targets    map[int][]telemetry.ScalingTarget
	activities map[int][]telemetry.ScalingActivity
	marks      map[int][]telemetry.Mark
	warnings   map[int][]telemetry.Warning
	series     map[int]seriesHead
	rankings   map[int]rankingHead
}

// define takes in a definition. One of an unknown kind is ignored.
func (k *known) define(l anyLine) error {
	if k.size += len(l.Value); k.size > maxDefinitions {
		return fmt.Errorf("more than %d MiB of definitions", maxDefinitions>>20)
	}
	if k.objects += bytes.Count(l.Value, []byte("{")); k.objects > maxObjects {
		return fmt.Errorf("more than %d objects in definitions", maxObjects)
	}
	switch l.What {
	case whatSource:
		return keep(&k.sources, l)
	case whatTables:
		return keep(&k.tables, l)
	case whatInsights:
		return keep(&k.insights, l)
	case whatQuotas:
		return keep(&k.quotas, l)
	case whatShards:
		return keep(&k.shards, l)
	case whatTargets:
		return keep(&k.targets, l)
	case whatActivities:
		return keep(&k.activities, l)
	case whatMarks:
		return keep(&k.marks, l)
	case whatWarnings:
		return keep(&k.warnings, l)
	case whatSeries:
		return keep(&k.series, l)
	case whatRanking:
		return keep(&k.rankings, l)
	}
	return nil
}

func keep[T any](into *map[int]T, l anyLine) error {
	var value T
	if err := json.Unmarshal(l.Value, &value); err != nil {
		return fmt.Errorf("definition of %s: %w", l.What, err)
	}
	if *into == nil {
		*into = map[int]T{}
	}
	(*into)[l.N] = value
	return nil
}

// find is what a number was defined as; the zero value for 0.
func find[T any](what string, from map[int]T, n int, errs *[]error) T {
	value, ok := from[n]
	if !ok && n != 0 {
		*errs = append(*errs, fmt.Errorf("%s %d is not defined", what, n))
	}
	return value
}

// batch puts a batch together again. Batches share what they refer to.
func (k *known) batch(text []byte) (telemetry.Batch, error) {
	var l batchLine
	if err := json.Unmarshal(text, &l); err != nil {
		return telemetry.Batch{}, err
	}
	var errs []error
	b := telemetry.Batch{
		Source:     find(whatSource, k.sources, l.Source, &errs),
		FetchedAt:  l.FetchedAt,
		Tables:     find(whatTables, k.tables, l.Tables, &errs),
		Insights:   find(whatInsights, k.insights, l.Insights, &errs),
		Quotas:     find(whatQuotas, k.quotas, l.Quotas, &errs),
		Shards:     find(whatShards, k.shards, l.Shards, &errs),
		Targets:    find(whatTargets, k.targets, l.Targets, &errs),
		Activities: find(whatActivities, k.activities, l.Activities, &errs),
		Marks:      find(whatMarks, k.marks, l.Marks, &errs),
		Warnings:   find(whatWarnings, k.warnings, l.Warnings, &errs),
	}
	b.Window.Start, b.Window.End, b.Window.Period = l.Start, l.End, time.Duration(l.Period)
	for _, part := range l.Series {
		head := find(whatSeries, k.series, part.N, &errs)
		s := telemetry.Series{ID: head.SeriesID, Period: time.Duration(head.Period), Status: part.Status, Points: part.Points}
		if s.Status == "" {
			s.Status = telemetry.Complete
		}
		b.Series = append(b.Series, s)
	}
	for _, part := range l.Earlier {
		head := find(whatSeries, k.series, part.N, &errs)
		b.Earlier = append(b.Earlier, telemetry.Earlier{ID: head.SeriesID, Ago: time.Duration(part.Ago), Period: time.Duration(head.Period), Points: part.Points})
	}
	for _, part := range l.Rankings {
		head := find(whatRanking, k.rankings, part.N, &errs)
		r := telemetry.Ranking{
			Resource: head.Resource, Kind: head.RuleKind, Rule: head.Rule, KeyLabels: head.KeyLabels,
			Start: part.Start, End: part.End, Aggregate: part.Aggregate, Unique: part.Unique,
			Contributors: make([]telemetry.Contributor, len(part.Contributors)),
		}
		for i, c := range part.Contributors {
			r.Contributors[i] = c.contributor()
		}
		errs = append(errs, checkKeys(r.Contributors)...)
		b.Rankings = append(b.Rankings, r)
	}
	if err := k.span.add(b.Window); err != nil {
		errs = append(errs, err)
	}
	return b, errors.Join(errs[:min(1, len(errs))]...)
}
