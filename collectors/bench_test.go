package collectors

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// BenchmarkAnHour asks for an hour of one table, and tells what that takes of
// AWS: calls, metrics and dollars.
func BenchmarkAnHour(b *testing.B) {
	for _, name := range []string{"hot-key-tenant", "index-pressure"} {
		b.Run(name, func(b *testing.B) {
			batch := incident(b, name)
			environment(b)
			now := batch.Window.Start.Add(time.Hour)
			server := awsserver.New(awsserver.Config{Batch: batch, Now: func() time.Time { return now }})
			cfg := Config{Tables: tableNames(batch), Now: func() time.Time { return now }}
			window := telemetry.Window{Start: now.Add(-time.Hour), End: now, Period: time.Minute}
			var last Meter
			for b.Loop() {
				l := connect(b, server, cfg)
				if _, err := l.Fetch(b.Context(), window); err != nil {
					b.Fatal(err)
				}
				last = l.Meter()
			}
			b.ReportMetric(float64(last.Calls), "calls/op")
			b.ReportMetric(float64(last.Metrics), "metrics/op")
			b.ReportMetric(last.Dollars(), "dollars/op")
		})
	}
}

// BenchmarkAnHourOfAFleet watches 200 tables with three indexes each for a
// simulated hour, one of them in trouble, and tells what that takes of AWS beside
// what it would take to ask for everything each minute.
func BenchmarkAnHourOfAFleet(b *testing.B) {
	batch := amidQuiet(incident(b, "hot-key-tenant"), 199, 3)
	environment(b)
	s := &survey{tables: batch.Tables}
	for _, t := range batch.Tables {
		s.watched = append(s.watched, t.ID)
	}
	everything := len(s.questions(time.Minute, nil)) * 60
	for b.Loop() {
		now := batch.Window.Start.Add(20 * time.Minute)
		clock := func() time.Time { return now }
		server := awsserver.New(awsserver.Config{Batch: batch, Now: clock})
		l := connect(b, server, Config{Now: clock})
		for range 60 {
			if _, err := l.pollFleet(b.Context(), &l.fleet, l.due()); err != nil {
				b.Fatal(err)
			}
			l.last = telemetry.Window{Start: now.Add(-time.Minute), End: now}
			now = now.Add(time.Minute)
		}
		m := l.Meter()
		b.ReportMetric(float64(m.Calls)/60, "calls/min")
		b.ReportMetric(float64(m.Metrics)/60, "metrics/min")
		b.ReportMetric(float64(everything)/60, "everything/min")
		b.ReportMetric(m.Dollars(), "dollars/h")
		b.ReportMetric(float64(everything)*dollarsPerMetric, "everything-dollars/h")
	}
}
