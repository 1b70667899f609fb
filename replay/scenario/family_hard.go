package scenario

import (
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// mildKey asks for hardly more than a partition serves.
func (d *drawer) mildKey() {
	direction := pick(d, telemetry.Read, telemetry.Write)
	rate := float64(partition.Ceiling(direction)) * d.between(1.01, 1.1)
	d.add(Load{Name: "mild", Direction: direction, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: d.trouble()})
	d.room(rate, rate)
	d.roomForIndexes(rate)
}

// halfHotPair is two keys, neither near the ceiling, on one partition.
func (d *drawer) halfHotPair() {
	direction := pick(d, telemetry.Read, telemetry.Write)
	rate := float64(partition.Ceiling(direction)) * d.between(1.15, 1.4)
	first := d.between(0.5, 0.6)
	d.retire(direction, float64(partition.Ceiling(direction))*float64(d.s.Table.Partitions)/12)
	d.add(Load{
		Name: "pair", Direction: direction, Rate: rate, Together: true, Shape: d.trouble(),
		Keys: []Key{{Name: "PAIR#1", Share: first, Item: "meta"}, {Name: "PAIR#2", Share: 1 - first, Item: "meta"}},
	})
	d.room(rate, rate)
	d.roomForIndexes(rate)
}

// busyReader tops the ranking unharmed while another key's writes are refused.
func (d *drawer) busyReader() {
	writes := d.between(1200, 2200)
	reads := d.between(3100, 4200)
	for i := range d.s.Loads {
		if l := &d.s.Loads[i]; l.Direction == telemetry.Read {
			l.Eventual = 1
		}
	}
	d.retire(telemetry.Read, 100*float64(d.s.Table.Partitions))
	d.add(Load{Name: "reader", Direction: telemetry.Read, Rate: 2 * reads, Units: 0.5, Eventual: 1, Operations: []Operation{{"GetItem", 1}}, Keys: []Key{{Name: "CONFIG", Share: 1, Item: "meta"}}})
	d.add(Load{Name: "writer", Direction: telemetry.Write, Rate: writes, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: d.trouble()})
	d.room(reads, writes)
	d.roomForIndexes(writes)
}

// popularKeys are skewed keys on a table that is simply too small for all of
// them together.
func (d *drawer) popularKeys() {
	t := &d.s.Table
	direction := pick(d, telemetry.Read, telemetry.Write)
	has := d.around(20, 0.5*float64(partition.Ceiling(direction)))
	rest := d.s.Loads[0].Rest
	rest.Zipf = d.between(1, 1.3)
	d.retire(direction, 0.4*has)
	if direction == telemetry.Read {
		d.provision(&t.Resource, has, 2*d.base(telemetry.Write)+100)
	} else {
		d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, has)
	}
	for i := range d.s.Loads {
		d.s.Loads[i].Rest = rest
	}
	for i := range d.s.Loads {
		d.calm(&d.s.Loads[i])
	}
	d.add(Load{Name: "crowd", Direction: direction, Rate: has * d.between(1.15, 2.2), Rest: rest, Shape: d.trouble()})
	d.roomForIndexes(2 * has)
}

// newIndex has one or two partitions, and many keys.
func (d *drawer) newIndex() {
	x := d.index("guilty")
	x.Affected = 1
	d.retire(telemetry.Write, 300)
	x.Partitions = 1 + d.IntN(2)
	name, parts := x.Name, x.Partitions
	rate := float64(parts) * 1000 * d.between(1.2, 1.9)
	d.add(Load{Name: "load", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: 200000, Pattern: "BULK#%"}, Shape: d.trouble()})
	d.roomExcept(name, rate)
	i := slices.IndexFunc(d.s.Indexes, func(x Index) bool { return x.Name == name })
	g := &d.s.Indexes[i]
	g.Partitions = parts
	if !g.Capacity.OnDemand {
		g.Capacity.ProvisionedWrite = telemetry.Rate(math.Ceil(3 * rate))
	}
}

// tinyTable is a side table of a few units, outgrown.
func (d *drawer) tinyTable() {
	t := &d.s.Table
	has := d.around(2, 12)
	t.Partitions, t.Bytes = 1, 5<<20
	t.Stream = false
	d.s.Indexes = nil
	d.retire(telemetry.Write, 0.5*has)
	d.retire(telemetry.Read, 4)
	d.provision(&t.Resource, 10, has)
	for i := range d.s.Loads {
		d.s.Loads[i].Rest = Rest{Count: 40, Pattern: "shard-%"}
	}
	d.add(Load{Name: "workers", Direction: telemetry.Write, Rate: has * d.between(1.3, 4), Rest: d.s.Loads[0].Rest, Shape: d.trouble()})
}

// brief trouble lasts two to five minutes.
func (d *drawer) brief() {
	d.to = d.from + d.minutes(2, 5)
	pick(d, (*drawer).hotWriteKey, (*drawer).warmNeighbours, (*drawer).hotReadKey, (*drawer).burstOnKey)(d)
	for i := range d.s.Loads {
		d.s.Loads[i].Shape.Ramp = 0
	}
}

