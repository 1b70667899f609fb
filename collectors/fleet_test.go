package collectors

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// amidQuiet puts an incident into a fleet of so many more tables with so many
// indexes each, which refuse nothing.
func amidQuiet(b telemetry.Batch, tables, indexes int) telemetry.Batch {
	home := b.Tables[0].ID
	for i := range tables {
		id := telemetry.TableID{Account: home.Account, Region: home.Region, Table: fmt.Sprintf("quiet-%03d", i)}
		table := telemetry.Table{ID: id, Status: "ACTIVE", Mode: telemetry.ModeOnDemand, Keys: []telemetry.KeyAttribute{{Name: "pk", Role: "HASH", Type: "S"}}}
		resources := []telemetry.ResourceID{id.Resource()}
		for j := range indexes {
			name := fmt.Sprintf("by-%d", j)
			table.Indexes = append(table.Indexes, telemetry.Index{Name: name, Status: "ACTIVE", Keys: table.Keys})
			resources = append(resources, id.WithIndex(name))
		}
		b.Tables = append(b.Tables, table)
		for _, r := range resources {
			for _, d := range telemetry.Directions {
				b.Series = append(b.Series, telemetry.Series{
					ID:     telemetry.SeriesID{Resource: r, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum},
					Period: time.Minute, Status: telemetry.Complete, Points: []telemetry.Point{},
				})
			}
		}
	}
	return b
}

// refusing gives a quiet table, or index such as quiet-001/by-0, refusals of writes in
// the given minutes of the batch's window.
func refusing(b telemetry.Batch, place string, count float64, minutes ...int) {
	for i, s := range b.Series {
		if s.ID.Resource.String() == place && s.ID.Metric == telemetry.WriteThrottleEvents {
			for _, m := range minutes {
				b.Series[i].Points = append(b.Series[i].Points, telemetry.Point{Time: b.Window.Start.Add(time.Duration(m) * time.Minute), Value: count})
			}
		}
	}
}

// quietFleet is a fleet without an incident, whose window begins an hour before
// the bubble's time.
func quietFleet(t testing.TB, tables, indexes int) telemetry.Batch {
	b := incident(t, "hot-key-tenant")
	b = amidQuiet(telemetry.Batch{Tables: b.Tables[:1], Quotas: b.Quotas}, tables, indexes)
	b.Tables = b.Tables[1:]
	b.Window = telemetry.Window{Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Period: time.Minute}
	return b
}

// sweeping runs a test on a fleet whose batch began so long ago.
func sweeping(t *testing.T, b telemetry.Batch, ago time.Duration, test func(t *testing.T, server *awsserver.Server, l *Live)) {
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-ago), Delay: 90 * time.Second})
		test(t, server, connect(t, server, Config{}))
	})
}

