package scenario

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// classifier names the cause of a run from what the simulation knows and nobody
// outside AWS does: each key's partition and each partition's load.
type classifier struct {
	w *world
	u *unit
	d telemetry.Direction
	s span
	e *Event
}

func (c *classifier) minutes() []*minute { return c.u.minutes[c.s.first : c.s.last+1] }

func (c *classifier) contribute(factor string) {
	if !slices.Contains(c.e.Contributing, factor) {
		c.e.Contributing = append(c.e.Contributing, factor)
	}
}

func (c *classifier) classify() {
	switch limit := telemetry.Limits[c.s.limit]; limit {
	case telemetry.KeyRangeLimit:
		c.partition()
	case telemetry.AccountLimit:
		c.e.Causes = []string{causeQuota}
	default:
		c.e.Causes = []string{causeCapacity}
		if c.meanUnits(-1) >= c.large() {
			c.e.Causes = []string{causeLargeItem, causeCapacity}
		}
		c.capacityFactors(limit)
	}
	if c.u.name != "" && c.e.Causes[0] != causeQuota {
		c.e.Causes = []string{causeIndex}
		if c.d == telemetry.Write {
			c.contribute("gsi_back_pressure")
		}
	}
	c.commonFactors()
}

// large is from which mean on requests count as large.
func (c *classifier) large() float64 {
	if c.d == telemetry.Read {
		return 30
	}
	return 10
}

// partition handles a run that partitions refused.
func (c *classifier) partition() {
	id := c.hottest()
	if id < 0 {
		c.e.Causes = []string{causeUnknown}
		return
	}
	keys, load := c.keysOn(id), c.load(id)
	top := 0.0
	if len(keys) > 0 && load > 0 {
		top = keys[0].weight / load
	}
	rolling := c.rolling()
	switch {
	case rolling:
		c.e.Causes = []string{causeHotPartition}
		if c.heated() < 4 {
			// A few minutes are hardly a succession.
			c.e.Causes = append(c.e.Causes, causeHotKey)
		}
		c.contribute("rolling_key")
	case top >= 0.65:
		c.e.Causes = []string{causeHotKey}
	case top >= 0.5:
		c.e.Causes = []string{causeHotPartition, causeHotKey}
	default:
		c.e.Causes = []string{causeHotPartition}
	}
	if top >= 0.5 && !rolling {
		c.hotKey(keys[0])
	}
	if !rolling && top < 0.5 && c.spread() > 0.6 {
		c.contribute("too_few_partitions")
		if c.u.spec.Capacity.OnDemand {
			c.contribute("on_demand_new_peak")
		}
	} else if !rolling {
		c.name(keys, load)
	}
	c.doubt()
	c.splitFactor()
}

// hotKey refines an event that one key is behind.
func (c *classifier) hotKey(k heavyKey) {
	units := c.meanUnits(k.index)
	if units >= c.large() {
		c.e.Causes = []string{causeLargeItem}
		if units < 1.5*c.large() {
			c.e.Causes = append(c.e.Causes, causeHotKey)
		}
	} else if c.d == telemetry.Write && k.peak > float64(partition.WriteCeiling) {
		c.e.ShardsNeeded = int(math.Ceil(k.peak / float64(partition.WriteCeiling)))
	}
	if c.u.name != "" {
		c.contribute(causeHotKey)
	}
	held := c.w.s.Table.Local != "" && c.u.name == ""
	if c.e.Causes[0] != causeHotPartition && (c.u.keys[k.index].Spread != partition.Collection || held) {
		c.contribute("unsplittable")
	}
}

// doubt admits other answers where nothing tells keys apart.
func (c *classifier) doubt() {
	if s := c.u.spec.Insights; s == InsightsAccessed || s == InsightsThrottled || c.u.name != "" {
		return
	}
	for _, other := range []string{causeUnknown, causeHotKey, causeHotPartition} {
		if !slices.Contains(c.e.Causes, other) {
			c.e.Causes = append(c.e.Causes, other)
		}
	}
}

// hottest finds the partition that refused and served the most in one minute, by
// ID, and describes it; -1 where none refused.
func (c *classifier) hottest() int {
	best, served, d := -1, 0.0, dir(c.d)
	for _, m := range c.minutes() {
		for id := range m.parts {
			p := &m.parts[id]
			// A table write that an index holds back is refused with the
			// index's partition full but its buffer served.
			full := p.demand[d] > p.served[d]+1
			if full && p.served[d] > served {
				best, served = id, p.served[d]
			}
		}
	}
	if best < 0 {
		return -1
	}
	h := &Hottest{Served: telemetry.Units(served).Per(time.Minute), Ceiling: partition.Ceiling(c.d)}
	for _, m := range c.minutes() {
		h.Offered = max(h.Offered, telemetry.Units(c.part(m, best).fresh[d]).Per(time.Minute))
	}
	c.e.Hottest = h
	return best
}

