package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Each state of Contributor Insights is told apart from the others, with what to do.
func TestEachStateOfContributorInsightsIsToldApart(t *testing.T) {
	id := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}.Resource()
	w := telemetry.Window{Start: caseStart, End: caseStart.Add(30 * time.Minute), Period: time.Minute}
	empty := telemetry.Ranking{Resource: id, Kind: telemetry.AccessedPartitionKeys, Rule: "r"}
	ranked := empty
	ranked.Contributors = []telemetry.Contributor{{Key: telemetry.Key{Partition: "a"}, Points: []telemetry.Point{{Time: caseStart, Value: 60}}}}
	state := func(status, mode string) *telemetry.Insights {
		return &telemetry.Insights{Resource: id, Status: status, Mode: mode, Failure: map[string]string{"FAILED": "LimitExceededException"}[status]}
	}
	const command = "aws dynamodb update-contributor-insights --region eu-west-1 --table-name orders --contributor-insights-action ENABLE --contributor-insights-mode ACCESSED_AND_THROTTLED_KEYS"
	texts, missing := map[string]string{}, map[string]string{}
	for _, c := range []struct {
		name     string
		insights *telemetry.Insights
		ranking  *telemetry.Ranking
		want     KeyWatch
		says     []string
	}{
		{"nobody told", nil, nil, KeysUnknown, []string{"is not known", command}},
		{"off", state("DISABLED", ""), nil, KeysOff, []string{"is off", command, "$0.50 a rule and month", "$0.03 a million events", "plain text", "within a few minutes"}},
		{"being turned on", state("ENABLING", accessedMode), nil, KeysEnabling, []string{"being turned on", "within a few minutes", "only from then on"}},
		{"failed", state("FAILED", accessedMode), nil, KeysFailed, []string{"failed (LimitExceededException)", command}},
		{"refused keys only", state("ENABLED", throttledMode), nil, KeysThrottledOnly, []string{"refused keys only", command}},
		{"denied", state("DENIED", ""), nil, KeysDenied, []string{"may not be asked", "dynamodb:DescribeContributorInsights"}},
		{"reports denied", state("ENABLED", accessedMode), nil, KeysUnanswered, []string{"reports are not told", "cloudwatch:GetInsightRuleReport"}},
		{"on but empty", state("ENABLED", accessedMode), &empty, KeysEmpty, []string{"ranks no key", "within a few minutes"}},
		{"on", state("ENABLED", accessedMode), &ranked, KeysOn, nil},
		{"denied, but ranked", state("DENIED", ""), &ranked, KeysOn, nil},
	} {
		b := telemetry.Batch{Window: w, Tables: []telemetry.Table{{ID: id.TableID, Mode: telemetry.ModeOnDemand}}}
		for _, metric := range []telemetry.Metric{telemetry.WriteThrottleEvents, telemetry.WriteKeyRangeThroughputThrottleEvents, telemetry.ConsumedWriteCapacityUnits} {
			s := telemetry.Series{ID: telemetry.SeriesID{Resource: id, Metric: metric, Stat: telemetry.Sum}, Period: time.Minute, Status: telemetry.Complete}
			for i := range 30 {
				s.Points = append(s.Points, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: 60000})
			}
			b.Series = append(b.Series, s)
		}
		if c.insights != nil {
			b.Insights = []telemetry.Insights{*c.insights}
		}
		if c.ranking != nil {
			b.Rankings = []telemetry.Ranking{*c.ranking}
		}
		d := New().Observe(b)
		r := d.Tables[0].Resources[0]
		if r.Watch != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Watch, c.want)
		}
		text := r.KeysText()
		for _, words := range c.says {
			if !strings.Contains(text, words) {
				t.Errorf("%s: no %q in %q", c.name, words, text)
			}
		}
		if (text == "") != (c.want == KeysOn) {
			t.Errorf("%s: says %q", c.name, text)
		}
		if other, met := texts[text]; met && c.want != KeysOn {
			t.Errorf("%s says the same as %s", c.name, other)
		}
		texts[text] = c.name
		if c.want == KeysOn {
			continue
		}
		lacks := strings.Join(d.Events[0].Missing, "; ")
		if other, met := missing[lacks]; met && c.want != KeysOff && c.want != KeysThrottledOnly {
			t.Errorf("%s: the evidence lacks the same as of %s: %s", c.name, other, lacks)
		}
		missing[lacks] = c.name
	}
}

