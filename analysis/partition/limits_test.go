package partition

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestUnitsRoundUpToWholeUnits(t *testing.T) {
	cases := []struct {
		name        string
		bytes       int
		write, read float64
	}{
		{"empty item", 0, 1, 1},
		{"exactly one KB", 1024, 1, 1},
		{"one byte more", 1025, 2, 1},
		{"exactly four KB", 4096, 4, 1},
		{"twenty KB", 20 << 10, 20, 5},
		{"largest item", MaxItemBytes, 400, 100},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := WriteUnits(c.bytes); got != c.write {
				t.Errorf("WriteUnits(%d) = %v, want %v", c.bytes, got, c.write)
			}
			if got := ReadUnits(c.bytes); got != c.read {
				t.Errorf("ReadUnits(%d) = %v, want %v", c.bytes, got, c.read)
			}
		})
	}
}

func TestNewOnDemandTableIsFourPartitions(t *testing.T) {
	if got := CountForWarm(NewTableRead, NewTableWrite); got != NewTablePartitions {
		t.Errorf("CountForWarm = %d, want %d", got, NewTablePartitions)
	}
}

func TestCountForAddsReadsAndWritesAndHeedsSize(t *testing.T) {
	cases := []struct {
		name        string
		read, write telemetry.Rate
		bytes       int64
		want        int
	}{
		{"nothing", 0, 0, 0, 1},
		{"tiny", 5, 5, 100, 1},
		{"reads and writes add up", 3000, 1000, 0, 2},
		{"a little over", 3000, 1001, 0, 3},
		{"size decides", 10, 10, PartitionBytes*3 + 1, 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := CountFor(c.read, c.write, c.bytes); got != c.want {
				t.Errorf("CountFor(%v, %v, %d) = %d, want %d", c.read, c.write, c.bytes, got, c.want)
			}
		})
	}
}