// closely are the tables that a batch has more than the refusals of.
func closely(b telemetry.Batch) []string {
	var out []string
	for _, s := range b.Series {
		if name := s.ID.Resource.Table; s.ID.Metric == telemetry.ConsumedWriteCapacityUnits && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// metricsFrom counts the metrics of the calls from one on, and how often each
// action was called.
func metricsFrom(server *awsserver.Server, from int) (metrics int, actions map[string]int) {
	actions = map[string]int{}
	for _, c := range server.Calls()[from:] {
		metrics += c.Metrics
		actions[c.Action]++
	}
	return metrics, actions
}

func TestOfAFleetOnlyTheTableThatRefusesIsAskedForInFull(t *testing.T) {
	b := amidQuiet(incident(t, "hot-key-tenant"), 150, 1)
	name := b.Tables[0].ID.Table
	sweeping(t, b, 40*time.Minute, func(t *testing.T, _ *awsserver.Server, l *Live) {
		got := next(t, l)
		if names := closely(got); len(names) != 1 || names[0] != name {
			t.Errorf("asked in full for %q", names)
		}
		for _, s := range next(t, l).Series {
			if strings.HasPrefix(s.ID.Resource.Table, "quiet") {
				got.Series = append(got.Series, s) // the other half
			}
		}
		if len(got.Tables) != 151 || len(got.Rankings) == 0 || len(got.Insights) == 0 || len(got.Quotas) != 1 {
			t.Errorf("%d tables, %d rankings, %d insights, %d quotas", len(got.Tables), len(got.Rankings), len(got.Insights), len(got.Quotas))
		}
		seen := map[telemetry.SeriesID]bool{}
		for _, s := range got.Series {
			if seen[s.ID] {
				t.Fatalf("%v is there twice", s.ID)
			}
			seen[s.ID] = true
			if s.ID.Resource.Table != "" && s.Status != telemetry.Complete && strings.HasPrefix(s.ID.Resource.Table, "quiet") {
				t.Errorf("%v is %s", s.ID, s.Status)
			}
		}
		if want := 2*2*150 + 63; len(got.Series) < want {
			t.Errorf("%d series, want at least %d", len(got.Series), want)
		}
	})
}

func TestTwoHundredTablesWithOneInTroubleTakeAThousandMetricsAMinute(t *testing.T) {
	b := amidQuiet(incident(t, "hot-key-tenant"), 199, 3)
	sweeping(t, b, 30*time.Minute, func(t *testing.T, server *awsserver.Server, l *Live) {
		described := map[string]bool{}
		last := map[telemetry.ResourceID]time.Time{}
		for poll := range 13 {
			from := len(server.Calls())
			got := next(t, l)
			metrics, actions := metricsFrom(server, from)
			if metrics > 1000 {
				t.Errorf("poll %d asked for %d metrics", poll, metrics)
			}
			if m := l.Meter(); m.MetricsAPoll > 1000 || m.MetricsAPoll < 800 {
				t.Errorf("poll %d: %d metrics a poll are told", poll, m.MetricsAPoll)
			}
			if poll == 1 && len(last)+len(got.Series)/sweepMetrics < 199*4 {
				t.Errorf("two polls asked for few series: %d", len(got.Series))
			}
			if poll > 0 && actions["DescribeTable"] > 25 {
				t.Errorf("described %d tables at once", actions["DescribeTable"])
			}
			for _, table := range got.Tables {
				described[table.ID.Table] = true
			}
			for _, s := range got.Series {
				r := s.ID.Resource
				if before, ok := last[r]; ok && got.FetchedAt.Sub(before) > 2*time.Minute+time.Second {
					t.Errorf("%s was not asked for in %s", r, got.FetchedAt.Sub(before))
				}
				last[r] = got.FetchedAt
			}
		}
		if len(last) < 199*4+1 || len(described) < 150 {
			t.Errorf("asked for %d tables and indexes, and described %d tables again", len(last), len(described))
		}
	})
}

func TestTroubleIsSeenWithinTwoMinutesOfBeingPublished(t *testing.T) {
	for _, place := range []string{"quiet-100", "quiet-100/by-0"} { // swept in different turns
		b := quietFleet(t, 200, 1)
		refusing(b, place, 40, 70)
		sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
			published := time.Now().Add(11*time.Minute + 90*time.Second)
			for {
				got := next(t, l)
				late := time.Since(published)
				if names := closely(got); len(names) == 1 && names[0] == "quiet-100" && late >= 0 {
					if got.Window.End.Sub(got.Window.Start) < closeReach {
						t.Errorf("only %v was asked for of a table that is new in trouble", got.Window)
					}
					return
				} else if len(names) > 0 || late > 2*time.Minute {
					t.Fatalf("%s after it was published, asked in full for %q", late, names)
				}
			}
		})
	}
}

func TestTroubleFromBeforeTheStartIsSeenWithinTwoMinutesOfIt(t *testing.T) {
	for _, place := range []string{"quiet-100", "quiet-100/by-0"} { // swept in different turns
		b := quietFleet(t, 200, 3)
		refusing(b, place, 40, 10)
		sweeping(t, b, 3*time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
			l.cfg.Since = 3 * time.Hour
			for began := time.Now(); ; {
				got := next(t, l)
				names := closely(got)
				if len(names) == 1 && names[0] == "quiet-100" && time.Since(began) < 2*time.Minute {
					if got.Window.End.Sub(got.Window.Start) < l.cfg.Since {
						t.Errorf("only %v was asked for", got.Window)
					}
					return
				}
				if len(names) > 0 || time.Since(began) > 2*time.Minute {
					t.Fatalf("%s after the start, asked in full for %q", time.Since(began), names)
				}
			}
		})
	}
}