// partialKey is a key with a few neighbours: how much of the partition is its own
// varies.
func (d *drawer) partialKey() {
	direction := pick(d, telemetry.Read, telemetry.Write)
	rate := float64(partition.Ceiling(direction)) * d.between(1.15, 1.6)
	l := Load{Name: "mixed", Direction: direction, Rate: rate, Together: true, Shape: d.trouble()}
	share := d.between(0.3, 0.9)
	l.Keys = []Key{{Name: "MIXED#main", Share: share, Item: "meta"}}
	for i := range 3 {
		l.Keys = append(l.Keys, Key{Name: "MIXED#" + string(rune('a'+i)), Share: (1 - share) / 3, Item: "meta"})
	}
	d.add(l)
	d.room(rate, rate)
	d.roomForIndexes(rate)
}

// tinyBurst is over in a second or two, and refuses little.
func (d *drawer) tinyBurst() {
	rate := d.between(2300, 3500)
	shape := Shape{From: d.from, To: d.to, Burst: seconds(1 + d.IntN(2)), Every: seconds(pick(d, 60, 120))}
	d.add(Load{Name: "burst", Direction: telemetry.Write, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: shape, Attempts: 1})
	d.room(0, rate)
	d.roomForIndexes(rate)
}

// indexBehindKey has a busy key in the table, which is let in, and a busier one
// in an index, which is not.
func (d *drawer) indexBehindKey() {
	x := d.index("guilty")
	x.Keys = []Key{{Name: "org#1", Share: d.between(0.6, 0.9), Spread: partition.Growing}}
	x.Entry, x.Affected = pick(d, 2.0, 3), 1
	name := x.Name
	d.retire(telemetry.Write, 200)
	rate := d.between(600, 850)
	d.add(Load{Name: "busy", Direction: telemetry.Write, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: d.trouble()})
	d.roomExcept(name, 3*rate)
	i := slices.IndexFunc(d.s.Indexes, func(x Index) bool { return x.Name == name })
	if g := &d.s.Indexes[i]; !g.Capacity.OnDemand {
		g.Capacity.ProvisionedWrite = telemetry.Rate(9 * rate)
	}
}

// repeated is the same job every half hour.
func (d *drawer) repeated() {
	k := []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}
	rate := d.between(1300, 2500)
	last := d.minutes(2, 6)
	for at := d.from; at+last < d.s.Length; at += 25 * time.Minute {
		d.add(Load{Name: "job", Direction: telemetry.Write, Rate: rate, Keys: k, Shape: Shape{From: at, To: at + last}})
	}
	d.room(0, rate)
	d.roomForIndexes(rate)
}

// sequence is a hot key and, a while later, a table that is too small.
func (d *drawer) sequence() {
	d.s.Length = 110 * time.Minute
	d.from, d.to = d.minutes(10, 15), d.minutes(28, 35)
	t := &d.s.Table
	d.retire(telemetry.Write, 300)
	hot := d.between(1200, 1900)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, 1.6*hot+600)
	t.Capacity.Saved = d.between(10, 60)
	t.Partitions = max(t.Partitions, 10)
	d.add(Load{Name: "hot", Direction: telemetry.Write, Rate: hot, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: Shape{From: d.from, To: d.to}})
	d.add(Load{Name: "crowd", Direction: telemetry.Write, Rate: 3 * hot, Rest: Rest{Count: 300000, Pattern: d.pattern}, Shape: Shape{From: 60 * time.Minute, To: d.minutes(75, 100)}})
	t.Partitions = max(t.Partitions, int(3*hot/500)+1)
	d.roomForIndexes(4 * hot)
}

// raisedInVain is a hot key, met by more and more capacity.
func (d *drawer) raisedInVain() {
	t := &d.s.Table
	rate := d.between(1300, 2600)
	d.retire(telemetry.Write, 500)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, 2*rate+1000)
	t.Partitions = max(t.Partitions, 8)
	d.add(Load{Name: "hot", Direction: telemetry.Write, Rate: rate, Keys: []Key{{Name: d.hotName(), Share: 1, Item: "meta"}}, Shape: Shape{From: d.from}})
	for i := range 2 {
		d.s.Changes = append(d.s.Changes, Change{
			At: d.from + time.Duration(8+10*i)*time.Minute, Direction: telemetry.Write,
			Rate: t.Capacity.ProvisionedWrite * telemetry.Rate(2+2*i),
		})
	}
	d.roomForIndexes(rate)
}

// alreadyThere began before the window.
func (d *drawer) alreadyThere() {
	d.from = -5 * time.Minute
	pick(d, (*drawer).hotWriteKey, (*drawer).hotReadKey, (*drawer).indexStarved, (*drawer).warmNeighbours, (*drawer).onDemandMaximum)(d)
	for i := range d.s.Loads {
		d.s.Loads[i].Shape.Ramp = 0
	}
}