// part is a partition's minute; an empty one where it wasn't there.
func (c *classifier) part(m *minute, id int) *partMinute {
	if id < len(m.parts) {
		return &m.parts[id]
	}
	return &partMinute{}
}

func (c *classifier) sum(value func(*minute) float64) float64 {
	total := 0.0
	for _, m := range c.minutes() {
		total += value(m)
	}
	return total
}

// fed reports whether the run is of writes that come through an index's buffer.
func (c *classifier) fed() bool { return c.u.feed != nil && c.d == telemetry.Write }

// load is what a partition refused over the run, in units: that tells who filled
// it in the seconds that matter. Behind an index's buffer it is what was wanted.
func (c *classifier) load(id int) float64 {
	d := dir(c.d)
	return c.sum(func(m *minute) float64 {
		p := c.part(m, id)
		if c.fed() {
			return p.fresh[d]
		}
		return max(0, p.demand[d]-p.served[d])
	})
}

// heavyKey is a named key's part in a partition's load.
type heavyKey struct {
	index  int
	weight float64 // of the partition's load, in units
	peak   float64 // the key's highest minute, in units a second
}

// keysOn lists the named keys on a partition, the most wanted first.
func (c *classifier) keysOn(id int) []heavyKey {
	var out []heavyKey
	d := dir(c.d)
	for i := range c.u.keys {
		k := heavyKey{index: i}
		for _, m := range c.minutes() {
			p, key := c.part(m, id), &m.keys[i]
			units := key.caused[d] * key.size[d]
			if c.fed() {
				units = key.fresh[d]
			}
			k.weight += units * c.place(i).Share(p.from, p.to)
			k.peak = max(k.peak, key.fresh[d]/60)
		}
		if k.weight > 0 {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b heavyKey) int { return cmp.Compare(b.weight, a.weight) })
	return out
}

func (c *classifier) place(key int) partition.Place {
	k := c.u.keys[key]
	return k.place(c.w.salt(c.u), k.within)
}

// name lists the keys that make up the load, and those that fill other
// partitions at the same time.
func (c *classifier) name(keys []heavyKey, load float64) {
	least := 0.1
	if c.e.Causes[0] != causeHotPartition {
		least = 0.3
	}
	for _, k := range keys {
		if k.weight < least*load {
			continue
		}
		key := KeyName{Partition: c.u.keys[k.index].Name}
		if c.u.spec.SortKey != "" && c.u.keys[k.index].Spread == partition.OneItem && c.e.Causes[0] != causeHotPartition {
			key.Sort = c.u.keys[k.index].Item
		}
		c.e.Keys = append(c.e.Keys, key)
	}
	for i := range c.u.keys {
		name := KeyName{Partition: c.u.keys[i].Name}
		caused := c.sum(func(m *minute) float64 { return m.keys[i].caused[dir(c.d)] })
		known := slices.ContainsFunc(c.e.Keys, func(k KeyName) bool { return k.Partition == name.Partition })
		if !known && caused > 0.3*c.e.Refused {
			c.e.Keys = append(c.e.Keys, name)
		}
	}
}

// rolling reports whether the run's refusals belong to a rolling load.
func (c *classifier) rolling() bool {
	total := c.sum(func(m *minute) float64 {
		n := 0.0
		for i := range m.keys {
			if c.u.keys[i].rolling {
				n += m.keys[i].caused[dir(c.d)]
			}
		}
		return n
	})
	return total > 0.5*c.e.Refused
}

// heated is how many named keys were refused by partitions during the run.
func (c *classifier) heated() int {
	n := 0
	for i := range c.u.keys {
		if c.sum(func(m *minute) float64 { return m.keys[i].caused[dir(c.d)] }) > 0 {
			n++
		}
	}
	return n
}

// spread is the share of the key space that was refused at the worst time.
func (c *classifier) spread() float64 {
	worst, d := 0.0, dir(c.d)
	for _, m := range c.minutes() {
		total := 0.0
		for i := range m.parts {
			if p := &m.parts[i]; p.demand[d] > 1.01*p.served[d]+1 {
				total += p.width
			}
		}
		worst = max(worst, min(1, total))
	}
	return worst
}

// meanUnits is what a request costs on average: one key's, or all with -1.
func (c *classifier) meanUnits(key int) float64 {
	d := dir(c.d)
	units := c.sum(func(m *minute) float64 {
		if key >= 0 {
			return m.keys[key].fresh[d]
		}
		return m.units[d]
	})
	requests := c.sum(func(m *minute) float64 {
		if key >= 0 {
			return m.keys[key].wanted[d]
		}
		return m.requests[d]
	})
	if requests <= 0 {
		return 0
	}
	return units / requests
}
