package scenario

import (
	"sync"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// incidents are drawn to be looked at in several ways.
var incidents = sync.OnceValue(func() []*Incident {
	var out []*Incident
	for seed := range uint64(16) {
		out = append(out, Generate(Random(seed), seed))
	}
	return out
})

// byMinute reads one series of a batch; nil where it isn't there.
func byMinute(b telemetry.Batch, id telemetry.SeriesID) map[int64]float64 {
	for _, s := range b.Series {
		if s.ID == id {
			out := map[int64]float64{}
			for _, p := range s.Points {
				out[p.Time.Unix()] = p.Value
			}
			return out
		}
	}
	return nil
}

func TestRankedKeysStayWithinTheTable(t *testing.T) {
	for _, in := range incidents() {
		b := in.Batch()
		for _, r := range b.Rankings {
			if len(r.Contributors) > telemetry.MaxContributors {
				t.Errorf("%s: %d contributors", r.Rule, len(r.Contributors))
			}
			if r.Kind != telemetry.AccessedPartitionKeys || in.Scenario.Gaps > 0 {
				continue
			}
			reads := byMinute(b, telemetry.SeriesID{Resource: r.Resource, Metric: telemetry.ConsumedReadCapacityUnits, Stat: telemetry.Sum})
			writes := byMinute(b, telemetry.SeriesID{Resource: r.Resource, Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum})
			ranked := map[int64]float64{}
			for _, c := range r.Contributors {
				for _, p := range c.Points {
					ranked[p.Time.Unix()] += p.Value
				}
			}
			for at, v := range ranked {
				// Light keys are drawn, so that they may exceed their share.
				if most := 3*writes[at] + reads[at]; v > 1.15*most+100 {
					t.Errorf("%s %s at %v: ranked %.0f of %.0f", in.Scenario.Name, r.Rule, time.Unix(at, 0).UTC(), v, most)
				}
			}
		}
	}
}

func TestThrottleRulesMissWhatAnIndexCaused(t *testing.T) {
	s, err := Library("index-hot-status")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Generate(s, 1).Batch().Rankings {
		if r.Kind.Throttled() && len(r.Contributors) > 0 {
			t.Errorf("%s ranks %d keys", r.Rule, len(r.Contributors))
		}
	}
}

func TestEventsBeginWithAMinuteOfRefusals(t *testing.T) {
	for _, in := range incidents() {
		b := in.Batch()
		for _, e := range in.Truth.Events {
			events := byMinute(b, telemetry.SeriesID{
				Resource: in.Scenario.id(e.Index), Stat: telemetry.Sum,
				Metric: telemetry.ThrottleEvents(e.Operation, telemetry.UnknownLimit),
			})
			last := e.End.Add(-time.Minute)
			if events[e.Start.Unix()] < 1 || events[last.Unix()] < 1 {
				t.Errorf("%s: refusals at %v %v, at %v %v", in.Scenario.Name, e.Start, events[e.Start.Unix()], last, events[last.Unix()])
			}
		}
	}
}

func TestCausesAddUpToAllRefusals(t *testing.T) {
	for _, in := range incidents() {
		if in.Scenario.Legacy {
			continue
		}
		b := in.Batch()
		byID := map[telemetry.SeriesID]map[int64]float64{}
		for _, s := range b.Series {
			byID[s.ID] = byMinute(telemetry.Batch{Series: []telemetry.Series{s}}, s.ID)
		}
		for _, s := range b.Series {
			for _, d := range telemetry.Directions {
				if s.ID.Metric != telemetry.ThrottleEvents(d, telemetry.UnknownLimit) {
					continue
				}
				for _, p := range s.Points {
					total := 0.0
					for _, l := range telemetry.Limits {
						id := s.ID
						id.Metric = telemetry.ThrottleEvents(d, l)
						total += byID[id][p.Time.Unix()]
					}
					if total != p.Value {
						t.Fatalf("%s: %s at %v: causes add up to %v of %v", in.Scenario.Name, s.ID.Metric, p.Time, total, p.Value)
					}
				}
			}
		}
	}
}

func TestCapacityComesEveryFiveMinutes(t *testing.T) {
	for _, in := range incidents() {
		for _, s := range in.Batch().Series {
			if s.ID.Metric != telemetry.ProvisionedWriteCapacityUnits {
				continue
			}
			for _, p := range s.Points {
				if !p.Time.Truncate(5 * time.Minute).Equal(p.Time) {
					t.Fatalf("%s: a point at %v", in.Scenario.Name, p.Time)
				}
			}
		}
	}
}

func TestLegacyMetricsNameNoCause(t *testing.T) {
	s, err := Library("before-causes-existed")
	if err != nil {
		t.Fatal(err)
	}
	for _, series := range Generate(s, 1).Batch().Series {
		for _, l := range telemetry.Limits {
			if series.ID.Metric == telemetry.ThrottleEvents(telemetry.Write, l) {
				t.Errorf("there is a series %s", series.ID.Metric)
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		Generate(Random(uint64(i)), uint64(i)).Batch()
	}
}
