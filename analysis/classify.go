package analysis

import (
	"fmt"
	"math"
	"strings"
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

// calibrated turns the ledger's probability into the one that is reported. The ledger
// treats its entries as independent, which they aren't quite, so certainty is capped.
func calibrated(p float64) float64 {
	const most = 0.98
	return math.Round(math.Min(most, p)*100) / 100
}

// weigh opens the ledger for a limit and enters what was seen.
func (s *scene) weigh(limit telemetry.Limit, f *features) *ledger {
	if limit == telemetry.AccountLimit {
		return newLedger(map[Cause]float64{AccountQuota: 1})
	}
	if s.res.ID.Index != "" {
		return newLedger(map[Cause]float64{GSIPressure: 1})
	}
	switch limit {
	case telemetry.ProvisionedLimit, telemetry.MaxOnDemandLimit:
		l := newLedger(map[Cause]float64{TableCapacity: 0.93, LargeItem: 0.07})
		s.weighTableSize(l, f)
		return l
	}
	l := newLedger(map[Cause]float64{HotKey: 0.55, HotPartition: 0.38, LargeItem: 0.07})
	s.weighLoads(l, f)
	s.weighRefusals(l, f)
	s.weighSize(l, f)
	s.weighPartitions(l, f)
	return l
}

// Large items: at least about this many units a request on average (README, "Causes").
const (
	largeWrite = 10
	largeRead  = 30
)

func largeUnits(dir telemetry.Direction) float64 {
	if dir == telemetry.Read {
		return largeRead
	}
	return largeWrite
}

// weighLoads enters what the loads of the ranked keys say: one key that fills a
// partition, or several that do so only together.
func (s *scene) weighLoads(l *ledger, f *features) {
	if full := f.filling(full); len(full) > 0 {
		k := full[0]
		w := 3.5
		if k.low < 0.5 {
			w = 1.5
		}
		l.note(fmt.Sprintf("%s alone draws %s of the %s %s/s that one partition serves", name(k), s.loadText(k), thousands(s.ceiling), unitName(s.dir)),
			map[Cause]float64{HotKey: w, LargeItem: w})
		return
	}
	group, sum := f.sharing()
	switch {
	case len(group) >= 2 && sum >= 0.6:
		l.note(fmt.Sprintf("%d keys are refused in the same minutes, none of them near %s %s/s, and together they draw %s: consistent with sharing one partition",
			len(group), thousands(s.ceiling), unitName(s.dir), thousands(sum*s.ceiling)),
			map[Cause]float64{HotPartition: 3.2})
	default:
		if k, ok := f.heaviest(); ok && k.high < 0.5 {
			l.note(fmt.Sprintf("no ranked key draws more than %s of the %s %s/s that one partition serves",
				thousands(k.high*s.ceiling), thousands(s.ceiling), unitName(s.dir)),
				map[Cause]float64{HotPartition: 2.0, LargeItem: -1})
		}
	}
}

// sharing are the refused keys that may share one partition: each carries a visible
// part of the refusals, none fills a partition alone. sum is their load in ceilings.
func (f *features) sharing() (group []suspect, sum float64) {
	for _, k := range f.suspects {
		if k.share >= 0.04 && k.loaded() && k.likely < full {
			group = append(group, k)
			sum += k.likely
		}
	}
	return group, sum
}

// weighRefusals enters on whom the refusals fell.
func (s *scene) weighRefusals(l *ledger, f *features) {
	if math.IsNaN(f.rankedShare) || len(f.suspects) == 0 {
		if f.rankedShare == 0 {
			l.note("the throttle rules rank no key although requests are refused", map[Cause]float64{HotPartition: 1})
		}
		return
	}
	top := f.suspects[0]
	if s.rolling(f) {
		l.note("the refused key changes from minute to minute: the load rolls over the key space", map[Cause]float64{HotPartition: 3})
		return
	}
	switch {
	case top.share >= 0.6:
		l.note(fmt.Sprintf("%s of the refusals fall on %s", percent(top.share), name(top)),
			map[Cause]float64{HotKey: 2.5, LargeItem: 1.5})
	case f.rankedShare < 0.15 && len(f.filling(full)) == 0:
		l.note(fmt.Sprintf("the refusals are spread thin: the %d most refused keys carry %s of them", len(f.suspects), percent(f.rankedShare)),
			map[Cause]float64{HotPartition: 3.5})
	case top.share < 0.35 && !top.loaded():
		l.note(fmt.Sprintf("the refusals fall on several keys, at most %s of them on one", percent(top.share)),
			map[Cause]float64{HotPartition: 1.5})
	}
}

// rolling reports whether the key that is refused most keeps changing.
func (s *scene) rolling(f *features) bool {
	if math.IsNaN(f.rankedShare) || f.minutes < 4 {
		return false
	}
	leaders := map[string]int{}
	led := 0
	for i := f.run.from; i < f.run.to; i++ {
		best, most := "", 0.0
		for _, k := range f.suspects {
			if e := zeroIfNaN(k.track.refused[i]); e > most {
				best, most = k.track.key.Partition, e
			}
		}
		if most >= 0.25*f.run.refused[i] && most >= 5 {
			leaders[best]++
			led++
		}
	}
	longest := 0
	for _, n := range leaders {
		longest = max(longest, n)
	}
	return led >= f.minutes/2 && len(leaders) >= 3 && 2*longest <= led
}

// weighSize enters what the refused requests cost each.
func (s *scene) weighSize(l *ledger, f *features) {
	u := f.unitsPerRequest
	large := largeUnits(s.dir)
	if f.largest > 0 && f.largest < large {
		l.note(fmt.Sprintf("no request used more than %s %s", decimal(f.largest), unitName(s.dir)), map[Cause]float64{LargeItem: -6})
		return
	}
	if math.IsNaN(u.Likely) {
		return
	}
	switch {
	case u.Likely >= large && u.Low >= large/3:
		l.note(fmt.Sprintf("a refused request costs about %s %s (%s to %s)", decimal(u.Likely), unitName(s.dir), decimal(u.Low), decimal(u.High)),
			map[Cause]float64{LargeItem: 6})
	case u.Likely >= large:
		l.note(fmt.Sprintf("a refused request seems to cost about %s %s (%s to %s)", decimal(u.Likely), unitName(s.dir), decimal(u.Low), decimal(u.High)),
			map[Cause]float64{LargeItem: 5})
	default:
		w := -3.0
		if u.High < large {
			w = -6
		}
		l.note(fmt.Sprintf("a request costs about %s %s", decimal(u.Likely), unitName(s.dir)), map[Cause]float64{LargeItem: w})
	}
}

// weighTableSize enters the mean cost of all requests, for a table-wide limit.
func (s *scene) weighTableSize(l *ledger, f *features) {
	if math.IsNaN(f.requests) || f.requests <= 0 || math.IsNaN(f.consumed) {
		return
	}
	average := f.consumed * s.facts.period().Seconds() / f.requests
	large := largeUnits(s.dir)
	if average >= large && s.scanShare(f) < 0.5 && !s.pages(f) {
		l.note(fmt.Sprintf("a request costs %s %s on average", decimal(average), unitName(s.dir)), map[Cause]float64{LargeItem: 6})
		return
	}
	l.note(fmt.Sprintf("a request costs %s %s on average: ordinary traffic", decimal(average), unitName(s.dir)), map[Cause]float64{LargeItem: -4})
}

// pages reports whether queries or scans are a good part of the successful reads, so
// that large requests are pages rather than items.
func (s *scene) pages(f *features) bool {
	if s.dir != telemetry.Read {
		return false
	}
	var paged, all float64
	for _, op := range telemetry.APIOperations {
		if d, ok := telemetry.OperationDirection(op); !ok || d != telemetry.Read {
			continue
		}
		n := sumReadings(s.facts.readings(requestSeries(s.res.ID.TableID, op)), f.run.from, f.run.to)
		all += n
		if op == "Query" || op == "Scan" {
			paged += n
		}
	}
	return all > 0 && paged > 0.3*all
}

// scanShare is the part of the refused read requests that are scans.
func (s *scene) scanShare(f *features) float64 {
	var all float64
	for _, n := range f.refusedByOperation {
		all += n
	}
	if all == 0 {
		return 0
	}
	return f.refusedByOperation["Scan"] / all
}

// weighPartitions enters whether the table as a whole is as busy as its partitions
// allow: then there are too few of them rather than one hot key.
func (s *scene) weighPartitions(l *ledger, f *features) {
	p := s.res.Partitions
	room := float64(p.Likely) * s.ceiling
	if f.plateau >= 0.7*room && p.Likely > 1 {
		l.note(fmt.Sprintf("the table draws %s %s/s, %s of what %d partitions serve (%s)",
			thousands(f.plateau), unitName(s.dir), percent(f.plateau/room), p.Likely, sourceText(p.Source)),
			map[Cause]float64{HotPartition: 2})
	}
	if s.newPeak(f) {
		l.note(fmt.Sprintf("an on-demand table draws %s %s/s, more than twice its earlier peak of %s",
			thousands(f.plateau), unitName(s.dir), thousands(f.peakBefore)),
			map[Cause]float64{HotPartition: 1.5})
	}
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
		Text:     fmt.Sprintf("the data fit %s about as well as %s", phrase(e.Cause), phrase(second)),
	})
	e.Cause, e.Confidence = Undetermined, 0.6
}

