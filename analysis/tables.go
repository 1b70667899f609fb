package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// newTable lays out a table with its indexes and what changed on them. Loads are
// filled in when the resources are diagnosed.
func newTable(f *facts, id telemetry.TableID) *Table {
	t := &Table{ID: id, Mode: telemetry.UnknownMode, Description: f.tables[id]}
	if t.Description != nil {
		t.Mode = t.Description.Mode
	}
	t.Resources = append(t.Resources, newResource(f, t, id.Resource()))
	for _, name := range f.indexNames(id) {
		t.Resources = append(t.Resources, newResource(f, t, id.WithIndex(name)))
	}
	t.Changes = f.changes(t)
	return t
}

func newResource(f *facts, t *Table, id telemetry.ResourceID) *Resource {
	r := &Resource{ID: id, Insights: f.insights[id], Partitions: f.partitions(id)}
	r.PartitionKey, r.SortKey = keyNames(f.keySchema(id))
	r.Read = f.newLoad(id, telemetry.Read, t.Mode)
	r.Write = f.newLoad(id, telemetry.Write, t.Mode)
	return r
}

func (f *facts) newLoad(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) *Load {
	l := &Load{Direction: dir, Ceiling: partition.Ceiling(dir), RefusalsOnly: f.refusalsOnly(id, dir)}
	if like, idle := f.idleness(id, dir, mode); idle && l.RefusalsOnly {
		l.Minutes = f.idleMinutes(like, id, dir, mode)
		return l
	}
	l.Minutes = f.minutes(id, dir, mode)
	l.Earlier = f.earlierLoads(id, dir)
	for _, m := range l.Minutes {
		if m.State == telemetry.Known && (l.Peak == nil || m.Consumed > *l.Peak) {
			l.Peak = &m.Consumed
		}
		l.Throttled += m.Throttled
	}
	return l
}

// refusalsOnly reports whether the sum of all refusals was asked for, and neither
// consumed units nor what refused.
func (f *facts) refusalsOnly(id telemetry.ResourceID, dir telemetry.Direction) bool {
	asked := func(m telemetry.Metric) bool {
		return f.series[telemetry.SeriesID{Resource: id, Metric: m, Stat: telemetry.Sum}] != nil
	}
	if !asked(telemetry.ThrottleEvents(dir, telemetry.UnknownLimit)) || asked(telemetry.Consumed(dir)) {
		return false
	}
	for _, l := range telemetry.Limits {
		if asked(telemetry.ThrottleEvents(dir, l)) {
			return false
		}
	}
	return true
}

// idleness is all that the minutes of a resource depend on that refused nothing and of
// which nothing else was asked. In a fleet most are alike.
type idleness struct {
	from, to time.Time
	partial  bool
	period   time.Duration
	capacity setting
}

// idleness is that of a swept resource; false where the minutes depend on more.
func (f *facts) idleness(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) (idleness, bool) {
	t := f.series[telemetry.SeriesID{Resource: id, Metric: telemetry.ThrottleEvents(dir, telemetry.UnknownLimit), Stat: telemetry.Sum}]
	settings := f.settings(id, dir, mode)
	if t == nil || len(t.points) > 0 || len(settings) > 1 {
		return idleness{}, false
	}
	for _, op := range telemetry.APIOperations {
		if f.series[requestSeries(id.TableID, op)] != nil {
			return idleness{}, false
		}
	}
	out := idleness{from: t.from, to: t.to, partial: t.partial, period: t.period}
	if len(settings) == 1 {
		out.capacity = settings[0]
	}
	return out, true
}

func (f *facts) idleMinutes(like idleness, id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) []Minute {
	minutes, met := f.idle[like]
	if !met {
		minutes = f.minutes(id, dir, mode)
		f.idle[like] = minutes
	}
	return minutes
}

// keySchema is a resource's key attributes; nil where they aren't described.
func (f *facts) keySchema(id telemetry.ResourceID) []telemetry.KeyAttribute {
	t := f.tables[id.TableID]
	switch {
	case t == nil:
		return nil
	case id.Index == "":
		return t.Keys
	}
	for _, x := range t.Indexes {
		if x.Name == id.Index {
			return x.Keys
		}
	}
	return nil
}

// keyNames joins the attributes of each role; an index may have several.
func keyNames(keys []telemetry.KeyAttribute) (hash, sort string) {
	for _, k := range keys {
		name := &hash
		if k.Role == "RANGE" {
			name = &sort
		}
		if *name != "" {
			*name += "+"
		}
		*name += k.Name
	}
	return hash, sort
}

