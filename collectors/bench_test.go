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
