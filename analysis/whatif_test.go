package analysis_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/scenario"
)

// ratio is how often something held.
type ratio struct{ held, all int }

func (r *ratio) add(held bool) {
	r.all++
	if held {
		r.held++
	}
}

func (r ratio) String() string {
	return fmt.Sprintf("%d of %d (%.0f %%)", r.held, r.all, 100*r.share())
}

func (r ratio) share() float64 { return float64(r.held) / math.Max(1, float64(r.all)) }

var (
	incidents = flag.Int("incidents", 16, "how many random incidents the forecasts are tried on")
	firstSeed = flag.Uint64("seed", 500000, "the first of the seeds that they are drawn from")
)

// outcomes is how often forecasts held: near, where the likely refusals are within a fifth
// of the true ones or within 2 % of the requests; ranged, where the true ones are in the
// range, give or take as much.
type outcomes struct{ near, ranged ratio }

// TestForecastsHoldOnRandomIncidents forecasts each recommendation, and halfway remedies,
// on random incidents and plays each incident again with its workload or limits changed
// so. The floors allow for so small a sample; -incidents 500 -v prints tables of many.
func TestForecastsHoldOnRandomIncidents(t *testing.T) {
	if testing.Short() {
		t.Skip("plays some hundred incidents")
	}
	kinds := []string{"recommended", "halfway"}
	all := map[string]*outcomes{}
	for seed := range uint64(*incidents) {
		s := scenario.Random(*firstSeed + seed)
		d, _ := observed(s)
		for _, e := range d.Events {
			if e.Note() || !alone(d, e) {
				continue
			}
			for i, remedies := range [][]analysis.Remedy{recommended(d, e), halfway(d, e)} {
				for _, r := range remedies {
					try(t, all, kinds[i], s, d, e, r)
				}
			}
		}
	}
	t.Log(tabulated(all))
	for _, kind := range kinds {
		if o := all[kind]; o.ranged.share() < 0.8 {
			t.Errorf("%s: truth in range in %v, want at least 80 %%", kind, o.ranged)
		}
	}
	if o := all["recommended"]; o.near.share() < 0.8 {
		t.Errorf("recommended: likely value near in %v, want at least 80 %%", o.near)
	}
}

// try holds the forecast of a remedy against the scenario played with it, and enters the
// outcome for its kind, and within that for its cause and for what it changes.
func try(t *testing.T, all map[string]*outcomes, kind string, s *scenario.Scenario, d *analysis.Diagnosis, e *analysis.Event, r analysis.Remedy) {
	f := analysis.WhatIf(d, e, r)
	if !f.OK {
		return
	}
	is, slight := refusedAfter(s, e, r), 0.02*requests(d, e)
	got := f.After.Throttled
	near := math.Abs(got.Likely-is) <= math.Max(0.2*is, slight)
	ranged := is >= got.Low-slight && is <= got.High+slight
	if !near {
		t.Logf("%s: %s of %q: %s of %s: %.0f from %.0f to %.0f forecast, %.0f are refused, of %.0f", s.Name, e.Cause, e.Resource.Index, kind, changes(r), got.Likely, got.Low, got.High, is, e.ThrottledEvents)
	}
	for _, name := range []string{kind, kind + ", " + string(e.Cause), kind + ", " + changes(r)} {
		if all[name] == nil {
			all[name] = &outcomes{}
		}
		all[name].near.add(near)
		all[name].ranged.add(ranged)
	}
}

func tabulated(all map[string]*outcomes) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-40s %-20s %s\n", "", "likely value near", "truth in range")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%-40s %-20v %v\n", name, all[name].near, all[name].ranged)
	}
	return b.String()
}

// changes names what a remedy changes.
func changes(r analysis.Remedy) string {
	switch {
	case r.Shards > 0:
		return "shards"
	case r.Provisioned > 0:
		return "capacity"
	case r.Maximum > 0:
		return "maximum"
	case r.Quota > 0:
		return "quota"
	case r.SwitchToOnDemand:
		return "mode"
	case r.Warm > 0:
		return "warm throughput"
	case r.EventuallyConsistent:
		return "consistency"
	case r.CacheHitRatio > 0:
		return "cache"
	case r.ItemFactor > 0:
		return "item size"
	case r.Pace > 0:
		return "pace"
	}
	return "nothing"
}

// recommended are the remedies that the advice means and that a change of the generated
// workload can stand for.
func recommended(d *analysis.Diagnosis, e *analysis.Event) []analysis.Remedy {
	var out []analysis.Remedy
	for _, rec := range e.Recommendations {
		r, ok := d.Remedy(e, rec)
		if ok && playable(e, r) == "" {
			out = append(out, r)
		}
	}
	return out
}

// playable says why the generator can't play a remedy; "" where it can.
func playable(e *analysis.Event, r analysis.Remedy) string {
	switch {
	case r.Warm > 0 && len(e.Keys) > 0:
		return "the generator keeps neighbours on one partition however many there are"
	case r.Pace > 0 && e.Resource.Index != "" && e.Direction == telemetry.Write && e.Limit == telemetry.KeyRangeLimit:
		return "the generator paces a table's writes, not those that meet on an index key"
	}
	return ""
}

// halfway are remedies that relieve an event in part.
func halfway(d *analysis.Diagnosis, e *analysis.Event) []analysis.Remedy {
	const more = 1.3
	var out []analysis.Remedy
	for _, table := range d.Tables {
		for _, r := range table.Resources {
			if r.ID != e.Resource {
				continue
			}
			last := telemetry.Rate(0)
			for _, m := range r.Load(e.Direction).Minutes {
				if m.Start.Before(e.End) && m.Capacity > 0 {
					last = m.Capacity
				}
			}
			switch {
			case e.Limit == telemetry.ProvisionedLimit && last > 0:
				out = append(out, analysis.Remedy{Provisioned: more * last})
			case e.Limit == telemetry.MaxOnDemandLimit && last > 0:
				out = append(out, analysis.Remedy{Maximum: more * last})
			case e.Limit == telemetry.KeyRangeLimit && len(e.Keys) > 0:
				out = append(out, analysis.Remedy{Shards: 2})
			}
		}
	}
	if e.Direction == telemetry.Read {
		out = append(out, analysis.Remedy{CacheHitRatio: 0.2})
	}
	return out
}

func TestNoRemedyForecastsThePresent(t *testing.T) {
	for name, x := range library() {
		d := x.d
		for _, e := range d.Events {
			f := analysis.WhatIf(d, e, analysis.Remedy{})
			if !f.OK {
				continue
			}
			got, want := f.After.Throttled, f.Before.Throttled.Likely
			for _, x := range []float64{got.Low, got.Likely, got.High} {
				if math.Abs(x-want) > 0.02*want+1 {
					t.Errorf("%s: %s of %q: %+v with no remedy, and %.0f were refused", name, e.Cause, e.Resource.Index, got, want)
					break
				}
			}
		}
	}
}

func TestForecastIsTheSameEachTime(t *testing.T) {
	s := scenario.Random(90033)
	d, _ := observed(s)
	for _, e := range d.Events {
		for _, r := range recommended(d, e) {
			if diff := cmp.Diff(analysis.WhatIf(d, e, r), analysis.WhatIf(d, e, r)); diff != "" {
				t.Error(diff)
			}
		}
	}
}