func TestTheFirstPollsOfAFleetAreApartAndWithinTwoMinutes(t *testing.T) {
	for second := range 60 {
		first := time.Date(2026, 3, 2, 10, 0, second, 0, time.UTC)
		l := &Live{fleet: fleet{turn: 1, turns: 2}, attempted: first, cfg: Config{Now: func() time.Time { return first }}}
		apart := l.pause()
		last := third(first)
		if apart < 30*time.Second || last.Sub(first) > 2*time.Minute || last.Sub(first.Add(apart)) < 30*time.Second || last.Second() != 20 {
			t.Errorf("begun at %s: the second poll %s later, the third at %s", first.Format(time.TimeOnly), apart, last.Format(time.TimeOnly))
		}
	}
}

func TestStrayRefusalsAreNoTrouble(t *testing.T) {
	b := quietFleet(t, 10, 0)
	refusing(b, "quiet-003", 1, 20, 55)
	refusing(b, "quiet-004", 1, 20, 30, 55)
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		if names := closely(next(t, l)); !slices.Equal(names, []string{"quiet-004"}) {
			t.Errorf("asked in full for %q", names)
		}
	})
}

// What goes on is worse than what came in one minute.
func TestTablesThatRefuseAllTheTimeComeBeforeOnesThatDidOnce(t *testing.T) {
	b := quietFleet(t, 30, 0)
	for i := range 30 {
		if i < 28 {
			refusing(b, fmt.Sprintf("quiet-%03d", i), 400, 55)
		} else {
			refusing(b, fmt.Sprintf("quiet-%03d", i), 60, 48, 49, 50, 51, 52, 53, 54, 55)
		}
	}
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		if names := closely(next(t, l)); len(names) != MaxTables || names[23] != "quiet-028" || names[24] != "quiet-029" {
			t.Errorf("asked in full for %q", names)
		}
	})
}

func TestATableThatSomebodyOpensIsAskedForInFullUntilAnotherIs(t *testing.T) {
	b := quietFleet(t, 10, 0)
	id := b.Tables[5].ID
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		if names := closely(next(t, l)); len(names) > 0 {
			t.Errorf("at first asked in full for %q", names)
		}
		l.Look(id)
		for range 20 {
			if names := closely(next(t, l)); !slices.Equal(names, []string{id.Table}) {
				t.Fatalf("asked in full for %q", names)
			}
		}
		l.Look(b.Tables[6].ID)
		if names := closely(next(t, l)); !slices.Equal(names, []string{b.Tables[6].ID.Table}) {
			t.Errorf("then asked in full for %q", names)
		}
	})
}

func TestATableIsLetGoAfterAQuarterOfAnHourWithoutRefusals(t *testing.T) {
	b := quietFleet(t, 10, 0)
	refusing(b, "quiet-003", 12, 55, 56, 57)
	sweeping(t, b, time.Hour, func(t *testing.T, server *awsserver.Server, l *Live) {
		began := time.Now() // 2 minutes after the last refusal
		var last time.Duration
		for time.Since(began) < 30*time.Minute {
			if names := closely(next(t, l)); len(names) > 0 {
				last = time.Since(began)
			}
		}
		if last < 11*time.Minute || last > 15*time.Minute {
			t.Errorf("looked at closely until %s after the last refusal", last+2*time.Minute)
		}
		from := len(server.Calls())
		next(t, l)
		if metrics, _ := metricsFrom(server, from); metrics != 2*10 {
			t.Errorf("a quiet minute of ten tables takes %d metrics", metrics)
		}
	})
}

func TestOldTroubleIsAskedForOnceAndLetGo(t *testing.T) {
	b := quietFleet(t, 10, 0)
	refusing(b, "quiet-003", 12, 20, 21)
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		if names := closely(next(t, l)); len(names) != 1 {
			t.Errorf("at first asked in full for %q", names)
		}
		for range 5 {
			if names := closely(next(t, l)); len(names) != 0 {
				t.Errorf("then asked in full for %q", names)
			}
		}
	})
}

