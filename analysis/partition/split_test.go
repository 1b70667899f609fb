package partition

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestSplitForHeat(t *testing.T) {
	write := func(p Place, units float64) map[Place]float64 { return map[Place]float64{p: units} }
	key := Point{Hash: 0.3}
	cases := []struct {
		name  string
		local bool
		loads map[Place]float64
		want  bool
	}{
		{"even load", false, write(Place{Width: 1}, 2000), true},
		{"one item", false, write(Place{At: key}, 2000), false},
		{"ever-growing sort key", false, write(Place{At: key, Spread: Growing}, 2000), false},
		{"collection", false, write(Place{At: key, Spread: Collection}, 2000), true},
		{"collection under a local index", true, write(Place{At: key, Spread: Collection}, 2000), false},
		{"two half-hot keys", false, map[Place]float64{{At: key}: 700, {At: Point{Hash: 0.6}}: 700}, true},
		{"calm", false, write(Place{Width: 1}, 500), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := NewResource(Config{Partitions: 1, Local: c.local, SplitMinutes: 10})
			loads := map[int]float64{}
			for place, units := range c.loads {
				loads[r.Add(Load{Direction: telemetry.Write, Place: place})] = units
			}
			for range 15 * 60 {
				for load, units := range loads {
					r.Offer(load, units)
				}
				r.Admit()
				r.Commit()
			}
			if got := len(r.Splits()) > 0; got != c.want {
				t.Errorf("split = %v, want %v", got, c.want)
			}
			for _, s := range r.Splits() {
				if minutes := s.Second / 60; minutes < SplitMinutesEarliest || minutes > SplitMinutesLatest {
					t.Errorf("split after %d minutes", minutes)
				}
			}
		})
	}
}

func TestSplitCollectionServesMoreThanOnePartition(t *testing.T) {
	r := NewResource(Config{Partitions: 1, SplitMinutes: 6})
	load := r.Add(Load{Direction: telemetry.Write, Place: Place{At: Point{Hash: 0.3}, Spread: Collection}})
	steady(r, load, 1900, 600)
	if got := steady(r, load, 1900, 60); got < 1890 {
		t.Errorf("after the split the key is served %.0f units a second, want 1,900", got)
	}
}
