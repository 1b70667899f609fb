package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// outgrown is a table that refused at 400 WCU while about 712 were wanted, followed by
// an hour in which the given capacities were in force, ten minutes each.
func outgrown(ongoing bool, factor Factor, after ...telemetry.Rate) func(*Table, *Resource, *Event) {
	return func(t *Table, r *Resource, e *Event) {
		e.Cause, e.Limit, e.Ongoing, e.Contributing = TableCapacity, telemetry.ProvisionedLimit, ongoing, []Factor{factor}
		e.Demand = &Estimate{Likely: 712, Low: 393, High: 1144}
		peak := telemetry.Rate(700)
		r.Write.Peak, r.Write.Minutes = &peak, nil
		minute := func(capacity telemetry.Rate, refused float64) {
			at := e.Start.Add(time.Duration(len(r.Write.Minutes)) * time.Minute)
			r.Write.Minutes = append(r.Write.Minutes, Minute{Start: at, Consumed: 390, State: telemetry.Known, Capacity: capacity, Throttled: refused})
		}
		for e.Start.Add(time.Duration(len(r.Write.Minutes)) * time.Minute).Before(e.End) {
			minute(400, 500)
		}
		for _, c := range after {
			t.Changes = append(t.Changes, Change{At: e.End, Resource: e.Resource, Direction: e.Direction, Kind: CapacityRaised, Text: "WCU (auto scaling)"})
			for range 10 {
				minute(c, 0)
			}
		}
	}
}

func find(e *Event, a Action) *Recommendation {
	for i := range e.Recommendations {
		if e.Recommendations[i].Action == a {
			return &e.Recommendations[i]
		}
	}
	return nil
}

func TestRaiseIsSizedOnWhatIsNeeded(t *testing.T) {
	e := advised(outgrown(true, ""))
	r := find(e, RaiseProvisioned)
	if r == nil {
		t.Fatalf("no raise among %s", actions(e))
	}
	if diff := cmp.Diff(map[string]any{"read_units": 5000.0, "write_units": 1500.0}, r.Parameters); diff != "" {
		t.Error(diff)
	}
	if want := "about 712 WCU/s were wanted (modelled) of 400 provisioned;"; !strings.HasPrefix(r.Why, want) {
		t.Errorf("why %q, want %q first", r.Why, want)
	}
	if want := "set it back to 400;"; !strings.HasPrefix(r.Undo, want) {
		t.Errorf("undo %q, want %q first", r.Undo, want)
	}
}

func TestRaiseStartsFromWhatIsInForceNow(t *testing.T) {
	e := advised(outgrown(true, "", 500))
	r := find(e, RaiseProvisioned)
	if r == nil {
		t.Fatalf("no raise among %s", actions(e))
	}
	if !strings.Contains(r.Why, "of 400 provisioned when it refused (500 now)") || !strings.HasPrefix(r.Undo, "set it back to 500;") {
		t.Errorf("why %q, undo %q", r.Why, r.Undo)
	}
}

func TestNoRaiseWhereScalingHasCaughtUp(t *testing.T) {
	e := advised(outgrown(false, AutoScalingLag, 2387))
	if find(e, RaiseProvisioned) != nil {
		t.Errorf("a raise among %s", actions(e))
	}
	want := WontHelp{Fix: "raising it by hand", Why: "auto scaling has already raised it from 400 to 2,387 WCU, and 712 are needed"}
	if diff := cmp.Diff(want, e.WontHelp[0]); diff != "" {
		t.Error(diff)
	}
}

func TestRaiseStaysWhereCapacityWasLoweredAgain(t *testing.T) {
	r := find(advised(outgrown(false, "", 2387, 400)), RaiseProvisioned)
	if r == nil || r.Summary != "before the next peak, raise orders to 1,500 WCU" || r.Stage != FixThisWeek {
		t.Errorf("raise %+v", r)
	}
}

func TestNoRaiseThatScalingTakesBackByTheNextPeak(t *testing.T) {
	for _, factor := range []Factor{AutoScalingLag, AutoScalingAtMaximum} {
		e := advised(outgrown(false, factor, 2387, 400))
		if find(e, RaiseProvisioned) != nil || !strings.Contains(e.WontHelp[0].Why, "auto scaling would lower it again") {
			t.Errorf("%s: %s; won't help %v", factor, actions(e), e.WontHelp)
		}
		if find(advised(outgrown(true, factor)), RaiseProvisioned) == nil {
			t.Errorf("%s: no raise while it stands", factor)
		}
	}
}

