package scenario

import (
	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

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
				l.Eventual, l.Rate = 1, min(l.Rate, 100*float64(d.s.Table.Partitions))
			}
		}
		rate := d.between(3100, 4000)
		d.add(Load{Name: "warm", Direction: telemetry.Read, Rate: 2 * rate, Units: 0.5, Eventual: 1, Keys: []Key{k}, Shape: d.trouble()})
		d.room(rate, 0)
		return
	}
	d.retire(telemetry.Write, 60*float64(d.s.Table.Partitions))
	rate := d.between(650, 850)
	d.add(Load{Name: "warm", Direction: telemetry.Write, Rate: rate, Keys: []Key{k}, Shape: d.trouble()})
	d.room(0, rate)
	d.roomForIndexes(rate)
}

func (d *drawer) scattered() {
	d.s.Stray = d.between(4, 60)
}

// absorbed is a spike that the table's saved capacity pays for.
func (d *drawer) absorbed() {
	t := &d.s.Table
	has := d.around(50, 2000)
	d.retire(telemetry.Write, 0.4*has)
	d.provision(&t.Resource, 2*d.base(telemetry.Read)+100, has)
	t.Capacity.Saved = partition.BurstSeconds
	d.to = d.from + d.minutes(2, 3)
	t.Partitions = max(t.Partitions, int(2*has/500)+1)
	d.add(Load{Name: "spike", Direction: telemetry.Write, Rate: has * d.between(1.1, 1.5), Rest: d.s.Loads[0].Rest, Shape: Shape{From: d.from, To: d.to}})
	d.calm(&d.s.Loads[len(d.s.Loads)-1])
	d.roomForIndexes(2 * has)
}

// full uses nearly all that is provisioned, and no more.
func (d *drawer) full() {
	t := &d.s.Table
	d.s.Loads[0].Shape.Wave, d.s.Loads[1].Shape.Wave = 0.05, 0.05
	d.provision(&t.Resource, d.base(telemetry.Read)*d.between(1.06, 1.2)+2, d.base(telemetry.Write)*d.between(1.06, 1.2)+2)
	t.Partitions = max(t.Partitions, partition.CountFor(t.Capacity.ProvisionedRead, t.Capacity.ProvisionedWrite, 0))
	d.roomForIndexes(0)
}

// quietLarge writes large items where there is room for them.
func (d *drawer) quietLarge() {
	units := d.around(20, 300)
	d.add(Load{Name: "large", Direction: telemetry.Write, Rate: 500 / units, Units: units, Operations: []Operation{{"PutItem", 1}}, Rest: Rest{Count: 50000, Pattern: "DOC#%"}, Shape: d.trouble()})
	d.room(0, 1000)
	d.roomForIndexes(0)
}
