package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
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

// day is a table of 10,000 keys, a partition each, over the minutes of a day.
func day(rows int) *analysis.Diagnosis {
	const minutes = 1440
	d := table(minutes, map[string][]telemetry.Rate{"a": steady(minutes, 900)})
	write := d.Tables[0].Resources[0].Write
	random := rand.New(rand.NewPCG(7, 8))
	for i := 1; i < rows; i++ {
		row := &analysis.Row{Keys: []telemetry.Key{{Partition: fmt.Sprintf("DEVICE#%d", i)}}, Count: 1, Cells: make([]analysis.Cell, minutes)}
		row.Peak = telemetry.Rate(random.IntN(800))
		for j := range row.Cells {
			row.Cells[j] = analysis.Cell{State: telemetry.Known, Likely: row.Peak * telemetry.Rate(random.Float64())}
		}
		write.Rows = append(write.Rows, row)
		write.Keys = append(write.Keys, &analysis.KeyLoad{Key: row.Keys[0], Cells: row.Cells, Peak: row.Peak, Throttled: -1, FirstSeen: begin, Row: i})
	}
	return d
}

// BenchmarkDay draws 10,000 lines over 1,440 minutes: the first frame of a step, the next
// one, and what a key press and its frame take.
func BenchmarkDay(b *testing.B) {
	d := day(10_000)
	m := still(Options{Hindsight: d, Paused: true}, 120, 40, d)
	frames := func(name string, before ...string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.typed(before...)
				m.frame()
			}
		})
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			m.memo = memo{}
			m.frame()
		}
	})
	frames("again")
	m.typed("down")
	frames("pan over lines", "down")
	m.typed("0")
	for range 12 {
		m.typed("+")
	}
	b.Run("first zoomed in", func(b *testing.B) {
		for b.Loop() {
			m.memo = memo{}
			m.frame()
		}
	})
	frames("pan over time", "left")
	m.typed("esc", "0", "2")
	frames("keys", "down")
}
