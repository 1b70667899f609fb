package analysis

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// priced is a diagnosis whose only event is on a table provisioned for 5,000 RCU and
// 8,000 WCU, at 50 and 2,000 a second.
func priced(change func(*Table, *Resource)) (*Diagnosis, *Event) {
	e := tenantEvent()
	minutes := func(used, allowed telemetry.Rate) []Minute {
		var out []Minute
		for i := range 2 {
			out = append(out, Minute{Start: e.Start.Add(time.Duration(i) * time.Minute), State: telemetry.Known, Consumed: used, Capacity: allowed, Requests: 60 * float64(used)})
		}
		return out
	}
	r := &Resource{
		ID: e.Resource, SortKey: "sk",
		Read:  &Load{Direction: telemetry.Read, Minutes: minutes(50, 5000)},
		Write: &Load{Direction: telemetry.Write, Minutes: minutes(2000, 8000)},
	}
	t := &Table{ID: e.Resource.TableID, Mode: telemetry.ModeProvisioned, Resources: []*Resource{r}}
	if change != nil {
		change(t, r)
	}
	return &Diagnosis{Tables: []*Table{t}, Events: []*Event{e}}, e
}

func TestCostsAreListPricesForAMonth(t *testing.T) {
	onDemand := func(t *Table, _ *Resource) { t.Mode = telemetry.ModeOnDemand }
	month := 3600.0 * 730
	tests := []struct {
		name   string
		change func(*Table, *Resource)
		advice Recommendation
		want   float64
		bound  Bound
	}{
		{"raise", nil, Recommendation{Action: RaiseProvisioned, Parameters: map[string]any{"write_units": 9000.0}}, 1000 * 730 * 0.00065, About},
		{"scaling minimum", nil, Recommendation{Action: TuneAutoScaling, Parameters: map[string]any{"minimum": 8100.0, "maximum": 20000.0}}, 100 * 730 * 0.00065, AtMost},
		{"scaling maximum", nil, Recommendation{Action: TuneAutoScaling, Parameters: map[string]any{"minimum": 8000.0, "maximum": 8200.0}}, 200 * 730 * 0.00065, AtMost},
		{"to on-demand", nil, Recommendation{Action: SwitchToOnDemand}, month*(50*0.125+2000*0.625)/1e6 - 730*(5000*0.00013+8000*0.00065), About},
		{"maximum", onDemand, Recommendation{Action: RaiseOnDemandMaximum, Parameters: map[string]any{"write_units": 8001.0}}, month * 0.625 / 1e6, AtMost},
		{"eventual reads", onDemand, Recommendation{Action: EventuallyConsistentReads}, -month * 25 * 0.125 / 1e6, AtMost},
		{"insights", nil, Recommendation{Action: EnableInsights}, 4*0.5 + month*2050*2*0.03/1e6, AtLeast},
		{"cache", nil, Recommendation{Action: CacheReads}, 3 * 730 * 0.04, AtLeast},
		{"index on demand", onDemand, Recommendation{Action: ShardIndexKey}, month * 2000 * 0.625 / 1e6, AtLeast},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, e := priced(tt.change)
			c := d.Cost(e, tt.advice, ListPrices)
			if c == nil || math.Abs(c.Dollars-tt.want) > 0.01 || c.Bound != tt.bound {
				t.Fatalf("cost %+v, want %.2f %s", c, tt.want, tt.bound)
			}
			if !strings.Contains(c.Text(), "(us-east-1 list price, April 2026)") {
				t.Errorf("%q doesn't say whose price it is", c.Text())
			}
		})
	}
}

func TestCostIsUnknownWhereItsPartsAre(t *testing.T) {
	noCapacity := func(_ *Table, r *Resource) {
		for i := range r.Write.Minutes {
			r.Write.Minutes[i].Capacity = 0
		}
	}
	tests := []struct {
		name   string
		change func(*Table, *Resource)
		advice Recommendation
		prices Prices
	}{
		{"raise of unknown capacity", noCapacity, Recommendation{Action: RaiseProvisioned, Parameters: map[string]any{"write_units": 9000.0}}, ListPrices},
		{"raise to unknown", nil, Recommendation{Action: RaiseProvisioned, Parameters: map[string]any{"write_units": nil}}, ListPrices},
		{"switch from unknown capacity", noCapacity, Recommendation{Action: SwitchToOnDemand}, ListPrices},
		{"pre-warming", nil, Recommendation{Action: Prewarm, Parameters: map[string]any{"write_units": 9000.0}}, ListPrices},
		{"unknown price", nil, Recommendation{Action: CacheReads}, Prices{}},
		{"code change", nil, Recommendation{Action: ShardKey}, ListPrices},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, e := priced(tt.change)
			if c := d.Cost(e, tt.advice, tt.prices); c != nil {
				t.Errorf("cost %+v, want none", c)
			}
		})
	}
	if c := (&Diagnosis{}).Cost(tenantEvent(), Recommendation{Action: CacheReads}, ListPrices); c != nil {
		t.Errorf("cost %+v of a table that isn't known", c)
	}
}
