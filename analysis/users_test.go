package analysis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// counted are facts of half an hour in which a table's operations are counted each minute:
// as given before minute 20, and from then on.
func counted(before, during map[telemetry.SeriesID]float64) (*facts, *Event) {
	start := time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC)
	w := telemetry.Window{Start: start, End: start.Add(30 * time.Minute), Period: time.Minute}
	b := telemetry.Batch{Window: w, FetchedAt: w.End.Add(time.Hour)}
	for id := range during {
		s := telemetry.Series{ID: id, Period: time.Minute}
		for i := range 30 {
			x := before[id]
			if i >= 20 {
				x = during[id]
			}
			s.Points = append(s.Points, telemetry.Point{Time: start.Add(time.Duration(i) * time.Minute), Value: x})
		}
		b.Series = append(b.Series, s)
	}
	f := newFacts()
	f.add(b)
	return &f, &Event{Resource: usersTable.Resource(), Direction: telemetry.Write, Start: start.Add(20 * time.Minute), End: w.End}
}

var usersTable = telemetry.TableID{Account: "1", Region: "eu-west-1", Table: "orders"}

func usersSeries(m telemetry.Metric, stat telemetry.Statistic, op string) telemetry.SeriesID {
	return telemetry.SeriesID{Resource: usersTable.Resource(), Metric: m, Stat: stat, Operation: op}
}

func TestUsersAreCountedByOperationAndAgainstBefore(t *testing.T) {
	puts, latency := usersSeries(telemetry.SuccessfulRequestLatency, telemetry.SampleCount, "PutItem"), usersSeries(telemetry.SuccessfulRequestLatency, telemetry.Average, "PutItem")
	refused, deletes := usersSeries(telemetry.ThrottledRequests, telemetry.Sum, "PutItem"), usersSeries(telemetry.SuccessfulRequestLatency, telemetry.SampleCount, "DeleteItem")
	conflicts, failed := usersSeries(telemetry.TransactionConflict, telemetry.Sum, ""), usersSeries(telemetry.ConditionalCheckFailedRequests, telemetry.Sum, "")
	tail, broken := usersSeries(telemetry.SuccessfulRequestLatency, telemetry.P99, "PutItem"), usersSeries(telemetry.SystemErrors, telemetry.Sum, "PutItem")
	f, e := counted(
		map[telemetry.SeriesID]float64{puts: 300, latency: 4, tail: 18, deletes: 5},
		map[telemetry.SeriesID]float64{puts: 200, latency: 6, tail: 21.3, deletes: 5, refused: 100, conflicts: 3, broken: 2, failed: 0})
	u := f.users(e)
	want := &Users{
		Operations: []OperationUse{
			{Operation: "PutItem", Refused: new(1000.0), Succeeded: 2000, PerMinute: 200, PerMinuteBefore: new(300.0), Latency: new(6.0), LatencyBefore: new(4.0), Slowest: new(21.3), SlowestBefore: new(18.0)},
			{Operation: "DeleteItem", Succeeded: 50, PerMinute: 5, PerMinuteBefore: new(5.0)},
		},
		Conflicts: new(30.0), FailedConditions: new(0.0), SystemErrors: new(20.0),
	}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	texts := append([]string{u.Operations[0].Text(), u.Operations[1].Text(), u.Absorbed()}, u.Apart()...)
	if diff := cmp.Diff([]string{
		"PutItem: 1,000 of 3,000 attempts refused (33 %); 200 a minute succeeded, 300 in the ten minutes before; mean latency of these 6.0 ms, 4.0 before; p99 of the slowest minute 21.3 ms, 18.0 before",
		"DeleteItem: refusals not known; 5 a minute succeeded, 5 in the ten minutes before",
		"retries did not get all through: successes fell to 67 % of what they were before",
		"30 transaction conflicts: not throttling, but items that several transactions want at once",
		"20 system errors: AWS's own, not throttling",
		"no failed conditions",
	}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoErrorsAreOnlyWhereEveryOperationThatWasAskedForTells(t *testing.T) {
	series := func(op string) telemetry.SeriesID { return usersSeries(telemetry.SystemErrors, telemetry.Sum, op) }
	puts := usersSeries(telemetry.SuccessfulRequestLatency, telemetry.SampleCount, "PutItem")
	for _, test := range []struct {
		name string
		puts float64
		want *float64
	}{
		{"none of the one that tells", 0, nil},
		{"some of it", 2, new(20.0)},
	} {
		f, e := counted(nil, map[telemetry.SeriesID]float64{puts: 200, series("PutItem"): test.puts})
		if test.puts == 0 && *f.users(e).SystemErrors != 0 {
			t.Errorf("%s: nothing else was asked for", test.name)
		}
		f.add(telemetry.Batch{Window: f.window, FetchedAt: f.fetchedAt, Series: []telemetry.Series{{ID: series("Query"), Period: time.Minute, Status: telemetry.InternalError}}})
		if diff := cmp.Diff(test.want, f.users(e).SystemErrors); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestSlownessIsThatOfTheSlowestMinuteKnown(t *testing.T) {
	puts, tail := usersSeries(telemetry.SuccessfulRequestLatency, telemetry.SampleCount, "PutItem"), usersSeries(telemetry.SuccessfulRequestLatency, telemetry.P99, "PutItem")
	f, e := counted(nil, map[telemetry.SeriesID]float64{puts: 200, tail: 9})
	at := e.Start.Add(3 * time.Minute)
	f.add(telemetry.Batch{
		Window: telemetry.Window{Start: at, End: at.Add(2 * time.Minute), Period: time.Minute}, FetchedAt: e.End.Add(2 * time.Hour),
		Series: []telemetry.Series{{ID: tail, Period: time.Minute, Status: telemetry.Complete, Points: []telemetry.Point{{Time: at, Value: 250}}}},
	})
	e.Start = e.Start.Add(-time.Minute)
	use := f.users(e).Operations[0]
	if use.Slowest == nil || *use.Slowest != 250 {
		t.Errorf("slowest %v", use.Slowest)
	}
	f, e = counted(nil, map[telemetry.SeriesID]float64{puts: 200})
	if use := f.users(e).Operations[0]; use.Slowest != nil || use.SlowestBefore != nil {
		t.Errorf("known of what nobody asked: %+v", use)
	}
}

func TestUsersAreUnknownWhereNothingIsCounted(t *testing.T) {
	f, e := counted(nil, map[telemetry.SeriesID]float64{usersSeries(telemetry.TransactionConflict, telemetry.Sum, ""): 1})
	if u := f.users(e); u != nil {
		t.Errorf("users %+v", u)
	}
}

func TestAbsorptionIsNoMoreThanTheCountsTell(t *testing.T) {
	use := func(refused, now float64, before *float64) *Users {
		return &Users{Operations: []OperationUse{{Refused: &refused, PerMinute: now, PerMinuteBefore: before}}}
	}
	tests := map[string]*Users{
		"no request is known to have been refused whole: batches can be refused in part":                                            use(0, 5, new(5.0)),
		"whether retries got the refused requests through isn't known: nothing is counted before it":                                use(9, 5, nil),
		"whether retries got the refused requests through isn't known: nothing succeeded before it":                                 use(9, 5, new(0.0)),
		"successes stood at 100 % of what they were before: retries may have got the refused through, late; clients know":           use(9, 5, new(5.0)),
		"2.0 times as many succeeded as before, for the load had grown: whether retries got the refused through, only clients know": use(9, 10, new(5.0)),
	}
	for want, u := range tests {
		if got := u.Absorbed(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
