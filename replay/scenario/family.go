package scenario

import (
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// add appends a load that makes trouble.
func (d *drawer) add(l Load) *Load {
	if l.Units == 0 {
		l.Units = 1
	}
	if l.Attempts == 0 {
		l.Attempts = d.attempts()
	}
	if l.Operations == nil {
		l.Operations = d.operations(l.Direction)
	}
	d.s.Loads = append(d.s.Loads, l)
	return &d.s.Loads[len(d.s.Loads)-1]
}

func (d *drawer) hotName() string {
	return pick(d, "TENANT#7", "GAME#88|room'H'", "acme, \"north\" #178269", "user.17@example.org", "2026-03-02", "STATUS#open", "counter")
}

// room makes sure that the table as a whole can carry what the trouble asks.
func (d *drawer) room(read, write float64) {
	c := &d.s.Table.Capacity
	if c.OnDemand {
		return
	}
	c.ProvisionedRead = max(c.ProvisionedRead, telemetry.Rate(math.Ceil(2*read+1.5*d.base(telemetry.Read))))
	c.ProvisionedWrite = max(c.ProvisionedWrite, telemetry.Rate(math.Ceil(2*write+1.5*d.base(telemetry.Write))))
	d.s.Table.Partitions = max(d.s.Table.Partitions, partition.CountFor(c.ProvisionedRead, c.ProvisionedWrite, 0))
	d.roomForIndexes(write)
}

func (d *drawer) roomForIndexes(write float64) {
	for i := range d.s.Indexes {
		x := &d.s.Indexes[i]
		x.Partitions = max(x.Partitions, int(math.Ceil((1.3*write+1.3*d.base(telemetry.Write))*x.Entry/700)))
		if !x.Capacity.OnDemand {
			x.Capacity.ProvisionedWrite = max(x.Capacity.ProvisionedWrite, telemetry.Rate(2*(write+d.base(telemetry.Write))))
		}
	}
}

// base is the ordinary load in units a second.
func (d *drawer) base(direction telemetry.Direction) float64 {
	total := 0.0
	for _, l := range d.s.Loads {
		if l.Direction == direction && l.Shape.From == 0 && l.Index == "" {
			total += l.Rate * (l.Units + l.Large*(l.LargeUnits-l.Units))
		}
	}
	return total
}

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
	eventual := d.chance(0.3)
	rate := d.between(3500, 9000)
	if eventual {
		rate = d.between(5300, 11000)
	}
	units := pick(d, 1.0, 1, 2)
	if eventual {
		units = 0.5
	}
	k := Key{Name: d.hotName(), Share: 1, Item: "meta"}
	d.add(Load{Name: "hot", Direction: telemetry.Read, Rate: rate / units, Units: units, Eventual: eventual, Keys: []Key{k}, Shape: d.trouble()})
	if eventual {
		for i := range d.s.Loads {
			if l := &d.s.Loads[i]; l.Direction == telemetry.Read {
				l.Eventual = true
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
	rate := float64(t.Partitions) * 1000 * d.between(1.2, 1.9)
	d.provision(&t.Resource, 4000, 3*rate)
	d.add(Load{Name: "load", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: int(d.around(50000, 2e6)), Pattern: "BULK#%"}, Shape: d.trouble()})
	d.roomForIndexes(rate)
}

// shrinkBase keeps ordinary traffic small after the table has been made smaller.
func (d *drawer) shrinkBase() {
	for i := range d.s.Loads {
		d.s.Loads[i].Rate = min(d.s.Loads[i].Rate, 80*float64(d.s.Table.Partitions))
	}
}

func (d *drawer) newPeak() {
	t := &d.s.Table
	t.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	t.Partitions = 4 + d.IntN(5)
	d.shrinkBase()
	for i := range d.s.Indexes {
		d.s.Indexes[i].Capacity = t.Capacity
	}
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

// exhausted spends more than is provisioned, on ordinary keys, some of them
// popular.
func (d *drawer) exhausted() {
	t := &d.s.Table
	direction := pick(d, telemetry.Read, telemetry.Write)
	has := d.around(20, 4000)
	other := 2*d.base(telemetry.Read) + 100
	if direction == telemetry.Read {
		other = 2*d.base(telemetry.Write) + 100
	}
	d.retire(direction, 0.4*has)
	if direction == telemetry.Read {
		d.provision(&t.Resource, has, other)
	} else {
		d.provision(&t.Resource, other, has)
	}
	t.Partitions = max(t.Partitions, partition.CountFor(t.Capacity.ProvisionedRead, t.Capacity.ProvisionedWrite, 0))
	rest := d.s.Loads[0].Rest
	l := d.add(Load{Name: "more", Direction: direction, Rate: has * d.between(1.1, 2.5), Rest: rest, Shape: d.trouble()})
	d.calm(l)
	l.Rate = max(l.Rate, 1.1*has)
	if d.s.Loads[0].Rest.Zipf > 0.8 {
		l.Rest.Zipf, d.s.Loads[0].Rest.Zipf, d.s.Loads[1].Rest.Zipf = 0.7, 0.7, 0.7
	}
	d.roomForIndexes(l.Rate)
}

// retire limits the ordinary load in a direction to so many units a second.
func (d *drawer) retire(direction telemetry.Direction, most float64) {
	for i := range d.s.Loads {
		if l := &d.s.Loads[i]; l.Direction == direction {
			l.Rate = min(l.Rate, most/l.Units)
		}
	}
}

// capacityBursts empty the table's bucket in seconds.
func (d *drawer) capacityBursts() {
	t := &d.s.Table
	has := d.around(100, 1500)
	d.retire(telemetry.Write, 0.3*has)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, has)
	t.Capacity.Saved = d.between(0, 8)
	every := time.Duration(pick(d, 30, 60)) * time.Second
	burst := time.Duration(3+d.IntN(5)) * time.Second
	rate := has * (2.5 + t.Capacity.Saved) * d.between(1.2, 2)
	t.Partitions = max(t.Partitions, int(rate/600)+1)
	d.add(Load{Name: "burst", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: 200000, Pattern: d.pattern}, Attempts: pick(d, 1, 2, 3), Shape: Shape{From: d.from, To: d.to, Burst: burst, Every: every}})
	d.roomForIndexes(rate)
}

func (d *drawer) autoScaling() {
	t := &d.s.Table
	has := d.around(60, 1500)
	d.retire(telemetry.Write, 0.4*has)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, has)
	t.Capacity.Saved = pick(d, 0.0, 60, 200)
	rate := has * d.between(2, 6)
	most := pick(d, 20*has, 1.2*has)
	d.s.Scaling = append(d.s.Scaling, Scaling{Direction: telemetry.Write, Min: telemetry.Rate(has / 2), Max: telemetry.Rate(math.Ceil(most)), Target: 0.7})
	t.Partitions = max(t.Partitions, int(rate/500)+1)
	d.add(Load{Name: "spike", Direction: telemetry.Write, Rate: rate, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble()})
	d.roomForIndexes(rate)
}

