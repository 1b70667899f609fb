package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// expectation is what an expected.json says happened. Of Cause and of Limit with
// LimitAlso each value counts as right.
type expectation struct {
	Healthy bool
	Events  []expectedEvent
}

type expectedEvent struct {
	Table, Index, Operation string
	Cause                   []string
	Limit                   string
	LimitAlso               []string `json:"limit_also"`
	Start, End              time.Time
	Ongoing, Optional       bool
	Contributing            []string
	Keys                    []reportedKey
	HottestPartition        *struct {
		UnitsPerSecond float64 `json:"units_per_second"`
	} `json:"hottest_partition"`
}

type reportedKey struct {
	PartitionKey string `json:"partition_key"`
}

// reportedEvent is an event of the JSON report.
type reportedEvent struct {
	Table, Index, Operation string
	Cause, Limit            string
	Start, End              time.Time
	Ongoing                 bool
	Confidence              float64
	Contributing            []string
	Keys                    []reportedKey
	HottestPartition        *struct{ Low, High float64 } `json:"hottest_partition"`
}

// TestCapturesAreDiagnosedAsTheyHappened compares the report of each capture with
// the expected.json beside it: cause, limit, place, first key, contributing
// factors, start and end within a minute, and the hottest partition's range.
func TestCapturesAreDiagnosedAsTheyHappened(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "captures", "*", "expected.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no captures", err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want expectation
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			for _, problem := range compare(want, diagnoseJSON(t, dir)) {
				t.Error(problem)
			}
		})
	}
}

// diagnoseJSON runs the command, and decodes its events.
func diagnoseJSON(t *testing.T, path string) []reportedEvent {
	t.Helper()
	var out, errs bytes.Buffer
	a := app{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }}
	if status := run(t.Context(), []string{"diagnose", "--from", path, "--format", "json"}, a); status != statusDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	var got struct{ Events []reportedEvent }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got.Events
}

// compare lists what is wrong with the events that were reported. Notes count
// only where something is expected.
func compare(want expectation, all []reportedEvent) []string {
	got := slices.DeleteFunc(slices.Clone(all), func(e reportedEvent) bool { return want.Healthy && e.Confidence < 0.5 })
	used := make([]bool, len(got))
	var problems []string
	for _, w := range want.Events {
		best := -1
		for i, e := range got {
			same := e.Table == w.Table && e.Index == w.Index && e.Operation == w.Operation
			if same && !used[i] && (best < 0 || len(w.differences(e)) < len(w.differences(got[best]))) {
				best = i
			}
		}
		switch {
		case best >= 0:
			used[best] = true
			problems = append(problems, w.differences(got[best])...)
		case !w.Optional:
			problems = append(problems, fmt.Sprintf("missing: %s on %s/%s %s", w.Cause[0], w.Table, w.Index, w.Operation))
		}
	}
	for i, e := range got {
		if !used[i] && e.Confidence >= 0.5 {
			problems = append(problems, fmt.Sprintf("surplus: %s on %s/%s %s (%v)", e.Cause, e.Table, e.Index, e.Operation, e.Confidence))
		}
	}
	return problems
}

// differences lists where an event differs from what happened.
func (w expectedEvent) differences(e reportedEvent) []string {
	var problems []string
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	add(!slices.Contains(w.Cause, e.Cause), "cause %s, want one of %v", e.Cause, w.Cause)
	add(e.Limit != w.Limit && !slices.Contains(w.LimitAlso, e.Limit), "limit %s, want %s", e.Limit, w.Limit)
	add(len(w.Keys) > 0 && (len(e.Keys) == 0 || !slices.Contains(w.Keys, e.Keys[0])), "keys %v, want one of %v first", e.Keys, w.Keys)
	for _, factor := range w.Contributing {
		add(!slices.Contains(e.Contributing, factor), "contributing %v lacks %s", e.Contributing, factor)
	}
	add(e.Start.Sub(w.Start).Abs() > time.Minute, "start %s, want %s", e.Start, w.Start)
	add(!w.Ongoing && e.End.Sub(w.End).Abs() > time.Minute, "end %s, want %s", e.End, w.End)
	add(e.Ongoing != w.Ongoing, "ongoing is %v", e.Ongoing)
	if h, truth := e.HottestPartition, w.HottestPartition; h != nil && truth != nil {
		served := truth.UnitsPerSecond
		add(served < h.Low || served > h.High, "hottest partition %v to %v, want %v within", h.Low, h.High, served)
	}
	add(e.Confidence < 0.5 && e.Cause != "undetermined", "confidence %v", e.Confidence)
	return problems
}
