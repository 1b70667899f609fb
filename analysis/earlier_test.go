package analysis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestEarlierDaysAreBesideTheLoadAndChangeNoVerdict(t *testing.T) {
	b := caseBatches(t)["hot_key_write.txtar"]
	b.Earlier = nil
	plain := New().Observe(b)
	e := plain.Leading()
	day := telemetry.Earlier{
		ID:  telemetry.SeriesID{Resource: e.Resource, Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum},
		Ago: 24 * time.Hour, Period: time.Minute,
	}
	for i := range 10 {
		day.Points = append(day.Points, telemetry.Point{Time: b.Window.Start.Add(time.Duration(i-2)*time.Minute - day.Ago), Value: 600 * float64(i)})
	}
	week := day
	week.Ago, week.Points = 7*24*time.Hour, nil
	b.Earlier = []telemetry.Earlier{week, day}
	compared := New().Observe(b)
	if diff := cmp.Diff(plain.Events, compared.Events); diff != "" {
		t.Errorf("events (-without +with):\n%s", diff)
	}
	got := compared.LoadOf(compared.Leading())
	if len(got.Earlier) != 2 || got.Earlier[0].Ago != day.Ago || len(got.Earlier[0].Minutes) != len(got.Minutes) {
		t.Fatalf("%d earlier days", len(got.Earlier))
	}
	for i, want := range []Minute{{State: telemetry.Known, Consumed: 20}, {State: telemetry.Known, Consumed: 30}, {State: telemetry.Known, Consumed: 40}} {
		want.Start = b.Window.Start.Add(time.Duration(i)*time.Minute - day.Ago)
		if diff := cmp.Diff(want, got.Earlier[0].Minutes[i]); diff != "" {
			t.Errorf("minute %d (-want +got):\n%s", i, diff)
		}
	}
	// What has no point is unknown, not zero.
	if m := got.Earlier[0].Minutes[9]; m.State != telemetry.Unknown {
		t.Errorf("a minute without a point is %+v", m)
	}
	if m := got.Earlier[1].Minutes[0]; m.State != telemetry.Unknown {
		t.Errorf("a minute of a day without points is %+v", m)
	}
}
