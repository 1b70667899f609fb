package scenario

import (
	"math"
	"slices"

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

// shrinkBase keeps ordinary traffic small after the table has been made smaller.
func (d *drawer) shrinkBase() {
	for i := range d.s.Loads {
		d.s.Loads[i].Rate = min(d.s.Loads[i].Rate, 80*float64(d.s.Table.Partitions))
	}
}

// retire limits the ordinary load in a direction to so many units a second.
func (d *drawer) retire(direction telemetry.Direction, most float64) {
	for i := range d.s.Loads {
		if l := &d.s.Loads[i]; l.Direction == direction {
			l.Rate = min(l.Rate, most/l.Units)
		}
	}
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
