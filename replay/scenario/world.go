package scenario

import (
	"math/rand/v2"
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// world is a scenario set up for simulation.
type world struct {
	s      *Scenario
	rng    *rand.Rand
	table  *unit
	index  []*unit
	flows  []*flow
	scaler []*scaler
	swings map[*Load]*swing
	start  []snapshot // at the window's start
	second int        // of the window; negative while warming up
}

// unit is a table or an index in the simulation.
type unit struct {
	spec   *Resource
	name   string // the index's name, "" for the table
	entry  float64
	share  float64 // of the table's writes that reach the index
	res    *partition.Resource
	feed   *partition.Feed
	feeds  []int // the resource's loads behind the feed
	shares []float64
	feedOf []int // key behind each feed load, -1 for the rest
	keys   []namedKey
	byName map[string]int
	rests  []Rest
	// capacity in force, by direction
	provisioned, maximum [2]telemetry.Rate
	lastUp, lastDown     int // second of the last change either way
	decreases            int
	minutes              []*minute
	now                  *minute
	refusals             []partition.Refusal
	incoming             []float64
}

// namedKey is a key that is followed by itself.
type namedKey struct {
	Key
	within  hashes // the part of the hash space where it must lie
	rolling bool
}

// flow is the part of a load that goes to one key, or to the rest of them.
type flow struct {
	load   *Load
	swing  *swing // shared by the load's flows
	unit   *unit
	id     int // in unit.res
	key    int // in unit.keys, -1 for the rest
	rest   int // in unit.rests, -1 for a key
	share  float64
	fresh  float64   // units asked for the first time in this second
	waits  []float64 // units that come back as the second, third… attempt
	offers float64
	size   float64 // units a request, this second's mean
	large  bool    // a large request is among them
}

// dir numbers a direction: reads 0, writes 1.
func dir(d telemetry.Direction) int {
	if d == telemetry.Read {
		return 0
	}
	return 1
}

func newWorld(s *Scenario, rng *rand.Rand) *world {
	w := &world{s: s, rng: rng, swings: map[*Load]*swing{}}
	w.table = w.newUnit(&s.Table.Resource, "", s.Table.Local != "")
	for i := range s.Indexes {
		x := &s.Indexes[i]
		u := w.newUnit(&x.Resource, x.Name, false)
		u.entry, u.share = x.Entry, x.Affected
		w.index = append(w.index, u)
		w.attachFeed(u, x)
	}
	for i := range s.Loads {
		w.addLoad(&s.Loads[i])
	}
	for i := range s.Scaling {
		w.scaler = append(w.scaler, newScaler(&s.Scaling[i], w.unit(s.Scaling[i].Index)))
	}
	return w
}

func (w *world) unit(index string) *unit {
	for _, u := range w.index {
		if u.name == index {
			return u
		}
	}
	return w.table
}

func (w *world) units() []*unit { return append([]*unit{w.table}, w.index...) }

func (w *world) newUnit(r *Resource, name string, local bool) *unit {
	u := &unit{spec: r, name: name, byName: map[string]int{}, lastUp: never, lastDown: never}
	c := r.Capacity
	if c.OnDemand {
		u.maximum = [2]telemetry.Rate{c.MaximumRead, c.MaximumWrite}
	} else {
		u.provisioned = [2]telemetry.Rate{c.ProvisionedRead, c.ProvisionedWrite}
	}
	u.res = partition.NewResource(partition.Config{
		Partitions: r.Partitions, Cuts: r.cuts(), Local: local, SplitMinutes: r.SplitMinutes,
		Read: w.allowances(u, telemetry.Read), Write: w.allowances(u, telemetry.Write),
	})
	return u
}

// never is a second before everything.
const never = -1 << 30

func (w *world) allowances(u *unit, d telemetry.Direction) partition.Allowances {
	a := partition.Allowances{
		Provisioned: partition.Allowance{Rate: u.provisioned[dir(d)], Saved: u.spec.Capacity.Saved},
		Maximum:     partition.Allowance{Rate: u.maximum[dir(d)], Saved: 2},
	}
	if u.spec.Capacity.OnDemand {
		a.Account = partition.Allowance{Rate: w.s.Quota, Saved: w.s.QuotaSaved}
	}
	return a
}

// setCapacity changes what is provisioned, or the maximum.
func (w *world) setCapacity(u *unit, d telemetry.Direction, maximum bool, rate telemetry.Rate) {
	place := &u.provisioned[dir(d)]
	if maximum {
		place = &u.maximum[dir(d)]
	}
	switch {
	case rate > *place:
		u.lastUp = w.second
	case rate < *place:
		u.lastDown = w.second
		u.decreases++
	}
	*place = rate
	u.res.SetAllowances(d, w.allowances(u, d))
}

// attachFeed registers the index's keys as loads fed by the table.
func (w *world) attachFeed(u *unit, x *Index) {
	rest := 1.0
	add := func(place partition.Place, share float64, key int) {
		u.feeds = append(u.feeds, u.res.Add(partition.Load{Direction: telemetry.Write, Place: place}))
		u.shares = append(u.shares, share)
		u.feedOf = append(u.feedOf, key)
		rest -= share
	}
	for _, k := range x.Keys {
		add(k.place(w.salt(u), anywhere), k.Share, u.key(k, anywhere))
	}
	if rest > 1e-9 {
		add(partition.Place{Width: 1}, rest, -1)
		u.rest(x.Rest)
	}
	u.feed = partition.NewFeed(u.res, u.feeds)
	u.refusals = make([]partition.Refusal, len(u.feeds))
	u.incoming = make([]float64, len(u.feeds))
}

func (w *world) salt(u *unit) string { return w.s.Table.Name + "/" + u.name }

// anywhere is the whole hash space.
var anywhere = hashes{0, 1}

// around is the partition that a hash falls on.
func (u *unit) around(hash float64) hashes {
	for _, p := range u.res.Partitions() {
		if hash >= p.From.Hash && hash < p.To.Hash {
			return hashes{p.From.Hash, p.To.Hash}
		}
	}
	return anywhere
}

// key registers a named key once.
func (u *unit) key(k Key, within hashes) int {
	if i, ok := u.byName[k.Name]; ok {
		return i
	}
	u.byName[k.Name] = len(u.keys)
	u.keys = append(u.keys, namedKey{Key: k, within: within})
	return len(u.keys) - 1
}

func (u *unit) rest(r Rest) int {
	if i := slices.Index(u.rests, r); i >= 0 {
		return i
	}
	u.rests = append(u.rests, r)
	return len(u.rests) - 1
}

// addLoad splits a load into one flow for each named key, one for each key of the
// rest that is heavy enough to matter to its partition, and one for the others.
func (w *world) addLoad(l *Load) {
	u := w.table
	if l.Index != "" {
		u = w.unit(l.Index)
	}
	if l.Rolling > 0 {
		w.addRolling(u, l)
		return
	}
	within := anywhere
	if l.Together && len(l.Keys) > 0 {
		within = u.around(partition.Position(w.salt(u), l.Keys[0].Name))
	}
	left := 1.0
	for _, k := range l.Keys {
		w.addKey(u, l, k, k.Share, within)
		left -= k.Share
	}
	if left < 1e-9 || l.Rest.Count == 0 {
		return
	}
	rest := l.Rest
	head, _ := rest.allShares()
	rest.skip = min(w.heavy(l), len(head))
	others := left
	for i, share := range head[:rest.skip] {
		k := Key{Name: rest.name(i), Spread: partition.Collection, Items: lightItems}
		w.addKey(u, l, k, left*share, anywhere)
		others -= left * share
	}
	if others > 1e-9 {
		w.addFlow(&flow{load: l, unit: u, key: -1, rest: u.rest(rest), share: others}, partition.Place{Width: 1})
	}
}

func (w *world) addKey(u *unit, l *Load, k Key, share float64, within hashes) {
	key := u.key(k, within)
	known := u.keys[key]
	place := known.place(w.salt(u), known.within)
	w.addFlow(&flow{load: l, unit: u, key: key, rest: -1, share: share}, place)
}

// heavy is how many keys of a load's rest are simulated by themselves, in all
// loads that have the same rest: those that come to two in a hundred of a
// partition's ceiling.
func (w *world) heavy(l *Load) int {
	const most, matters = 12, 0.02
	n := 0
	for i := range w.s.Loads {
		other := &w.s.Loads[i]
		if other.Rest != l.Rest || other.Index != l.Index || other.Rolling > 0 {
			continue
		}
		left := 1.0
		for _, k := range other.Keys {
			left -= k.Share
		}
		head, _ := other.Rest.allShares()
		for j, share := range head[:min(most, len(head))] {
			if left*share*other.Rate*other.Units > matters*float64(partition.Ceiling(other.Direction)) {
				n = max(n, j+1)
			}
		}
	}
	return n
}

// addRolling gives each period of a rolling load its own key.
func (w *world) addRolling(u *unit, l *Load) {
	period := int(l.Rolling.Seconds())
	to := int(w.s.Length.Seconds())
	if l.Shape.To > 0 {
		to = int(l.Shape.To.Seconds())
	}
	for i, t := 0, int(l.Shape.From.Seconds()); t < to; i, t = i+1, t+period {
		part := *l
		part.Rolling = 0
		part.Shape.From = seconds(t)
		part.Shape.To = seconds(min(t+period, to))
		part.Keys = []Key{{Name: rollingName(l, w.s.Start, t), Share: 1, Spread: partition.Growing, Items: period * 100}}
		w.addLoad(&part)
		u.keys[len(u.keys)-1].rolling = true
	}
}

func (w *world) addFlow(f *flow, place partition.Place) {
	l := partition.Load{Direction: f.load.Direction, Place: place, Eventual: f.load.Eventual}
	f.id = f.unit.res.Add(l)
	f.waits = make([]float64, max(0, f.load.Attempts-1))
	if w.swings[f.load] == nil {
		w.swings[f.load] = &swing{factor: 1}
	}
	f.swing = w.swings[f.load]
	w.flows = append(w.flows, f)
}