// partitions estimates how many partitions a resource has, from the best source at
// hand: open stream shards (for a table), warm throughput, provisioned throughput
// and size. low is the estimate before splits inside the window.
func (f *facts) partitions(id telemetry.ResourceID) Partitions {
	floor := f.partitionsBySize(id)
	if id.Index == "" {
		if p, ok := f.partitionsByShards(id.TableID); ok {
			return p
		}
	}
	c, _ := f.described(id)
	if n := partition.CountForWarm(rateOr0(c.Warm.Read), rateOr0(c.Warm.Write)); c.Warm.Read != nil || c.Warm.Write != nil {
		n = max(n, floor)
		return Partitions{Low: n, Likely: n, High: 2 * n, Source: FromWarmThroughput}
	}
	if c.Provisioned.Read != nil || c.Provisioned.Write != nil {
		heat := partition.CountFor(rateOr0(c.Provisioned.Read), rateOr0(c.Provisioned.Write), 0)
		n := max(heat, floor)
		return Partitions{Low: 1, Likely: n, High: 4 * n, Source: FromProvisioned}
	}
	if t := f.tables[id.TableID]; t != nil && t.Mode == telemetry.ModeOnDemand {
		n := max(partition.NewTablePartitions, floor)
		return Partitions{Low: n, Likely: n, High: 4 * n, Source: Assumed}
	}
	if floor > 1 {
		return Partitions{Low: floor, Likely: floor, High: 4 * floor, Source: FromSize}
	}
	return Partitions{Low: 1, Likely: partition.NewTablePartitions, High: 16, Source: Assumed}
}

// partitionsBySize is the least number that the described size needs.
func (f *facts) partitionsBySize(id telemetry.ResourceID) int {
	t := f.tables[id.TableID]
	if t == nil {
		return 1
	}
	size := t.SizeBytes
	if id.Index != "" {
		size = nil
		for _, x := range t.Indexes {
			if x.Name == id.Index {
				size = x.SizeBytes
			}
		}
	}
	if size == nil {
		return 1
	}
	return partition.CountFor(0, 0, *size)
}

// partitionsByShards counts open stream shards, one for each partition. Shards that
// opened inside the window as one of several children of one parent date a split:
// low is the number before it.
func (f *facts) partitionsByShards(id telemetry.TableID) (Partitions, bool) {
	s := f.shards[id]
	if s == nil || s.Truncated {
		return Partitions{}, false
	}
	open := 0
	for _, x := range s.Shards {
		if x.Open && !x.Opened.After(f.window.End) {
			open++
		}
	}
	if open == 0 {
		return Partitions{}, false
	}
	added := 0
	for _, sp := range f.splits(id) {
		added += sp.into - 1
	}
	before := max(1, open-added)
	return Partitions{Low: before, Likely: open, High: open, Source: FromStreamShards}, true
}

// split is one partition turned into several, as the stream's shards show it.
type split struct {
	at   time.Time
	into int
}

// splits lists the splits inside the window, oldest first.
func (f *facts) splits(id telemetry.TableID) []split {
	s := f.shards[id]
	if s == nil {
		return nil
	}
	children := map[string][]telemetry.Shard{}
	for _, x := range s.Shards {
		if x.Parent != "" && !x.Opened.IsZero() {
			children[x.Parent] = append(children[x.Parent], x)
		}
	}
	var out []split
	for _, c := range children {
		at := c[0].Opened
		if len(c) > 1 && !at.Before(f.window.Start) && at.Before(f.window.End) {
			out = append(out, split{at: at, into: len(c)})
		}
	}
	slices.SortFunc(out, func(a, b split) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.into, b.into)) })
	return out
}

// changes lists what happened to capacity and partitions, oldest first.
func (f *facts) changes(t *Table) []Change {
	var out []Change
	for _, r := range t.Resources {
		for _, dir := range telemetry.Directions {
			if t.Mode != telemetry.ModeOnDemand {
				out = append(out, f.capacityChanges(r.ID, dir)...)
			}
		}
	}
	for _, s := range f.splits(t.ID) {
		out = append(out, Change{
			At: s.at, Resource: t.ID.Resource(), Kind: PartitionSplit, From: 1, To: float64(s.into),
			Text: fmt.Sprintf("a partition split into %d (stream shards)", s.into),
		})
	}
	if d := t.Description; d != nil && !d.SwitchedToOnDemand.Before(f.window.Start) && d.SwitchedToOnDemand.Before(f.window.End) {
		out = append(out, Change{At: d.SwitchedToOnDemand, Resource: t.ID.Resource(), Kind: ModeSwitched, Text: "switched to on-demand"})
	}
	slices.SortStableFunc(out, func(a, b Change) int { return a.At.Compare(b.At) })
	return out
}

func (f *facts) capacityChanges(id telemetry.ResourceID, dir telemetry.Direction) []Change {
	var out []Change
	settings := f.settings(id, dir, telemetry.ModeProvisioned)
	for i := 1; i < len(settings); i++ {
		from, to := settings[i-1].rate, settings[i].rate
		if from == to {
			continue
		}
		c := Change{At: settings[i].at, Resource: id, Direction: dir, Kind: CapacityRaised, From: float64(from), To: float64(to)}
		if to < from {
			c.Kind = CapacityLowered
		}
		c.Text = fmt.Sprintf("%s %s→%s", dir.Unit(), telemetry.Thousands(float64(from)), telemetry.Thousands(float64(to)))
		if id.Index != "" {
			c.Text = id.Index + " " + c.Text
		}
		if settings[i].cause != "" {
			c.Text += " (" + settings[i].cause + ")"
		}
		out = append(out, c)
	}
	return out
}

func rateOr0(r *telemetry.Rate) telemetry.Rate {
	if r == nil {
		return 0
	}
	return *r
}
