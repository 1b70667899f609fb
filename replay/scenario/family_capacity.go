package scenario

import (
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

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
		Name: "export", Direction: telemetry.Read, Rate: has * d.between(1.5, 4) / 64, Units: 64, Eventual: 1,
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
