package analysis_test

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/scenario"
)

// treated is a copy of a scenario whose workload or limits are as a remedy for one of its
// events would have them.
func treated(s *scenario.Scenario, e *analysis.Event, r analysis.Remedy) *scenario.Scenario {
	out := *s
	out.Loads = slices.Clone(s.Loads)
	out.Indexes = slices.Clone(s.Indexes)
	c := &treatment{s: &out, e: e, r: r}
	c.limits()
	c.loads()
	if e.Resource.Index != "" && e.Direction == telemetry.Write {
		c.indexKeys()
	}
	return &out
}

type treatment struct {
	s *scenario.Scenario
	e *analysis.Event
	r analysis.Remedy
}

// resource is the table or index that refuses.
func (c *treatment) resource() *scenario.Resource {
	for i := range c.s.Indexes {
		if c.s.Indexes[i].Name == c.e.Resource.Index {
			return &c.s.Indexes[i].Resource
		}
	}
	return &c.s.Table.Resource
}

func (c *treatment) limits() {
	res := c.resource()
	raise := func(read, write *telemetry.Rate, to telemetry.Rate) {
		if c.e.Direction == telemetry.Read {
			*read = max(*read, to)
		} else {
			*write = max(*write, to)
		}
	}
	if c.r.Provisioned > 0 && !res.Capacity.OnDemand {
		raise(&res.Capacity.ProvisionedRead, &res.Capacity.ProvisionedWrite, c.r.Provisioned)
		res.Partitions = max(res.Partitions, partition.CountFor(res.Capacity.ProvisionedRead, res.Capacity.ProvisionedWrite, 0))
	}
	if c.r.Maximum > 0 && res.Capacity.OnDemand {
		raise(&res.Capacity.MaximumRead, &res.Capacity.MaximumWrite, c.r.Maximum)
	}
	if c.r.Quota > 0 {
		c.s.Quota = c.r.Quota
	}
	if c.r.Warm > 0 {
		read, write := c.r.Warm, telemetry.Rate(0)
		if c.e.Direction == telemetry.Write {
			read, write = write, read
		}
		res.Partitions = max(res.Partitions, partition.CountForWarm(read, write))
	}
	if c.r.SwitchToOnDemand {
		c.s.Table.Capacity = scenario.Capacity{OnDemand: true, Saved: partition.BurstSeconds}
		for i := range c.s.Indexes {
			c.s.Indexes[i].Capacity = c.s.Table.Capacity
		}
		c.s.Scaling, c.s.Changes = nil, nil
	}
	c.keepRaised(max(c.r.Provisioned, c.r.Maximum))
}

// keepRaised lets neither auto scaling nor anyone's hand take a raise back.
func (c *treatment) keepRaised(to telemetry.Rate) {
	c.s.Scaling, c.s.Changes = slices.Clone(c.s.Scaling), slices.Clone(c.s.Changes)
	for i := range c.s.Scaling {
		if x := &c.s.Scaling[i]; x.Index == c.e.Resource.Index && x.Direction == c.e.Direction {
			x.Min, x.Max = max(x.Min, to), max(x.Max, to)
		}
	}
	for i := range c.s.Changes {
		if x := &c.s.Changes[i]; x.Index == c.e.Resource.Index && x.Direction == c.e.Direction {
			x.Rate = max(x.Rate, to)
		}
	}
}

// mine reports whether a load draws on what refuses, in the event's direction.
func (c *treatment) mine(l *scenario.Load) bool {
	if l.Direction != c.e.Direction {
		return false
	}
	return l.Direction == telemetry.Write || l.Index == c.e.Resource.Index
}

// named reports whether the event is about a key; the empty name asks whether it is about
// any.
func (c *treatment) named(name string) bool {
	return slices.ContainsFunc(c.e.Keys, func(k analysis.EventKey) bool { return name == "" || k.Key.Partition == name })
}

func (c *treatment) loads() {
	var out []scenario.Load
	for _, l := range c.s.Loads {
		if !c.mine(&l) {
			out = append(out, l)
			continue
		}
		if c.r.Attempts > 0 {
			l.Attempts = c.r.Attempts
		}
		out = append(out, c.parted(l)...)
	}
	c.s.Loads = out
}

// parted takes the keys that the event is about out of a load and treats them; where a
// limit of the whole resource refuses, all of the load is treated.
func (c *treatment) parted(l scenario.Load) []scenario.Load {
	if l.Together && c.r.Shards < 2 {
		return []scenario.Load{c.eased(l)}
	}
	if c.e.Limit != telemetry.KeyRangeLimit && c.e.Limit != telemetry.UnknownLimit {
		if c.r.Shards > 1 {
			return c.sharded(l)
		}
		return []scenario.Load{c.eased(l)}
	}
	if l.Rolling > 0 || len(c.e.Keys) == 0 {
		return c.sharded(c.eased(l)) // where no key is named, all of them are meant
	}
	rest := l
	rest.Keys = nil
	left := 1.0
	var out []scenario.Load
	for i, k := range l.Keys {
		if !c.named(k.Name) || c.r.Shards > 1 && i > 0 && c.e.Cause == analysis.HotPartition {
			rest.Keys = append(rest.Keys, k)
			continue
		}
		one := l
		one.Name = fmt.Sprintf("%s-%d", l.Name, i)
		one.Rate, one.Together, one.Rest = l.Rate*k.Share, false, scenario.Rest{}
		one.Shape.FromRate *= k.Share
		k.Share = 1
		one.Keys = []scenario.Key{k}
		out = append(out, c.sharded(c.eased(one))...)
		left -= l.Keys[i].Share
	}
	if len(out) == 0 {
		return []scenario.Load{l}
	}
	if left > 1e-9 {
		rest.Rate *= left
		rest.Shape.FromRate *= left
		for i := range rest.Keys {
			rest.Keys[i].Share /= left
		}
		out = append(out, rest)
	}
	return out
}

