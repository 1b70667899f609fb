package collectors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// days is a table that used 100, 200 and 300 write units a minute today, yesterday and a
// week ago.
func days(now time.Time) telemetry.Batch {
	id := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}
	s := telemetry.Series{
		ID:     telemetry.SeriesID{Resource: id.Resource(), Metric: telemetry.ConsumedWriteCapacityUnits, Stat: telemetry.Sum},
		Period: time.Minute, Status: telemetry.Complete,
	}
	for i, ago := range []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, 0} {
		for t := now.Add(-ago - 2*time.Hour); t.Before(now.Add(3*time.Hour - ago)); t = t.Add(time.Minute) {
			s.Points = append(s.Points, telemetry.Point{Time: t, Value: float64(300 - 100*i)})
		}
	}
	reads := s
	reads.ID.Metric, reads.Points = telemetry.ConsumedReadCapacityUnits, nil
	return telemetry.Batch{
		Window: telemetry.Window{Start: s.Points[0].Time, End: now.Add(3 * time.Hour), Period: time.Minute},
		Tables: []telemetry.Table{{ID: id, Mode: telemetry.ModeOnDemand}}, Series: []telemetry.Series{s, reads},
	}
}

func TestCompareTellsTheSameHoursOfEarlierDays(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now().UTC()
		b := days(begun)
		id := b.Tables[0].ID.Resource()
		server := awsserver.New(awsserver.Config{Batch: b})
		l := connect(t, server, Config{Tables: []string{"orders"}})
		first, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		calls, metrics := server.Count("GetMetricData"), l.Meter()
		l.Compare(telemetry.ResourceID{})
		l.Compare(id) // the last wish counts
		got, err := l.Next(t.Context())
		if err != nil || !time.Now().Equal(begun) {
			t.Fatalf("%v, after %v", err, time.Since(begun))
		}
		if n, m := server.Count("GetMetricData")-calls, l.Meter(); n != 2 || m.Metrics-metrics.Metrics != 4 || m.MetricsAPoll != metrics.MetricsAPoll {
			t.Errorf("%d calls for %d metrics", n, m.Metrics-metrics.Metrics)
		}
		if got.Window != first.Window || !got.FetchedAt.IsZero() || len(got.Series) != 0 || len(got.Warnings) != 0 {
			t.Errorf("the batch tells of now: %v %v, %d series, %v", got.Window, got.FetchedAt, len(got.Series), got.Warnings)
		}
		want := map[time.Duration]float64{24 * time.Hour: 200, 7 * 24 * time.Hour: 300}
		writes := 0
		for _, e := range got.Earlier {
			if e.ID.Metric != telemetry.ConsumedWriteCapacityUnits {
				continue
			}
			writes++
			from, to := first.Window.Start.Add(-e.Ago), first.Window.End.Add(comparedAhead-time.Minute-e.Ago)
			if n := len(e.Points); n == 0 || !e.Points[0].Time.Equal(from) || !e.Points[n-1].Time.Equal(to) || e.Points[0].Value != want[e.Ago] {
				t.Errorf("%v ago: %d points", e.Ago, n)
			}
		}
		if writes != 2 {
			t.Errorf("%d days are told", writes)
		}
		// The polls keep their time.
		if next, err := l.Next(t.Context()); err != nil || !next.Window.End.Equal(first.Window.End.Add(time.Minute)) || time.Since(begun) > pollEvery+pollAt {
			t.Errorf("the next poll came after %v and ends at %v (%v)", time.Since(begun), next.Window.End, err)
		}
	})
}

func TestCompareThatFailsCostsAWarning(t *testing.T) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		b := days(time.Now().UTC())
		server := awsserver.New(awsserver.Config{Batch: b})
		l := connect(t, server, Config{Tables: []string{"orders"}})
		if _, err := l.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Deny})
		l.Compare(b.Tables[0].ID.Resource())
		got, err := l.Next(t.Context())
		if err != nil || len(got.Earlier) != 0 {
			t.Fatalf("%v, %d series", err, len(got.Earlier))
		}
		wantWords(t, warned(got, telemetry.Denied), "orders: cloudwatch:GetMetricData is denied")
		// In an outage it doesn't look like an answer.
		if _, err := l.Next(t.Context()); err == nil {
			t.Fatal("the poll was answered")
		}
		l.Compare(b.Tables[0].ID.Resource())
		if _, err := l.Next(t.Context()); err == nil {
			t.Error("no error although nothing is answered")
		}
	})
}

func TestCompareAsksThePlaceThatHasTheTable(t *testing.T) {
	sideBySide(t, func(t *testing.T, at awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{}, []string{"a", "b"}, []string{"us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		first := nextOf(t, m)
		calls := func(key string) int { return at[key].Count("GetMetricData") }
		a, b := calls("AKIAA/us-east-1"), calls("AKIAB/us-east-1")
		begun := time.Now()
		id := first.Tables[1].ID.Resource()
		m.Compare(telemetry.ResourceID{})
		m.Compare(id)
		got := nextOf(t, m)
		if id.Account != "222222222222" || len(got.Earlier) != 4 || got.Earlier[0].ID.Resource != id || !time.Now().Equal(begun) {
			t.Errorf("%d series, after %v", len(got.Earlier), time.Since(begun))
		}
		if a, b := calls("AKIAA/us-east-1")-a, calls("AKIAB/us-east-1")-b; a != 0 || b != 2 {
			t.Errorf("%d and %d calls", a, b)
		}
		m.Compare(telemetry.ResourceID{}) // which no place has
		wantPlaces(t, nextOf(t, m), "111111111111 us-east-1", "222222222222 us-east-1")
	})
}
