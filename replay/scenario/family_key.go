package scenario

import (
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func (d *drawer) hotWriteKey() {
	n := pick(d, 1, 1, 1, 2, 3)
	total := 0.0
	base := d.hotName()
	shape := d.trouble()
	for i := range n {
		name := base
		if i > 0 {
			name = base + string(rune('a'+i))
		}
		units := d.between(1150, 4200)
		total += units
		k := Key{Name: name, Share: 1, Item: "meta"}
		if d.s.Table.SortKey != "" && d.chance(0.25) {
			k.Spread = partition.Growing
		}
		d.add(Load{Name: "hot", Direction: telemetry.Write, Rate: units, Keys: []Key{k}, Shape: shape, Attempts: pick(d, 1, 3, 4, 10, 11)})
		if d.chance(0.5) { // it was there before, smaller
			d.add(Load{Name: "before", Direction: telemetry.Write, Rate: d.between(20, 300), Keys: []Key{k}})
		}
	}
	d.room(0, total)
	d.roomForIndexes(total)
}

func (d *drawer) hotReadKey() {
	eventual := pick(d, 0.0, 0, 0, 0, 1, 1, 0.4)
	rate := d.between(3500, 9000)
	if eventual == 1 {
		rate = d.between(5300, 11000)
	}
	units := pick(d, 1.0, 1, 2)
	if eventual == 1 {
		units = 0.5
	}
	k := Key{Name: d.hotName(), Share: 1, Item: "meta"}
	d.add(Load{Name: "hot", Direction: telemetry.Read, Rate: rate / units, Units: units, Eventual: eventual, Keys: []Key{k}, Shape: d.trouble()})
	if eventual == 1 {
		for i := range d.s.Loads {
			if l := &d.s.Loads[i]; l.Direction == telemetry.Read {
				l.Eventual = 1
			}
		}
	}
	d.room(rate, 0)
}

// hotCollection is one partition key with many items: it splits, or can't.
func (d *drawer) hotCollection() {
	t := &d.s.Table
	t.SortKey = "sk"
	if d.chance(0.5) {
		t.Local = pick(d, "by-date", "lsi1")
	}
	if t.SplitMinutes == 0 {
		t.SplitMinutes = 10
	}
	direction := pick(d, telemetry.Read, telemetry.Write)
	rate := float64(partition.Ceiling(direction)) * d.between(1.2, 1.9)
	k := Key{Name: d.hotName(), Share: 1, Spread: partition.Collection, Items: int(d.around(50, 20000))}
	d.add(Load{Name: "hot", Direction: direction, Rate: rate, Keys: []Key{k}, Shape: d.trouble()})
	d.room(rate, rate)
}

// burstOnKey comes in seconds: the minute's mean stays low.
func (d *drawer) burstOnKey() {
	every := time.Duration(pick(d, 20, 30, 60)) * time.Second
	burst := time.Duration(2+d.IntN(6)) * time.Second
	rate := d.between(2500, 6000)
	shape := Shape{From: d.from, To: d.to, Burst: burst, Every: every}
	d.add(Load{Name: "burst", Direction: telemetry.Write, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: shape, Attempts: pick(d, 1, 2, 3)})
	d.room(0, rate)
	d.roomForIndexes(rate)
}

func (d *drawer) warmNeighbours() {
	direction := pick(d, telemetry.Read, telemetry.Write)
	ceiling := float64(partition.Ceiling(direction))
	n := 3 + d.IntN(4)
	rate := ceiling * d.between(1.2, 1.7)
	l := Load{Name: "neighbours", Direction: direction, Rate: rate, Together: true, Shape: d.trouble()}
	weights, total := []float64{}, 0.0
	for range n {
		w := d.between(0.7, 1.3)
		weights, total = append(weights, w), total+w
	}
	for i, w := range weights {
		l.Keys = append(l.Keys, Key{Name: "NEIGHBOUR#" + string(rune('A'+i)), Share: w / total, Item: "meta"})
	}
	d.add(l)
	d.room(rate, rate)
	d.roomForIndexes(rate)
}

// fewPartitions: provisioned throughput that its partitions can't carry yet.
func (d *drawer) fewPartitions() {
	t := &d.s.Table
	t.Partitions = 2 + d.IntN(4)
	d.shrinkBase()
	t.Uneven = d.chance(0.4)
	rate := float64(t.Partitions) * 1000 * d.between(1.2, 1.9)
	d.provision(&t.Resource, 4000, 3*rate)
	d.add(Load{Name: "load", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: int(d.around(50000, 2e6)), Pattern: "BULK#%"}, Shape: d.trouble()})
	d.roomForIndexes(rate)
}

func (d *drawer) newPeak() {
	t := &d.s.Table
	t.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	t.Partitions = 4 + d.IntN(5)
	d.shrinkBase()
	for i := range d.s.Indexes {
		d.s.Indexes[i].Capacity = t.Capacity
	}
	t.Uneven = d.chance(0.4)
	direction := pick(d, telemetry.Write, telemetry.Write, telemetry.Read)
	rate := float64(t.Partitions) * float64(partition.Ceiling(direction)) * d.between(1.25, 2.2)
	rate = min(rate, 0.85*float64(d.s.Quota))
	d.add(Load{Name: "peak", Direction: direction, Rate: rate, Rest: Rest{Count: int(d.around(50000, 2e6)), Pattern: "NEW#%"}, Shape: d.trouble()})
	if direction == telemetry.Write {
		d.roomForIndexes(rate)
	}
}

func (d *drawer) rollingKey() {
	d.s.Table.SortKey = "at"
	rate := d.between(1200, 2500)
	d.add(Load{
		Name: "clock", Direction: telemetry.Write, Rate: rate, Rolling: d.minutes(1, 3),
		Keys: []Key{{Name: "EVENTS#%", Share: 1, Spread: partition.Growing}}, Shape: Shape{From: d.from, To: d.to},
	})
	d.room(0, rate)
	d.roomForIndexes(rate)
}

// largeItems cost much each, on one key or across a table that is too small.
func (d *drawer) largeItems() {
	direction := pick(d, telemetry.Read, telemetry.Write)
	ceiling := float64(partition.Ceiling(direction))
	units := d.around(20, 300)
	operations := []Operation{{"UpdateItem", 1}}
	if direction == telemetry.Read {
		units = d.around(50, 100)
		operations = []Operation{{"GetItem", 1}}
	}
	rate := ceiling * d.between(1.3, 2.5) / units
	k := Key{Name: d.hotName(), Share: 1, Item: "blob"}
	d.add(Load{Name: "large", Direction: direction, Rate: rate, Units: units, Keys: []Key{k}, Operations: operations, Shape: d.trouble()})
	for i := range d.s.Indexes {
		d.s.Indexes[i].Affected = 0.5
	}
	d.room(rate*units, rate*units)
}

// largeBesideHot is a rare large item beside a small hot key.
func (d *drawer) largeBesideHot() {
	rate := d.between(1200, 2600)
	d.s.Loads[0].Large, d.s.Loads[0].LargeUnits = 0.001, d.around(60, 300)
	d.add(Load{Name: "hot", Direction: telemetry.Write, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: d.trouble()})
	d.room(0, rate)
	d.roomForIndexes(rate)
}
