package tui

import (
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{120, 40}, {200, 60}} {
		for _, name := range []string{"hot-key-tenant", "two-at-once"} {
			b.Run(name+" "+telemetry.Thousands(size[0])+"x"+telemetry.Thousands(size[1]), func(b *testing.B) {
				m := still(Options{Hindsight: fixtures(b)[name]}, size[0], size[1], fixtures(b)[name])
				b.ReportAllocs()
				bytes := 0
				for b.Loop() {
					bytes = len(strings.Join(m.frame(), "\n"))
				}
				b.ReportMetric(float64(bytes), "bytes/frame")
			})
		}
	}
}
