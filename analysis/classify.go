package analysis

import (
	"fmt"
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// events finds the runs of trouble and says of each what is behind it.
func (s *scene) events() []*Event {
	var out []*Event
	for _, r := range s.runs() {
		f := s.features(r)
		e := s.newEvent(f)
		s.classify(e, f)
		s.factors(e, f)
		s.quantify(e, f)
		out = append(out, e)
	}
	return mergeEvents(out, fiveMinutes)
}

func (s *scene) newEvent(f *features) *Event {
	r := f.run
	return &Event{
		Resource: s.res.ID, Direction: s.dir,
		Start: s.facts.at(r.from), End: s.facts.at(r.to),
		Ongoing: s.ongoing(r), Limit: r.limit, ThrottledEvents: f.refusals,
	}
}

// classify sets limit, cause, confidence, keys and evidence.
func (s *scene) classify(e *Event, f *features) {
	sure := 0.99
	var why string
	if f.run.limit == telemetry.UnknownLimit {
		e.Limit, sure, why = s.inferLimit(f)
		e.LimitInferred = true
	}
	l := s.weigh(e.Limit, f)
	if why != "" {
		l.note(why, nil)
	}
	cause, p, second := l.verdict()
	e.Cause, e.Confidence = cause, calibrated(p*sure)
	e.Evidence = append(s.limitEvidence(e, f, why), l.evidence(cause)...)
	s.weighBlindness(e, f, p, second)
	s.weighNoise(e, f)
	e.Keys = s.eventKeys(e, f)
}

// calibrated turns the ledger's probability into the one that is reported. On generated
// incidents the ledger proved too cautious, so its odds are raised to a power; certainty
// is capped, for real incidents are of more kinds than generated ones.
func calibrated(p float64) float64 {
	const power, most = 1.5, 0.99
	odds := math.Pow(p/math.Max(1e-9, 1-p), power)
	return math.Round(100*math.Min(most, odds/(1+odds))) / 100
}

// weighBlindness turns a verdict that only the priors support into undetermined.
func (s *scene) weighBlindness(e *Event, f *features, p float64, second Cause) {
	s.noteMissing(e, f)
	keyed := e.Cause == HotKey || e.Cause == HotPartition || e.Cause == LargeItem
	if !keyed || p >= 0.65 {
		return
	}
	e.Evidence = append(e.Evidence, Evidence{
		Supports: true,
		Text:     fmt.Sprintf("the data fit %s about as well as %s", telemetry.Words(e.Cause), telemetry.Words(second)),
	})
	e.Cause, e.Confidence = Undetermined, 0.9
}

// noteMissing says what the data lack and what would tell.
func (s *scene) noteMissing(e *Event, f *features) {
	if s.res.ID.Index != "" && s.dir == telemetry.Write && f.accessedRanked {
		return
	}
	switch {
	case !f.accessedRanked && !f.throttledRanked:
		e.Missing = append(e.Missing, "no key is known: "+s.res.keysMissing())
	case !f.accessedRanked:
		e.Missing = append(e.Missing, "the keys' loads are not known: only throttled keys are ranked; mode ACCESSED_AND_THROTTLED_KEYS would show them")
	}
	if e.LimitInferred {
		e.Missing = append(e.Missing, "which limit refused is inferred: the cause-specific metrics of August 2025 were not recorded")
	}
	if math.IsNaN(f.consumed) {
		e.Missing = append(e.Missing, "consumed capacity is unknown in these minutes")
	}
}

// weighNoise lowers the confidence of refusals that look like the ordinary background.
func (s *scene) weighNoise(e *Event, f *features) {
	r := f.run
	if !r.scattered && f.refusals >= fewRefusals {
		return
	}
	for _, k := range f.suspects {
		if !math.IsNaN(f.rankedShare) && k.refused >= 5 && k.share >= 0.3 && rankedSteps(k.track.refused, r.from, r.to) >= 3 {
			return
		}
	}
	if e.Limit == telemetry.ProvisionedLimit && s.changedBefore(r, 10*time.Minute) {
		return
	}
	const note = 0.1
	e.Confidence = note
	e.Evidence = append(e.Evidence, Evidence{
		Supports: false, Weight: -2,
		Text: "no key repeats, nothing grows, no minute stands out and no capacity changed before: an ordinary background of refusals",
	})
}

// changedBefore reports whether capacity was lowered shortly before a run began.
func (s *scene) changedBefore(r run, within time.Duration) bool {
	start := s.facts.at(r.from + 1)
	for _, c := range s.table.Changes {
		if c.Kind == CapacityLowered && c.Resource == s.res.ID && c.Direction == s.dir &&
			c.At.Before(start) && start.Sub(c.At) <= within+s.facts.period() {
			return true
		}
	}
	return false
}

// changeEvidence tells which capacity changes came shortly before the run and inside it.
func (s *scene) changeEvidence(f *features) []Evidence {
	const before = 15 * time.Minute
	from, to := s.facts.at(f.run.from).Add(-before), s.facts.at(f.run.to).Add(fiveMinutes)
	var out []Evidence
	for _, c := range s.table.Changes {
		if c.Kind == PartitionSplit || c.Resource != s.res.ID || c.Direction != s.dir || c.At.Before(from) || !c.At.Before(to) {
			continue
		}
		text := fmt.Sprintf("at %s the capacity changed: %s", c.At.UTC().Format("15:04"), c.Text)
		out = append(out, Evidence{Supports: true, Text: text, Weight: 1})
	}
	const most = 4
	return out[:min(most, len(out))]
}

// limitEvidence says how the limit is known, and what contradicts it.
func (s *scene) limitEvidence(e *Event, f *features, why string) []Evidence {
	var out []Evidence
	if why != "" {
		out = append(out, Evidence{Supports: true, Text: why, Weight: 2})
	} else {
		metric := telemetry.ThrottleEvents(s.dir, e.Limit)
		out = append(out, Evidence{
			Supports: true, Weight: 5,
			Text: fmt.Sprintf("%s refusals at %s (%s)", telemetry.Thousands(f.refusals), limitPhrase(e.Limit), metric),
		})
	}
	for _, l := range telemetry.Limits {
		if n := f.run.beside[l]; n > 0 {
			out = append(out, Evidence{
				Supports: false, Weight: -0.5,
				Text: fmt.Sprintf("%s more at %s (%s)", telemetry.Thousands(n), limitPhrase(l), telemetry.ThrottleEvents(s.dir, l)),
			})
		}
	}
	out = append(out, s.changeEvidence(f)...)
	if e.Limit == telemetry.ProvisionedLimit && f.used < 0.8 {
		out = append(out, Evidence{
			Supports: false, Weight: -0.5,
			Text: fmt.Sprintf("the minute's mean is only %s of the provisioned %s/s: the load comes in bursts shorter than a minute", percent(f.used), telemetry.Thousands(f.limit)),
		})
	}
	return out
}
