package analysis

import (
	"slices"
	"time"
)

// mergeEvents joins events of one cause and limit that lie at most gap apart: the
// better-supported one's reasons stand for both.
func mergeEvents(events []*Event, gap time.Duration) []*Event {
	sortEvents(events)
	var out []*Event
	for _, e := range events {
		i := slices.IndexFunc(out, func(o *Event) bool {
			return o.Cause == e.Cause && o.Limit == e.Limit && e.Start.Sub(o.End) <= gap
		})
		if i < 0 {
			out = append(out, e)
			continue
		}
		out[i] = joined(out[i], e)
	}
	return out
}

// joined is two events as one; first begins no later than second.
func joined(first, second *Event) *Event {
	e := *first
	if second.ThrottledEvents > first.ThrottledEvents {
		e = *second
	}
	e.Start = first.Start
	e.End = second.End
	if first.End.After(second.End) {
		e.End = first.End
	}
	e.Ongoing = first.Ongoing || second.Ongoing
	e.ThrottledEvents = first.ThrottledEvents + second.ThrottledEvents
	e.Confidence = max(first.Confidence, second.Confidence)
	for _, f := range slices.Concat(first.Contributing, second.Contributing) {
		if !slices.Contains(e.Contributing, f) {
			e.Contributing = append(slices.Clone(e.Contributing), f)
		}
	}
	if second.Hottest != nil && (e.Hottest == nil || second.Hottest.Rate > e.Hottest.Rate) {
		e.Hottest = second.Hottest
	}
	if first.SecondsAtCeiling != nil && second.SecondsAtCeiling != nil {
		e.SecondsAtCeiling = &Range{
			Low:  first.SecondsAtCeiling.Low + second.SecondsAtCeiling.Low,
			High: first.SecondsAtCeiling.High + second.SecondsAtCeiling.High,
		}
	}
	return &e
}
