package scenario

import (
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func (d *drawer) indexStarved() {
	x := d.index("guilty")
	x.Affected = pick(d, 1, 0.8)
	write := max(d.base(telemetry.Write), 30)
	needs := write * x.Affected * x.Entry
	rate := write * d.between(1.5, 4)
	if x.Capacity.OnDemand {
		x.Capacity.MaximumWrite = telemetry.Rate(math.Ceil(needs * d.between(1.2, 1.6)))
	} else {
		x.Capacity.ProvisionedWrite = telemetry.Rate(math.Ceil(needs * d.between(1.1, 1.5)))
		x.Capacity.Saved = d.between(0, 200)
	}
	name := x.Name
	d.add(Load{Name: "more", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble()})
	d.roomExcept(name, rate)
}

// indexHotKey concentrates the index on one key, whatever the table's keys are.
func (d *drawer) indexHotKey() {
	x := d.index("guilty")
	hot := pick(d, "open", "pending", "TOPIC#billing", "2026-03-02")
	share := d.between(0.6, 0.95)
	x.Keys = []Key{{Name: hot, Share: share, Spread: partition.Growing}}
	x.Affected = 1
	if d.chance(0.5) {
		x.SortKey = "created"
	}
	d.retire(telemetry.Write, 400)
	rate := (1000*d.between(1.25, 2.6))/share + 100
	name := x.Name
	d.add(Load{Name: "more", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble()})
	d.roomExcept(name, rate)
	i := slices.IndexFunc(d.s.Indexes, func(x Index) bool { return x.Name == name })
	if g := &d.s.Indexes[i]; !g.Capacity.OnDemand {
		g.Capacity.ProvisionedWrite = telemetry.Rate(3 * rate)
	}
}

// indexReads refuse on the index: one key, or too few units.
func (d *drawer) indexReads() {
	x := d.index("guilty")
	rest := Rest{Count: 20000, Pattern: x.Rest.Pattern}
	l := Load{Name: "list", Direction: telemetry.Read, Index: x.Name, Units: 0.5, Eventual: 1, Operations: []Operation{{"Query", 1}}, Shape: d.trouble(), Rest: rest}
	if d.chance(0.6) {
		l.Rate = 2 * d.between(5400, 9000)
		l.Keys = []Key{{Name: pick(d, "open", "STATUS#new", "org#42"), Share: 0.92, Item: "meta"}}
		if !x.Capacity.OnDemand {
			x.Capacity.ProvisionedRead = telemetry.Rate(l.Rate)
		}
	} else {
		most := d.around(60, 900)
		l.Rate = 2 * most * d.between(1.3, 3)
		if x.Capacity.OnDemand {
			x.Capacity.MaximumRead = telemetry.Rate(most)
		} else {
			x.Capacity.ProvisionedRead, x.Capacity.Saved = telemetry.Rate(most), d.between(20, 200)
		}
	}
	d.add(l)
}

func (d *drawer) twoIncidents() {
	d.hotReadKey()
	d.from, d.to = d.minutes(10, 30), 0
	d.indexStarved()
}