func (d *drawer) scaledIn() {
	t := &d.s.Table
	base := d.around(40, 800)
	d.retire(telemetry.Write, base)
	d.s.Loads[0].Rate = base / d.s.Loads[0].Units
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, 3*base)
	t.Capacity.Saved = pick(d, 0.0, 30, 100)
	d.s.Changes = append(d.s.Changes, Change{At: d.from, Direction: telemetry.Write, Rate: telemetry.Rate(math.Ceil(base * d.between(0.5, 0.8)))})
	if d.to > 0 {
		d.s.Changes = append(d.s.Changes, Change{At: d.to, Direction: telemetry.Write, Rate: telemetry.Rate(3 * base)})
	}
	t.Partitions = max(t.Partitions, int(3*base/900)+1)
	d.roomForIndexes(base)
}

func (d *drawer) scan() {
	t := &d.s.Table
	has := d.around(300, 4000)
	d.retire(telemetry.Read, 0.4*has)
	d.provision(&t.Resource, has, 2*d.base(telemetry.Write)+100)
	t.Capacity.Saved = d.between(20, 300)
	t.Partitions = max(t.Partitions, partition.CountFor(t.Capacity.ProvisionedRead, t.Capacity.ProvisionedWrite, 0), int(3*has/2000)+1)
	d.add(Load{
		Name: "export", Direction: telemetry.Read, Rate: has * d.between(1.5, 4) / 64, Units: 64, Eventual: true,
		Operations: []Operation{{"Scan", 1}}, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble(),
	})
}

func (d *drawer) replicated() {
	t := &d.s.Table
	has := d.around(60, 1500)
	d.retire(telemetry.Write, 0.4*has)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, has)
	t.Capacity.Saved = d.between(20, 300)
	t.Replicas = []string{"us-west-2"}
	rate := has * d.between(1.2, 3)
	t.Partitions = max(t.Partitions, int(rate/500)+1)
	d.add(Load{Name: "replica", Direction: telemetry.Write, Rate: rate, Replicated: true, Operations: []Operation{{"UpdateItem", 1}}, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble()})
	d.roomForIndexes(rate)
}

