package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestEveryCauseHasARunbookInOrder(t *testing.T) {
	phases := []Phase{CheckPhase, DecidePhase, ActPhase, VerifyPhase, HandOverPhase}
	for _, c := range Causes {
		at := 0
		for _, s := range Runbook(c) {
			for at < len(phases) && phases[at] != s.Phase {
				at++
			}
			if at == len(phases) {
				t.Errorf("%s: step %q is out of order", c, s.Text)
				break
			}
			if s.Text == "" || s.State != UnknownStep {
				t.Errorf("%s: unbound step %+v", c, s)
			}
		}
		if at != len(phases)-1 {
			t.Errorf("%s: the runbook ends in phase %q", c, phases[at])
		}
	}
	if Runbook("weather") != nil {
		t.Error("a cause that isn't one has a runbook")
	}
}

// bound is a diagnosis of one hot key event on a table with an hour of load.
func bound(change func(*Table, *Resource, *Event)) (*Diagnosis, *Event) {
	d := &Diagnosis{Window: telemetry.Window{Start: verdictStart.Add(-10 * time.Minute), End: verdictStart.Add(50 * time.Minute)}}
	e := advised(func(tb *Table, r *Resource, e *Event) {
		r.Write.Minutes = nil
		for at := d.Window.Start; at.Before(d.Window.End); at = at.Add(time.Minute) {
			r.Write.Minutes = append(r.Write.Minutes, Minute{Start: at, Consumed: 1000, State: telemetry.Known, Capacity: 8000})
		}
		tb.Resources = []*Resource{r}
		d.Tables = []*Table{tb}
		if change != nil {
			change(tb, r, e)
		}
	})
	d.Events = []*Event{e}
	return d, e
}

func stepWith(t *testing.T, steps []Step, text string) Step {
	t.Helper()
	for _, s := range steps {
		if strings.Contains(s.Text, text) {
			return s
		}
	}
	t.Fatalf("no step with %q in %+v", text, steps)
	return Step{}
}

func TestRunbookTicksWhatTheDataShow(t *testing.T) {
	over := func(_ *Table, _ *Resource, e *Event) { e.Ongoing = false }
	tests := []struct {
		name   string
		change func(*Table, *Resource, *Event)
		text   string
		want   StepState
	}{
		{"limit named by a metric", nil, "a partition's limit refuses writes of orders", DoneStep},
		{"limit inferred", func(_ *Table, _ *Resource, e *Event) { e.LimitInferred = true }, "find out which limit refuses", OpenStep},
		{"key and load known", nil, "TENANT#123 draws 940 to 960 WCU/s", DoneStep},
		{"load unknown", func(_ *Table, _ *Resource, e *Event) { e.Keys[0].Rate = nil }, "its load isn't known", OpenStep},
		{"no key", func(_ *Table, r *Resource, e *Event) { e.Keys, r.Write.Keys = nil, nil }, "none is ranked", OpenStep},
		{"account is for a person to check", nil, "account 111122223333, Region eu-west-1", UnknownStep},
		{"code changes don't show", nil, "shard TENANT#123", UnknownStep},
		{"still refused", nil, "no refusals for ten minutes", OpenStep},
		{"quiet for long", over, "no sustained refusals since 23:40 UTC, at least 41 minutes", DoneStep},
		{"load stayed", over, "so it is cured and not just quiet", DoneStep},
		{"load went away", func(tb *Table, r *Resource, e *Event) {
			e.Ongoing = false
			for i := range r.Write.Minutes {
				if !r.Write.Minutes[i].Start.Before(e.End) {
					r.Write.Minutes[i].Consumed = 100
				}
			}
		}, "wait for a peak like it", OpenStep},
		{"capacity too low", func(_ *Table, _ *Resource, e *Event) {
			e.Cause, e.Limit, e.Demand.Likely = TableCapacity, telemetry.ProvisionedLimit, 9000
		}, "raise orders to", OpenStep},
		{"capacity raised meanwhile", func(_ *Table, r *Resource, e *Event) {
			e.Cause, e.Limit = TableCapacity, telemetry.ProvisionedLimit
			r.Write.Minutes[len(r.Write.Minutes)-1].Capacity = 20000
		}, "raise what orders is allowed: it has already been raised from 8,000 to 20,000 WCU", DoneStep},
		{"split awaited", func(_ *Table, _ *Resource, e *Event) { e.Splitting = &Splitting{Cures: true, Why: "several items"} }, "wait up to", OpenStep},
		{"split seen", func(tb *Table, _ *Resource, e *Event) {
			e.Splitting = &Splitting{Cures: true, Why: "several items"}
			tb.Changes = []Change{{At: e.Start.Add(time.Minute), Kind: PartitionSplit}}
		}, "wait up to", DoneStep},
		{"change before it", func(tb *Table, _ *Resource, e *Event) {
			tb.Changes = []Change{{At: e.Start.Add(-5 * time.Minute), Text: "WCU 8,000→6,000 (auto scaling)"}}
		}, "at 23:26: WCU 8,000→6,000 (auto scaling)", UnknownStep},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, e := bound(tt.change)
			if got := stepWith(t, d.Runbook(e), tt.text).State; got != tt.want {
				t.Errorf("state %d, want %d", got, tt.want)
			}
		})
	}
}

func TestRunbookOfAnUnknownPlaceIsUnbound(t *testing.T) {
	if got, want := len((&Diagnosis{}).Runbook(tenantEvent())), len(Runbook(HotKey)); got != want {
		t.Errorf("%d steps, want the %d unbound ones", got, want)
	}
}