// Keys that are ranked since Contributor Insights was turned on, amid an incident, tell
// what it is as soon as they come; what was refused before isn't held against them.
func TestKeysRankedSinceAMomentAgoTellTheCause(t *testing.T) {
	whole := incidentBatch()
	id := whole.Tables[0].ID.Resource()
	on := caseStart.Add(60 * time.Minute)
	for _, c := range []struct {
		name string
		to   time.Duration
		want Cause
	}{
		{"none has come", 60 * time.Minute, Undetermined},
		{"the first have come", 62 * time.Minute, HotKey},
	} {
		b := whole
		b.Window.End = caseStart.Add(c.to)
		b.Insights = []telemetry.Insights{{Resource: id, Status: "ENABLED", Mode: accessedMode, Updated: on}}
		b.Rankings = nil
		for _, r := range whole.Rankings {
			keys := r.Contributors
			r.Contributors = nil
			for _, k := range keys {
				var points []telemetry.Point
				for _, p := range k.Points {
					if !p.Time.Before(on) && p.Time.Before(b.Window.End) {
						points = append(points, p)
					}
				}
				if k.Points = points; len(points) > 0 {
					r.Contributors = append(r.Contributors, k)
				}
			}
			b.Rankings = append(b.Rankings, r)
		}
		b.Series = slices.Clone(whole.Series)
		for i, s := range b.Series {
			b.Series[i].Points = nil
			for _, p := range s.Points {
				if p.Time.Before(b.Window.End) {
					b.Series[i].Points = append(b.Series[i].Points, p)
				}
			}
		}
		events := New().Observe(b).Events
		if len(events) != 1 || events[0].Cause != c.want || events[0].Confidence < 0.8 {
			t.Errorf("%s: %s", c.name, describe(New().Observe(b)))
		}
	}
}

// incidentBatch is two hours of a table on demand; after half an hour one key fills its
// partition.
func incidentBatch() telemetry.Batch {
	b := benchDay(120, 0, 5)
	const hot = 30
	for i, s := range b.Series {
		b.Series[i].Points = nil
		if s.ID.Resource.Index != "" {
			continue
		}
		for m := range 120 {
			v := 0.0
			switch write := s.ID.Metric == telemetry.ConsumedWriteCapacityUnits; {
			case write && m >= hot:
				v = 90000
			case write:
				v = 30000
			case s.ID.Metric == telemetry.ConsumedReadCapacityUnits:
				v = 600
			case m >= hot && (s.ID.Metric == telemetry.WriteThrottleEvents || s.ID.Metric == telemetry.WriteKeyRangeThroughputThrottleEvents):
				v = 5000
			}
			if v > 0 {
				b.Series[i].Points = append(b.Series[i].Points, telemetry.Point{Time: caseStart.Add(time.Duration(m) * time.Minute), Value: v})
			}
		}
	}
	for i, r := range b.Rankings {
		b.Rankings[i].Contributors = nil
		k := telemetry.Contributor{Key: telemetry.Key{Partition: "hot"}}
		for m := hot; m < 120; m++ {
			v := 178000.0
			if r.Kind.Throttled() {
				v = 5000
			}
			k.Points = append(k.Points, telemetry.Point{Time: caseStart.Add(time.Duration(m) * time.Minute), Value: v})
		}
		if !r.Kind.WithSortKey() {
			b.Rankings[i].Contributors = []telemetry.Contributor{k}
		}
	}
	return b
}
