package collectors

import (
	"cmp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
	"github.com/hotpart/hotpart/replay/incidents"
)

func TestFetchTellsWhatTheServerHolds(t *testing.T) {
	for _, i := range incidents.All {
		t.Run(i.Name, func(t *testing.T) {
			want := incident(t, i.Name)
			got, err := fetch(t, serve(want), want)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, want, got)
		})
	}
}

// compare ignores order, and series that the source never asked for as long as
// they are empty.
func compare(t *testing.T, want, got telemetry.Batch) {
	t.Helper()
	for i := range want.Tables {
		want.Tables[i].At = got.Tables[i].At
	}
	ignored := cmpopts.IgnoreFields(telemetry.Batch{}, "Source", "FetchedAt", "Series", "Rankings", "Warnings")
	if diff := gocmp.Diff(want, got, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("descriptions differ (-want +got):\n%s", diff)
	}
	series := map[telemetry.SeriesID]telemetry.Series{}
	for _, s := range got.Series {
		series[s.ID] = s
	}
	for _, s := range want.Series {
		if diff := gocmp.Diff(s, series[s.ID], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v differs (-want +got):\n%s", s.ID, diff)
		}
		delete(series, s.ID)
	}
	for id, s := range series {
		if len(s.Points) > 0 {
			t.Errorf("%v has points from nowhere", id)
		}
	}
	if len(want.Rankings) != len(got.Rankings) {
		t.Errorf("got %d rankings, want %d", len(got.Rankings), len(want.Rankings))
	}
	for _, r := range want.Rankings {
		i := slices.IndexFunc(got.Rankings, func(g telemetry.Ranking) bool { return g.Rule == r.Rule })
		if i < 0 {
			t.Errorf("no ranking of %s", r.Rule)
			continue
		}
		compareKeys(t, r, got.Rankings[i])
	}
}

// compareKeys allows for a report's bound on keys.
func compareKeys(t *testing.T, want, got telemetry.Ranking) {
	t.Helper()
	if n := min(len(want.Contributors), telemetry.MaxContributors); len(got.Contributors) != n {
		t.Errorf("%s: got %d keys, want %d", want.Rule, len(got.Contributors), n)
	}
	known := map[telemetry.Key][]telemetry.Point{}
	for _, c := range want.Contributors {
		known[c.Key] = c.Points
	}
	for _, c := range got.Contributors {
		if diff := gocmp.Diff(known[c.Key], c.Points); diff != "" {
			t.Errorf("%s: a key differs (-want +got):\n%s", want.Rule, diff)
		}
	}
	want.Contributors, got.Contributors = nil, nil
	want.Start, want.End = got.Start, got.End
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("a ranking differs (-want +got):\n%s", diff)
	}
}

func TestPagesAreJoined(t *testing.T) {
	want := streamed(incident(t, "hot-key-tenant"), 9)
	server := awsserver.New(awsserver.Config{
		Batch: want, PointsAPage: 333, ShardsAPage: 2,
		Now: func() time.Time { return want.Window.End.Add(time.Hour) },
	})
	got, err := fetch(t, server, want)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, want, got)
	if server.Count("GetMetricData") < 3 {
		t.Error("the answer came in one page")
	}
}

// With a server that takes a second a call, the time tells the rounds.
func TestAnHourTakesThreeRounds(t *testing.T) {
	want := incident(t, "index-pressure")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		server := awsserver.New(awsserver.Config{Batch: want, Begin: begin, Latency: time.Second})
		time.Sleep(want.Window.End.Sub(want.Window.Start) + time.Hour)
		l := connect(t, server, Config{Tables: tableNames(want)})
		asked := time.Now()
		if _, err := l.Fetch(t.Context(), telemetry.Window{Start: begin, End: begin.Add(time.Hour), Period: time.Minute}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(asked); took >= 4*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestOldWindowsHaveCoarserPeriods(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 30, 0, time.UTC)
	for _, test := range []struct {
		age, want time.Duration
	}{
		{time.Hour, time.Minute}, {14 * 24 * time.Hour, time.Minute}, {16 * 24 * time.Hour, 5 * time.Minute}, {70 * 24 * time.Hour, time.Hour},
	} {
		start := now.Add(-test.age)
		got := align(telemetry.Window{Start: start, End: start.Add(time.Hour), Period: time.Minute}, now)
		if got.Period != test.want || got.Start.After(start) || got.End.Before(start.Add(time.Hour)) || !got.End.Equal(got.End.Truncate(test.want)) {
			t.Errorf("%s ago: got %+v", test.age, got)
		}
		if warned := len(warnOfCoarsePeriod(got)) > 0; warned != (test.want > time.Minute) {
			t.Errorf("%s ago: warned is %v", test.age, warned)
		}
	}
}

func TestTheSameAnswersGiveTheSameBatch(t *testing.T) {
	b := incident(t, "two-at-once")
	first, err := fetch(t, serve(b), b)
	if err != nil {
		t.Fatal(err)
	}
	second, err := fetch(t, serve(b), b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

func TestNearestNamesComeFirst(t *testing.T) {
	got := nearest("ordrs", []string{"users", "orders", "orders-archive", "sessions"})
	if !slices.Equal(got[:2], []string{"orders", "orders-archive"}) && cmp.Compare(got[0], "orders") != 0 {
		t.Errorf("got %v", got)
	}
}

func TestReplicatedWritesAreAskedForWhereThereAreReplicas(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	count := func(b telemetry.Batch) int {
		n := 0
		for _, s := range b.Series {
			if s.ID.Traffic == "GlobalTable" {
				n++
			}
		}
		return n
	}
	got, err := fetch(t, serve(b), b)
	if err != nil || count(got) != 0 {
		t.Fatal(count(got), err)
	}
	b.Tables[0].Replicas = []string{"us-east-1"}
	if got, err = fetch(t, serve(b), b); err != nil || count(got) != 1 {
		t.Fatal(count(got), err)
	}
}

func TestManyTablesAreAskedForInSeveralCalls(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	one, series := b.Tables[0], b.Series
	for i := range 12 {
		other := one
		other.ID.Table = "copy-" + string(rune('a'+i))
		b.Tables = append(b.Tables, other)
		for _, s := range series {
			if s.ID.Resource.Table == one.ID.Table {
				s.ID.Resource.Table = other.ID.Table
				b.Series = append(b.Series, s)
			}
		}
	}
	server := serve(b)
	got, err := fetch(t, server, b)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, c := range server.Calls() {
		if c.Action == "GetMetricData" {
			asked += c.Metrics
			if c.Metrics > queriesACall {
				t.Errorf("a call asked for %d metrics", c.Metrics)
			}
		}
	}
	// What is felt of the operations that turn out to be used is asked for after the rest.
	if calls := server.Count("GetMetricData"); asked != len(got.Series) || calls > 1+(asked+queriesACall-1)/queriesACall {
		t.Errorf("%d metrics in %d calls for %d series", asked, server.Count("GetMetricData"), len(got.Series))
	}
	b.Insights, b.Rankings, got.Insights, got.Rankings = nil, nil, nil, nil
	compare(t, b, got)
}