// noteMissing says what the data lack and what would tell.
func (s *scene) noteMissing(e *Event, f *features) {
	if s.res.ID.Index != "" && s.dir == telemetry.Write && s.accessedRanked {
		return
	}
	switch {
	case !s.accessedRanked && !s.throttledRanked:
		e.Missing = append(e.Missing, "no key is known: Contributor Insights on "+s.res.ID.String()+" would name the keys within minutes of being turned on")
	case !s.accessedRanked:
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
	if !r.scattered {
		return
	}
	for _, k := range f.suspects {
		if !math.IsNaN(f.rankedShare) && k.refused >= 5 && k.share >= 0.3 && rankedSteps(k.track.refused, r.from, r.to) >= 3 {
			return
		}
	}
	if s.changedBefore(r, 10*time.Minute) {
		return
	}
	e.Confidence = 0.2
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

// limitEvidence says how the limit is known, and what contradicts it.
func (s *scene) limitEvidence(e *Event, f *features, why string) []Evidence {
	var out []Evidence
	if why != "" {
		out = append(out, Evidence{Supports: true, Text: why, Weight: 2})
	} else {
		metric := telemetry.ThrottleEvents(s.dir, e.Limit)
		out = append(out, Evidence{Supports: true, Weight: 5,
			Text: fmt.Sprintf("%s counts %s refusals", metric, thousands(f.refusals))})
	}
	for _, l := range telemetry.Limits {
		if n := f.run.beside[l]; n > 0 {
			out = append(out, Evidence{Supports: false, Weight: -0.5,
				Text: fmt.Sprintf("%s counts %s more beside them", telemetry.ThrottleEvents(s.dir, l), thousands(n))})
		}
	}
	if e.Limit == telemetry.ProvisionedLimit && f.used < 0.8 {
		out = append(out, Evidence{Supports: false, Weight: -0.5,
			Text: fmt.Sprintf("the minute's mean is only %s of the provisioned %s/s: the load comes in bursts shorter than a minute", percent(f.used), thousands(f.limit))})
	}
	return out
}

// phrase is a cause in words, without an article.
func phrase(c Cause) string { return strings.ReplaceAll(string(c), "_", " ") }

func name(k suspect) string { return k.track.key.Partition }

func (s *scene) loadText(k suspect) string {
	low, high := thousands(k.low*s.ceiling), thousands(k.high*s.ceiling)
	if low == high {
		return low
	}
	return low + " to " + high
}

func percent(x float64) string {
	switch {
	case x > 0 && x < 0.01:
		return "under 1 %"
	case x > 0.99 && x < 1:
		return "over 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

func decimal(x float64) string {
	if x >= 10 || x == math.Trunc(x) {
		return thousands(x)
	}
	return fmt.Sprintf("%.1f", x)
}

func sourceText(p PartitionSource) string {
	switch p {
	case FromStreamShards:
		return "by open stream shards"
	case FromWarmThroughput:
		return "by warm throughput"
	case FromProvisioned:
		return "by provisioned throughput"
	case FromSize:
		return "by size"
	}
	return "assumed"
}
