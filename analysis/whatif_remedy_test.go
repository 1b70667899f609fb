package analysis

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestAMinimumIsForecastWhereTheLimitWasAlwaysBelowIt(t *testing.T) {
	minutes := func(capacities ...telemetry.Rate) func(*Table, *Resource, *Event) {
		return func(_ *Table, r *Resource, e *Event) {
			r.Write.Minutes = nil
			for i, c := range capacities {
				r.Write.Minutes = append(r.Write.Minutes, Minute{Start: e.Start.Add(time.Duration(i) * time.Minute), State: telemetry.Known, Consumed: c, Capacity: c})
			}
		}
	}
	tests := []struct {
		name   string
		change func(*Table, *Resource, *Event)
		want   telemetry.Rate
	}{
		{"always below", minutes(500, 700, 1000), 2500},
		{"reached in the end", minutes(500, 700, 2500), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r *Resource
			e := advised(func(tb *Table, rs *Resource, e *Event) { tt.change(tb, rs, e); r = rs })
			d := &Diagnosis{Tables: []*Table{{ID: e.Resource.TableID, Resources: []*Resource{r}}}, Events: []*Event{e}}
			got, ok := d.Remedy(e, Recommendation{Action: TuneAutoScaling, Parameters: map[string]any{"minimum": 2500.0, "maximum": 5000.0}})
			if got.Provisioned != tt.want || ok != (tt.want > 0) {
				t.Errorf("remedy %+v, %t, want %v provisioned", got, ok, tt.want)
			}
		})
	}
}
