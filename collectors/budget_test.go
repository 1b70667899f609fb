package collectors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

func TestABudgetPutsPollsFurtherApartAndSaysSo(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	tests := []struct {
		name   string
		budget float64
		every  time.Duration
		says   []string // of the budget; none: no warning
	}{
		{"none", 0, time.Minute, nil},
		{"enough", 1, time.Minute, nil},
		{"a part", 0.02, 3 * time.Minute, []string{"every 3 minutes", "budget of $0.02 an hour"}},
		{"too little", 0.0001, longestEvery, []string{"even a poll every 15 minutes", "more than the budget"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute)})
				l := connect(t, server, Config{Tables: tableNames(b), Budget: test.budget})
				end := next(t, l).Window.End
				for range 4 {
					before := l.attempted
					got := next(t, l)
					if apart := l.attempted.Sub(before).Round(time.Minute); apart != test.every {
						t.Errorf("polls are %s apart", apart)
					}
					if at := l.attempted.Sub(l.attempted.Truncate(time.Minute)); at != pollAt {
						t.Errorf("asked %s past the minute", at)
					}
					if got.Window.Start.After(end) {
						t.Errorf("nothing was asked for from %s to %s", end, got.Window.Start)
					}
					end = got.Window.End
					text := warned(got, telemetry.Budget)
					if (text != "") != (len(test.says) > 0) {
						t.Errorf("warned of %q", text)
					}
					wantWords(t, text, test.says...)
				}
				if m := l.Meter(); test.name == "a part" && m.DollarsAnHour() > test.budget || m.Every != test.every {
					t.Errorf("$%.4f an hour every %s", m.DollarsAnHour(), m.Every)
				}
			})
		})
	}
}

func TestABudgetHoldsForAFleet(t *testing.T) {
	b := amidQuiet(incident(t, "hot-key-tenant"), 199, 3)
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-20 * time.Minute), Delay: 90 * time.Second})
		l := connect(t, server, Config{Budget: 0.25})
		next(t, l)
		before := l.Meter()
		for began := time.Now(); time.Since(began) < time.Hour; {
			next(t, l)
		}
		if spent := l.Meter().Dollars() - before.Dollars(); spent > 0.25 || spent < 0.10 {
			t.Errorf("an hour cost $%.3f, polls every %s", spent, l.Meter().Every)
		}
	})
}