func TestRefusalsAtTheRaisedCapacityAskForMore(t *testing.T) {
	e := advised(func(tb *Table, r *Resource, e *Event) {
		outgrown(true, "", 2387)(tb, r, e)
		e.End = e.Start.Add(time.Duration(len(r.Write.Minutes)) * time.Minute)
		for i := range r.Write.Minutes {
			r.Write.Minutes[i].Throttled = 500 + float64(len(r.Write.Minutes)-i)
		}
	})
	r := find(e, RaiseProvisioned)
	if r == nil || r.Parameters["write_units"] != 3000.0 {
		t.Errorf("raise %+v, want more than the 2,387 that refuse", r)
	}
}

func TestUnknownNeedGivesNoNumber(t *testing.T) {
	e := advised(func(_ *Table, r *Resource, e *Event) {
		e.Cause, e.Limit, e.Demand, e.Keys = TableCapacity, telemetry.ProvisionedLimit, nil, nil
		r.Write.Minutes, r.Write.Peak = nil, nil
	})
	if got := e.Recommendations[0].Parameters["write_units"]; got != nil {
		t.Errorf("write_units %v, want none", got)
	}
}

func TestScalingMinimumIsNotWhatRefused(t *testing.T) {
	for _, factor := range []Factor{AutoScalingLag, ScaledIn} {
		e := advised(outgrown(false, factor, 2387, 400))
		r := find(e, TuneAutoScaling)
		if r == nil || r.Parameters["minimum"] != 750.0 || r.Parameters["maximum"] != 2387.0 {
			t.Fatalf("%s: %+v, want a minimum of 750 and no lower maximum than was in force", factor, r)
		}
		for i, want := range []string{"describe-scalable-targets", "describe-scaling-policies", "register-scalable-target", "put-scaling-policy"} {
			if !strings.Contains(r.Commands[i], want) {
				t.Errorf("%s: command %d is %s, want %s", factor, i, r.Commands[i], want)
			}
		}
		if !strings.Contains(r.Commands[0], " --resource-ids table/orders ") {
			t.Errorf("bounds are asked for by %s", r.Commands[0])
		}
	}
}

func TestUnchangedHalfIsGivenWhereKnown(t *testing.T) {
	most := telemetry.Rate(700)
	maximum := func(read *telemetry.Rate) map[string]any {
		return advised(func(tb *Table, r *Resource, e *Event) {
			outgrown(true, "")(tb, r, e)
			tb.Mode, e.Limit, r.Read.Minutes = telemetry.ModeOnDemand, telemetry.MaxOnDemandLimit, nil
			tb.Description.Capacity.OnDemandMax.Read = read
		}).Recommendations[0].Parameters
	}
	if diff := cmp.Diff(map[string]any{"read_units": 700.0, "write_units": 900.0}, maximum(&most)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"read_units": nil, "write_units": 900.0}, maximum(nil)); diff != "" {
		t.Error(diff)
	}
}

func TestWatchStaysWithinWhatOneCallReturns(t *testing.T) {
	tests := []struct {
		name    string
		lasted  time.Duration
		ongoing bool
		want    string
	}{
		{"short and over", 9 * time.Minute, false, "--period 60 --start-time 2026-03-02T23:31:00Z --end-time 2026-03-03T00:40:00Z"},
		{"short and ongoing", 9 * time.Minute, true, "--period 60 --start-time 2026-03-02T23:31:00Z --end-time 2026-03-03T23:31:00Z"},
		{"two days", 48 * time.Hour, false, "--period 180 --start-time 2026-03-02T23:31:00Z --end-time 2026-03-05T00:31:00Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := advised(func(_ *Table, _ *Resource, e *Event) { e.Ongoing, e.End = tt.ongoing, e.Start.Add(tt.lasted) })
			if got := e.Recommendations[0].Commands[0]; !strings.HasSuffix(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestAdviceOnWhatIsOverIsForTheNextPeak(t *testing.T) {
	e := advised(func(_ *Table, r *Resource, e *Event) {
		e.Direction, e.Ongoing, r.SortKey, e.Hottest = telemetry.Read, false, "", nil
	})
	if r := e.Recommendations[0]; r.Stage != FixThisWeek || !strings.HasPrefix(r.Summary, "before the next peak, read ") {
		t.Errorf("first [%s] %s", r.Stage, r.Summary)
	}
	for _, r := range e.Recommendations {
		if r.Stage == RelieveNow {
			t.Errorf("%s is urgent", r.Action)
		}
	}
}