func (d *drawer) onDemandMaximum() {
	t := &d.s.Table
	direction := pick(d, telemetry.Read, telemetry.Write)
	most := d.around(100, 3000)
	d.retire(direction, 0.5*most)
	t.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	if direction == telemetry.Read {
		t.Capacity.MaximumRead = telemetry.Rate(most)
	} else {
		t.Capacity.MaximumWrite = telemetry.Rate(most)
	}
	t.Partitions = max(t.Partitions, 4)
	for i := range d.s.Indexes {
		d.s.Indexes[i].Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	}
	rate := most * d.between(1.2, 3)
	d.add(Load{Name: "job", Direction: direction, Rate: rate, Rest: Rest{Count: 100000, Pattern: d.pattern}, Shape: d.trouble()})
	d.roomForIndexes(rate)
}

func (d *drawer) accountQuota() {
	t := &d.s.Table
	t.Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	d.s.Quota = pick(d, partition.TableQuotaDefault, partition.TableQuotaDefault, partition.SmallTableQuota)
	d.s.QuotaSaved = pick(d, 1.0, 3, 20)
	rate := float64(d.s.Quota) * d.between(1.1, 1.5)
	t.Partitions = int(rate/600) + 1
	for i := range d.s.Indexes {
		d.s.Indexes[i].Affected = 0
		d.s.Indexes[i].Capacity = Capacity{OnDemand: true, Saved: partition.BurstSeconds}
	}
	direction := pick(d, telemetry.Write, telemetry.Read)
	d.add(Load{Name: "import", Direction: direction, Rate: rate, Rest: Rest{Count: 5e6, Pattern: "LOAD#%"}, Shape: d.trouble()})
}

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

// roomExcept gives the table and all indexes but one ample room.
func (d *drawer) roomExcept(guilty string, write float64) {
	i := slices.IndexFunc(d.s.Indexes, func(x Index) bool { return x.Name == guilty })
	kept := d.s.Indexes[i]
	d.room(0, write)
	d.roomForIndexes(write)
	t := &d.s.Table
	t.Partitions = max(t.Partitions, int((write+d.base(telemetry.Write))/600)+1)
	kept.Partitions = max(kept.Partitions, d.s.Indexes[i].Partitions)
	d.s.Indexes[i] = kept
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
	l := Load{Name: "list", Direction: telemetry.Read, Index: x.Name, Units: 0.5, Eventual: true, Operations: []Operation{{"Query", 1}}, Shape: d.trouble(), Rest: rest}
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

func (d *drawer) twoIncidents() {
	d.hotReadKey()
	d.from, d.to = d.minutes(10, 30), 0
	d.indexStarved()
}

func (d *drawer) healthyBusy() {
	d.s.Loads[0].Rate = min(d.s.Loads[0].Rate*1.5, 350*float64(d.s.Table.Partitions)/d.s.Loads[0].Units)
	d.calm(&d.s.Loads[0])
	d.roomForIndexes(0)
	d.room(0, 0)
}

// nearCeiling has one key at up to nine tenths of a partition, or
// eventually consistent reads above 3,000.
func (d *drawer) nearCeiling() {
	k := Key{Name: d.hotName(), Share: 1, Item: "meta"}
	if d.chance(0.3) {
		for i := range d.s.Loads {
			if l := &d.s.Loads[i]; l.Direction == telemetry.Read {
				l.Eventual, l.Rate = true, min(l.Rate, 100*float64(d.s.Table.Partitions))
			}
		}
		rate := d.between(3100, 4000)
		d.add(Load{Name: "warm", Direction: telemetry.Read, Rate: 2 * rate, Units: 0.5, Eventual: true, Keys: []Key{k}, Shape: d.trouble()})
		d.room(rate, 0)
		return
	}
	d.retire(telemetry.Write, 60*float64(d.s.Table.Partitions))
	rate := d.between(650, 850)
	d.add(Load{Name: "warm", Direction: telemetry.Write, Rate: rate, Keys: []Key{k}, Shape: d.trouble()})
	d.room(0, rate)
	d.roomForIndexes(rate)
}

func (d *drawer) scattered() { d.s.Stray = d.between(4, 60) }