// eased changes how much a load asks for.
func (c *treatment) eased(l scenario.Load) scenario.Load {
	if c.r.CacheHitRatio > 0 && l.Direction == telemetry.Read {
		l.Rate *= 1 - c.r.CacheHitRatio
		l.Shape.FromRate *= 1 - c.r.CacheHitRatio
	}
	if c.r.EventuallyConsistent && l.Direction == telemetry.Read {
		by := 0.5 / (1 - l.Eventual/2)
		l.Units, l.LargeUnits, l.Eventual = l.Units*by, l.LargeUnits*by, 1
	}
	if c.r.ItemFactor > 0 {
		l.Units, l.LargeUnits = l.Units*c.r.ItemFactor, l.LargeUnits*c.r.ItemFactor
	}
	if c.r.Pace > 0 {
		by := float64(c.r.Pace) / (l.Rate * (l.Units + l.Large*(l.LargeUnits-l.Units)))
		if c.e.Limit != telemetry.KeyRangeLimit {
			by = float64(c.r.Pace) / c.all()
		}
		l.Rate *= math.Min(1, by)
		l.Shape.Burst, l.Shape.Every = 0, 0
	}
	return l
}

// all is the sum of the loads on what refuses, in units a second.
func (c *treatment) all() float64 {
	total := 0.0
	for _, l := range c.s.Loads {
		if c.mine(&l) {
			total += l.Rate * (l.Units + l.Large*(l.LargeUnits-l.Units))
		}
	}
	return total
}

// sharded spreads each named key of a load over the remedy's number of keys.
func (c *treatment) sharded(l scenario.Load) []scenario.Load {
	if c.r.Shards < 2 {
		return []scenario.Load{l}
	}
	if l.Rolling > 0 {
		var out []scenario.Load
		for i := range c.r.Shards {
			one := l
			one.Name, one.Rate = fmt.Sprintf("%s-%d", l.Name, i), l.Rate/float64(c.r.Shards)
			one.Shape.FromRate /= float64(c.r.Shards)
			one.Keys = slices.Clone(l.Keys)
			one.Keys[0].Name += fmt.Sprintf(".%d", i)
			out = append(out, one)
		}
		return out
	}
	l.Keys = shards(l.Keys, c.r.Shards)
	l.Together = false
	return []scenario.Load{l}
}

func shards(keys []scenario.Key, n int) []scenario.Key {
	var out []scenario.Key
	for _, k := range keys {
		for i := range n {
			part := k
			part.Name, part.Share = fmt.Sprintf("%s.%d", k.Name, i), k.Share/float64(n)
			out = append(out, part)
		}
	}
	return out
}

// indexKeys shards the keys of an index that the table's writes fall on.
func (c *treatment) indexKeys() {
	for i := range c.s.Indexes {
		if x := &c.s.Indexes[i]; x.Name == c.e.Resource.Index && c.r.Shards > 1 {
			x.Keys = shards(x.Keys, c.r.Shards)
		}
	}
}

// observed plays a scenario and diagnoses it.
func observed(s *scenario.Scenario) (*analysis.Diagnosis, scenario.Truth) {
	in := scenario.Generate(s, playSeed)
	a := analysis.New()
	a.Add(in.Batch())
	return a.Diagnose(), in.Truth
}

// playSeed is the chance that all scenarios are played with, treated or not.
const playSeed = 1

// known is a built-in scenario with its diagnosis and truth.
type known struct {
	s     *scenario.Scenario
	d     *analysis.Diagnosis
	truth scenario.Truth
}

// library are the built-in scenarios by name, played once for all tests.
var library = sync.OnceValue(func() map[string]known {
	out := map[string]known{}
	for _, name := range scenario.Names() {
		s, err := scenario.Library(name)
		if err != nil {
			panic(err)
		}
		d, truth := observed(s)
		out[name] = known{s, d, truth}
	}
	return out
})

// refusedAfter is what is really refused on an event's resource once a remedy is applied.
func refusedAfter(s *scenario.Scenario, e *analysis.Event, r analysis.Remedy) float64 {
	return refusedOn(scenario.Play(treated(s, e, r), playSeed), e)
}

// refusedOn adds up what was really refused on a resource in a direction.
func refusedOn(t scenario.Truth, e *analysis.Event) float64 {
	total := 0.0
	for _, x := range t.Events {
		if x.Index == e.Resource.Index && x.Operation == e.Direction {
			total += x.Refused
		}
	}
	return total
}

// alone reports whether an event is the only one of its resource and direction.
func alone(d *analysis.Diagnosis, e *analysis.Event) bool {
	for _, x := range d.Events {
		if x != e && x.Resource == e.Resource && x.Direction == e.Direction && !x.Note() {
			return false
		}
	}
	return true
}

// requests is about how many requests were made during an event.
func requests(d *analysis.Diagnosis, e *analysis.Event) float64 {
	total := e.ThrottledEvents
	for _, t := range d.Tables {
		for _, r := range t.Resources {
			if r.ID != e.Resource {
				continue
			}
			for _, m := range r.Load(e.Direction).Minutes {
				if !m.Start.Before(e.Start) && m.Start.Before(e.End) {
					if m.Requests >= 0 {
						total += m.Requests
					} else {
						total += 60 * float64(m.Consumed)
					}
				}
			}
		}
	}
	return total
}