func TestTheWorstTablesAreLookedAtWhereTooManyRefuse(t *testing.T) {
	b := quietFleet(t, 40, 0)
	for i := range 40 {
		refusing(b, fmt.Sprintf("quiet-%03d", i), float64(100+i), 50, 52, 54, 56)
	}
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		for range 3 {
			got := next(t, l)
			if names := closely(got); len(names) != MaxTables || names[0] != "quiet-015" {
				t.Errorf("asked in full for %d: %q", len(names), names)
			}
			wantWords(t, warned(got, telemetry.PartialDataCode), "more than 25 tables refuse", "name those that matter")
		}
	})
}

func TestNewTablesAreFoundAndDroppedOnesForgotten(t *testing.T) {
	f := fleet{}
	f.list([]string{"b", "a"})
	kept := f.members[0]
	f.list([]string{"c", "a"})
	if names := memberNames(f.members); !slices.Equal(names, []string{"a", "c"}) || f.members[0] != kept {
		t.Errorf("got %q", names)
	}
	b := quietFleet(t, 3, 0)
	sweeping(t, b, time.Hour, func(t *testing.T, _ *awsserver.Server, l *Live) {
		next(t, l)
		l.fleet.list([]string{"quiet-000", "quiet-001", "quiet-002", "dropped"})
		next(t, l)
		if names := memberNames(l.fleet.members); slices.Contains(names, "dropped") || len(names) != 3 {
			t.Errorf("got %q", names)
		}
	})
}

func TestWhatIsDeniedForAWholeFleetIsSaidOnce(t *testing.T) {
	b := quietFleet(t, 120, 0)
	sweeping(t, b, time.Hour, func(t *testing.T, server *awsserver.Server, l *Live) {
		server.Fail("DescribeTable", awsserver.Fault{Kind: awsserver.Deny})
		got := next(t, l)
		if len(got.Warnings) != 1 {
			t.Errorf("%d warnings: %v", len(got.Warnings), got.Warnings)
		}
		wantWords(t, warned(got, telemetry.Denied), "quiet-000 and 119 others", "dynamodb:DescribeTable is denied", "allow dynamodb:DescribeTable")
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Deny})
		_, err := l.Next(t.Context())
		if err == nil {
			t.Fatal("no error")
		}
		wantWords(t, err.Error(), "cloudwatch:GetMetricData is denied", "hint: allow cloudwatch:GetMetricData")
	})
}

func TestWithoutListTablesAFleetAsksForNames(t *testing.T) {
	sweeping(t, quietFleet(t, 3, 0), time.Hour, func(t *testing.T, server *awsserver.Server, l *Live) {
		server.Fail("ListTables", awsserver.Fault{Kind: awsserver.Deny})
		_, err := l.Next(t.Context())
		if err == nil {
			t.Fatal("no error")
		}
		wantWords(t, err.Error(), "dynamodb:ListTables is denied", "hint: allow dynamodb:ListTables")
		server.Fail("ListTables", awsserver.Fault{})
		next(t, l)
		server.Fail("ListTables", awsserver.Fault{Kind: awsserver.Break})
		for range 12 {
			if b := next(t, l); len(b.Series) != 6 {
				t.Errorf("%d series", len(b.Series))
			}
		}
		wantWords(t, warned(next(t, l), telemetry.InternalErrorCode), "dynamodb:ListTables failed in AWS")
	})
}

func TestAnOutageOfAFleetIsCaughtUp(t *testing.T) {
	b := quietFleet(t, 300, 0)
	refusing(b, "quiet-007", 12, 70, 71)
	sweeping(t, b, time.Hour, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		next(t, l)
		server.Stop()
		for stopped := time.Now(); time.Since(stopped) < 40*time.Minute; {
			if _, err := l.Next(t.Context()); err == nil {
				t.Fatal("an answer from a stopped server")
			}
		}
		server.Resume()
		found := slices.Concat(closely(next(t, l)), closely(next(t, l)))
		if !slices.Contains(found, "quiet-007") {
			t.Errorf("asked in full for %q", found)
		}
	})
}
