package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// checkExpect compares a diagnosis with the expect part of a case.
func checkExpect(t *testing.T, d *Diagnosis, text string) {
	t.Helper()
	events := slices.Clone(d.Events)
	var current *Event
	healthy := false
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case words[0] == "healthy":
			healthy = true
		case line[0] == ' ' || line[0] == '\t':
			if current == nil {
				continue
			}
			if problem := checkDetail(current, words[0], strings.Join(words[1:], " ")); problem != "" {
				t.Errorf("expect:%d: %s", n+1, problem)
			}
		default:
			i := slices.IndexFunc(events, func(e *Event) bool { return eventLine(e) == strings.Join(words, " ") })
			if i < 0 {
				t.Errorf("expect:%d: no event %q", n+1, line)
				current = nil
				continue
			}
			current = events[i]
			events = slices.Delete(events, i, i+1)
		}
	}
	for _, e := range events {
		if !e.Note() {
			t.Errorf("unexpected event: %s (%.2f)", eventLine(e), e.Confidence)
		}
	}
	if healthy && t.Failed() || !healthy && t.Failed() {
		t.Log(describe(d))
	}
}

func eventLine(e *Event) string {
	place := string(e.Direction)
	if e.Resource.Index != "" {
		place = e.Resource.Index + "/" + place
	}
	line := fmt.Sprintf("%s %s %s %s-%s", e.Cause, e.Limit, place, e.Start.Format("15:04"), e.End.Format("15:04"))
	if e.Ongoing {
		line += " ongoing"
	}
	return line
}

func checkDetail(e *Event, what, value string) string {
	holds := false
	switch what {
	case "key":
		holds = len(e.Keys) > 0 && e.Keys[0].Key.Partition == value
	case "no-key":
		holds = len(e.Keys) == 0
	case "confidence":
		holds = e.Confidence >= num(strings.TrimPrefix(value, ">= "))
	case "factor":
		holds = slices.Contains(e.Contributing, Factor(value))
	case "no-factor":
		holds = !slices.Contains(e.Contributing, Factor(value))
	case "hottest":
		if value == "none" {
			holds = e.Hottest == nil
		} else if e.Hottest != nil {
			low, high := interval(value)
			holds = float64(e.Hottest.Low) >= low && float64(e.Hottest.High) <= high
		}
	case "demand":
		low, high := interval(value)
		holds = e.Demand != nil && e.Demand.Likely >= low && e.Demand.Likely <= high
	case "seconds":
		low, high := interval(value)
		holds = e.SecondsAtCeiling != nil && e.SecondsAtCeiling.Low >= low && e.SecondsAtCeiling.High <= high
	case "splits":
		holds = e.Splitting != nil && e.Splitting.Cures == (value == "yes")
	case "evidence":
		holds = slices.ContainsFunc(e.Evidence, func(v Evidence) bool { return strings.Contains(v.Text, value) })
	case "missing":
		holds = slices.ContainsFunc(e.Missing, func(m string) bool { return strings.Contains(m, value) })
	default:
		return "unknown detail " + what
	}
	if holds {
		return ""
	}
	return fmt.Sprintf("%s: %s %s doesn't hold", eventLine(e), what, value)
}

func interval(s string) (low, high float64) {
	a, b, _ := strings.Cut(s, "..")
	return num(a), num(b)
}

// describe sets out a diagnosis for the log of a failed case.
func describe(d *Diagnosis) string {
	var b strings.Builder
	for _, e := range d.Events {
		fmt.Fprintf(&b, "\n%s confidence %.2f factors %v\n", eventLine(e), e.Confidence, e.Contributing)
		if e.Hottest != nil {
			fmt.Fprintf(&b, "  hottest %.0f..%.0f\n", e.Hottest.Low, e.Hottest.High)
		}
		if e.Demand != nil {
			fmt.Fprintf(&b, "  demand %.0f in %.0f..%.0f\n", e.Demand.Likely, e.Demand.Low, e.Demand.High)
		}
		fmt.Fprintf(&b, "  seconds %v splitting %+v\n", e.SecondsAtCeiling, e.Splitting)
		for _, k := range e.Keys {
			fmt.Fprintf(&b, "  key %v %+v\n", k.Key, k.Rate)
		}
		for _, v := range e.Evidence {
			fmt.Fprintf(&b, "  %+.1f %s\n", v.Weight, v.Text)
		}
		for _, m := range e.Missing {
			fmt.Fprintf(&b, "  missing: %s\n", m)
		}
	}
	for _, w := range d.Warnings {
		fmt.Fprintf(&b, "  warning %s %s\n", w.Code, telemetry.Clean(w.Text))
	}
	return b.String()
}
