package analysis_test

import (
	"fmt"
	"math"
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

// TestForecastsHoldOnRandomIncidents forecasts each recommendation, and halfway remedies,
// on random incidents and plays each incident again with its workload or limits changed
// so. near: the likely refusals are within a fifth of the true ones, or within 2 % of the
// requests; ranged: the true ones are in the range. The floors allow for so small a sample.
func TestForecastsHoldOnRandomIncidents(t *testing.T) {
	if testing.Short() {
		t.Skip("plays some two hundred incidents")
	}
	const incidents = 40
	var near, ranged [2]ratio
	for seed := range uint64(incidents) {
		s := scenario.Random(500000 + seed)
		d, _ := observed(s)
		for _, e := range d.Events {
			if e.Note() || !alone(d, e) {
				continue
			}
			for i, remedies := range [2][]analysis.Remedy{recommended(d, e), halfway(d, e)} {
				for _, r := range remedies {
					f := analysis.WhatIf(d, e, r)
					if !f.OK {
						continue
					}
					_, truth := observed(treated(s, e, r))
					is := refusedOn(truth, e)
					slight := 0.02 * requests(d, e)
					off := math.Abs(f.After.Throttled.Likely - is)
					near[i].add(off <= math.Max(0.2*is, slight))
					ranged[i].add(is >= f.After.Throttled.Low-slight && is <= f.After.Throttled.High+slight)
				}
			}
		}
	}
	for i, name := range []string{"recommended", "halfway"} {
		t.Logf("%s: likely value near %v, truth in range %v", name, near[i], ranged[i])
		if ranged[i].share() < 0.8 {
			t.Errorf("%s: truth in range in %v, want at least 80 %%", name, ranged[i])
		}
	}
	if near[0].share() < 0.75 {
		t.Errorf("recommended: likely value near in %v, want at least 75 %%", near[0])
	}
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
	for _, name := range scenario.Names() {
		s, err := scenario.Library(name)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := observed(s)
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
