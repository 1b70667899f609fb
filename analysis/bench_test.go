package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// benchDay makes a busy day: one table with indexes, each rule ranking so many keys in
// every minute, and a hot key for an hour.
func benchDay(minutes, indexes, keys int) telemetry.Batch {
	table := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}
	b := telemetry.Batch{Window: telemetry.Window{Start: caseStart, End: caseStart.Add(time.Duration(minutes) * time.Minute), Period: time.Minute}}
	desc := telemetry.Table{ID: table, Mode: telemetry.ModeOnDemand}
	random := rand.New(rand.NewPCG(1, 2))
	series := func(id telemetry.SeriesID, value func(i int) float64) {
		s := telemetry.Series{ID: id, Period: time.Minute, Status: telemetry.Complete}
		for i := range minutes {
			if v := value(i); v > 0 {
				s.Points = append(s.Points, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: v})
			}
		}
		b.Series = append(b.Series, s)
	}
	hot := func(i int) bool { return i > minutes/2 && i < minutes/2+60 }
	for n := range indexes + 1 {
		id := table.Resource()
		if n > 0 {
			id.Index = fmt.Sprintf("index-%d", n)
			desc.Indexes = append(desc.Indexes, telemetry.Index{Name: id.Index})
		}
		for _, d := range telemetry.Directions {
			series(telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(d), Stat: telemetry.Sum}, func(i int) float64 {
				if hot(i) {
					return 90000 + 1000*random.Float64()
				}
				return 30000 + 1000*random.Float64()
			})
			for _, l := range append([]telemetry.Limit{telemetry.UnknownLimit}, telemetry.Limits[:]...) {
				series(telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(d, l), Stat: telemetry.Sum}, func(i int) float64 {
					if hot(i) && d == telemetry.Write && (l == telemetry.UnknownLimit || l == telemetry.KeyRangeLimit) {
						return 5000
					}
					return 0
				})
			}
		}
		for _, kind := range telemetry.RuleKinds {
			r := telemetry.Ranking{Resource: id, Kind: kind}
			for k := range keys {
				c := telemetry.Contributor{Key: telemetry.Key{Partition: fmt.Sprintf("key-%d", k)}}
				for i := range minutes {
					if kind.Throttled() && !hot(i) {
						continue
					}
					v := 3000 / float64(k+1)
					if k == 0 && hot(i) {
						v = 178000
					}
					c.Points = append(c.Points, telemetry.Point{Time: caseStart.Add(time.Duration(i) * time.Minute), Value: v})
				}
				r.Contributors = append(r.Contributors, c)
			}
			b.Rankings = append(b.Rankings, r)
		}
	}
	b.Tables = append(b.Tables, desc)
	return b
}

func benchDiagnose(b *testing.B, batch telemetry.Batch) {
	b.ReportAllocs()
	for b.Loop() {
		a := New()
		a.Add(batch)
		if len(a.Diagnose().Events) == 0 {
			b.Fatal("no event found")
		}
	}
}

// BenchmarkDay is 24 hours of one table with three indexes and 25 keys a rule.
func BenchmarkDay(b *testing.B) { benchDiagnose(b, benchDay(24*60, 3, 25)) }

// BenchmarkGrowth doubles minutes, keys and resources fourfold and sixteenfold, one at a
// time, from six hours of one table with ten keys.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("minutes=%dx", n), func(b *testing.B) { benchDiagnose(b, benchDay(360*n, 0, 10)) })
		b.Run(fmt.Sprintf("keys=%dx", n), func(b *testing.B) { benchDiagnose(b, benchDay(360, 0, 10*n)) })
		b.Run(fmt.Sprintf("resources=%dx", n), func(b *testing.B) { benchDiagnose(b, benchDay(360, n-1, 10)) })
	}
}

// BenchmarkObserveMinute is one more minute at the end of a day, as a replay or a live
// poll adds it.
func BenchmarkObserveMinute(b *testing.B) {
	a := New()
	a.Add(benchDay(24*60, 3, 25))
	last := telemetry.Batch{Window: telemetry.Window{Start: caseStart, End: caseStart.Add(24 * time.Hour), Period: time.Minute}}
	for b.Loop() {
		a.Observe(last)
	}
}

// benchFleet is some time of so many tables with three indexes each, swept for refusals as
// a fleet is, of which the first alone refuses and is asked for in full.
func benchFleet(minutes, tables int) telemetry.Batch {
	b := benchDay(minutes, 3, 25)
	home := b.Tables[0].ID
	for n := range tables - 1 {
		id := telemetry.TableID{Account: home.Account, Region: home.Region, Table: fmt.Sprintf("quiet-%03d", n)}
		desc := telemetry.Table{ID: id, Mode: telemetry.ModeOnDemand}
		resources := []telemetry.ResourceID{id.Resource()}
		for i := range 3 {
			name := fmt.Sprintf("index-%d", i)
			desc.Indexes = append(desc.Indexes, telemetry.Index{Name: name})
			resources = append(resources, id.WithIndex(name))
		}
		b.Tables = append(b.Tables, desc)
		for _, r := range resources {
			for _, d := range telemetry.Directions {
				swept := telemetry.SeriesID{Resource: r, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum}
				b.Series = append(b.Series, telemetry.Series{ID: swept, Period: time.Minute, Status: telemetry.Complete})
			}
		}
	}
	return b
}

// BenchmarkAFleetOfTables is one more minute at the end of a fleet's day.
func BenchmarkAFleetOfTables(b *testing.B) {
	for _, tables := range []int{1, 100, 200} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			b.ReportAllocs()
			a := New()
			a.Add(benchFleet(24*60, tables))
			last := telemetry.Batch{Window: telemetry.Window{Start: caseStart, End: caseStart.Add(24 * time.Hour), Period: time.Minute}}
			for b.Loop() {
				if len(a.Observe(last).Events) == 0 {
					b.Fatal("no event found")
				}
			}
		})
	}
}
