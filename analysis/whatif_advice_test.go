package analysis_test

import (
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/scenario"
)

// TestFirstAdviceRemovesRefusals follows the first advice on each built-in scenario's
// events that is a change of the workload or of a limit, and plays the scenario again: it
// removes the refusals, or four fifths of them where the advice itself says that they may go on.
func TestFirstAdviceRemovesRefusals(t *testing.T) {
	for _, name := range scenario.Names() {
		t.Run(name, func(t *testing.T) {
			s, d, was := library()[name].s, library()[name].d, library()[name].truth
			for _, e := range d.Events {
				if e.Note() {
					continue
				}
				rec, r, passed := firstPlayable(d, e)
				if rec == nil {
					t.Logf("%s of %q: nothing to play; %s", e.Cause, e.Resource.Index, strings.Join(passed, "; "))
					continue
				}
				before, after := refusedOn(was, e), refusedAfter(s, e, r)
				t.Logf("%s of %q: %s takes refusals from %.0f to %.0f%s", e.Cause, e.Resource.Index, rec.Action, before, after, strings.Join(append([]string{""}, passed...), "; "))
				most := max(before/20, 0.02*requests(d, e))
				if strings.Contains(rec.Tradeoff, "refusals then go on, fewer, until a split parts them") {
					most = max(most, before/5)
				}
				if after > most {
					t.Errorf("%s of %q: %s leaves %.0f of %.0f refusals; trade-off: %s", e.Cause, e.Resource.Index, rec.Action, after, before, rec.Tradeoff)
				}
			}
		})
	}
}

// firstPlayable is the first advice that the generator can follow, and why those before it
// are passed over.
func firstPlayable(d *analysis.Diagnosis, e *analysis.Event) (*analysis.Recommendation, analysis.Remedy, []string) {
	var passed []string
	for i := range e.Recommendations {
		rec := &e.Recommendations[i]
		r, ok := d.Remedy(e, *rec)
		why := playable(e, r)
		if !ok {
			why = "no change of the workload or of a limit"
		}
		if why == "" {
			return rec, r, passed
		}
		passed = append(passed, string(rec.Action)+" passed over: "+why)
	}
	return nil, analysis.Remedy{}, passed
}

// TestFixesNamedUselessAreUseless does what an event's advice says won't help and finds at
// least half of the refusals still there.
func TestFixesNamedUselessAreUseless(t *testing.T) {
	played := 0
	for _, name := range scenario.Names() {
		s, d, was := library()[name].s, library()[name].d, library()[name].truth
		for _, e := range d.Events {
			if e.Note() {
				continue
			}
			for _, w := range e.WontHelp {
				changed := uselessly(s, e, w.Fix)
				if changed == nil {
					continue
				}
				played++
				if before, after := refusedOn(was, e), refusedOn(scenario.Play(changed, playSeed), e); after < before/2 {
					t.Errorf("%s: %s of %q: %s takes refusals from %.0f to %.0f", name, e.Cause, e.Resource.Index, w.Fix, before, after)
				}
			}
		}
	}
	if played < 20 {
		t.Errorf("%d useless fixes played, want at least 20", played)
	}
}

// uselessly is a scenario with a useless fix applied; nil where it isn't a change that the
// generator can play.
func uselessly(s *scenario.Scenario, e *analysis.Event, fix string) *scenario.Scenario {
	switch fix {
	case "more table capacity":
		table := *e
		table.Resource.Index = ""
		now := s.Table.Capacity.ProvisionedWrite
		if e.Direction == telemetry.Read {
			now = s.Table.Capacity.ProvisionedRead
		}
		if now == 0 {
			return nil
		}
		return treated(s, &table, analysis.Remedy{Provisioned: 2 * now})
	case "switching to on-demand":
		return treated(s, e, analysis.Remedy{SwitchToOnDemand: true})
	case "sharding keys":
		return treated(s, e, analysis.Remedy{Shards: 4})
	}
	return nil
}
