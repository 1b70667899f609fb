package scenario

import (
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// minute is what happened to a table or index in one minute. Pairs are reads,
// writes.
type minute struct {
	second      int // its start
	provisioned [2]telemetry.Rate
	maximum     [2]telemetry.Rate
	units       [2]float64
	requests    [2]float64
	most        [2]float64 // units of the largest request
	events      [2][4]float64
	replicated  float64 // write units from another Region
	operations  map[string]*operationMinute
	keys        []keyMinute
	rests       []keyMinute
	parts       []partMinute // by partition ID
}

// operationMinute counts the requests of one API operation.
type operationMinute struct{ served, refused, units float64 }

// keyMinute is one key's, or one rest's, minute. Refused leaves out what an
// index caused, as the throttle rules do.
type keyMinute struct {
	units, fresh, requests [2]float64 // units served, units wanted, requests served
	wanted                 [2]float64 // requests wanted
	refused                float64
	refusedBy              [2]float64 // the same by direction
	caused                 [2]float64 // refused by a partition, by direction
	size                   [2]float64 // units a request
	attempts               int
	bursts                 bool // wanted by a load that comes in bursts
	item                   *Key
}

// partMinute is one partition's minute, in units.
type partMinute struct {
	served, demand, fresh [2]float64
	width                 float64
	from, to              partition.Point
}

func newMinute(u *unit) *minute {
	return &minute{
		operations: map[string]*operationMinute{},
		keys:       make([]keyMinute, len(u.keys)),
		rests:      make([]keyMinute, len(u.rests)),
	}
}

// endMinute files the minute that has just passed, unless it was warm-up.
func (w *world) endMinute(u *unit) {
	start := w.second - 60
	if start < 0 {
		return
	}
	m := u.now
	m.second, m.provisioned, m.maximum = start, u.provisioned, u.maximum
	u.minutes = append(u.minutes, m)
}

func (m *minute) key(f *flow) *keyMinute {
	if f.key >= 0 {
		k := &m.keys[f.key]
		k.item = &f.unit.keys[f.key].Key
		return k
	}
	return &m.rests[f.rest]
}

// addFresh books what a flow wants for the first time.
func (m *minute) addFresh(f *flow) {
	d := dir(f.load.Direction)
	k := m.key(f)
	k.fresh[d] += f.fresh
	k.wanted[d] += f.fresh / f.size
	k.attempts = max(k.attempts, f.load.Attempts)
	k.bursts = k.bursts || f.load.Shape.Every > 0 && f.fresh > 0
	for _, portion := range f.unit.res.Portions(f.id) {
		m.part(f.unit.res, portion.Index).fresh[d] += f.fresh * portion.Share
	}
}

// addFreshFeed books what the table's writers want of an index's keys.
func (m *minute) addFreshFeed(u *unit, feed int, units float64) {
	k := m.feedKey(u, feed)
	k.fresh[1] += units
	k.wanted[1] += units / u.entry
	for _, portion := range u.res.Portions(u.feeds[feed]) {
		m.part(u.res, portion.Index).fresh[1] += units * portion.Share
	}
}

func (m *minute) feedKey(u *unit, feed int) *keyMinute {
	if key := u.feedOf[feed]; key >= 0 {
		m.keys[key].item = &u.keys[key].Key
		return &m.keys[key]
	}
	return &m.rests[0] // attachFeed registers the feed's rest first
}

func (m *minute) part(r *partition.Resource, index int) *partMinute {
	p := &r.Partitions()[index]
	if need := p.ID + 1 - len(m.parts); need > 0 {
		m.parts = append(m.parts, make([]partMinute, need)...)
	}
	out := &m.parts[p.ID]
	if out.width == 0 {
		out.width, out.from, out.to = p.To.Hash-p.From.Hash, p.From, p.To
	}
	return out
}

// addPartitions books the second that was committed last.
func (m *minute) addPartitions(u *unit) {
	for i := range u.res.Partitions() {
		p := m.part(u.res, i)
		for _, d := range telemetry.Directions {
			p.served[dir(d)] += float64(u.res.Served(d, i))
			p.demand[dir(d)] += float64(u.res.Demand(d, i))
		}
	}
}

// addFeed books what an index took from its buffer.
func (m *minute) addFeed(u *unit) {
	for i, load := range u.feeds {
		units := u.res.Admitted(load)
		k := m.feedKey(u, i)
		k.units[1] += units
		k.requests[1] += units / u.entry
		k.size[1] = u.entry
		m.units[1] += units
		m.requests[1] += units / u.entry
		if units > 0 {
			m.most[1] = max(m.most[1], u.entry)
		}
	}
}

func (m *minute) addEvents(d int, l telemetry.Limit, n float64) {
	if i := slices.Index(telemetry.Limits[:], l); i >= 0 {
		m.events[d][i] += n
	}
}

// addAnswer books a flow's second: units served, and units refused by
// partitions, by the table-wide limit, and because of an index.
func (m *minute) addAnswer(f *flow, served, keyRange, table, index float64, limit telemetry.Limit) {
	d := dir(f.load.Direction)
	m.units[d] += served
	m.requests[d] += served / f.size
	if served > 0 {
		m.most[d] = max(m.most[d], f.load.Units)
		if f.large {
			m.most[d] = max(m.most[d], f.load.LargeUnits)
		}
	}
	if f.load.Replicated {
		m.replicated += served
	}
	m.addEvents(d, telemetry.KeyRangeLimit, keyRange/f.size)
	m.addEvents(d, limit, table/f.size)
	k := m.key(f)
	k.units[d] += served
	k.requests[d] += served / f.size
	k.size[d] = f.size
	k.refused += (keyRange + table) / f.size
	k.refusedBy[d] += (keyRange + table) / f.size
	k.caused[d] += keyRange / f.size
	for _, op := range f.load.Operations {
		o := m.operations[op.Name]
		if o == nil {
			o = &operationMinute{}
			m.operations[op.Name] = o
		}
		o.served += op.Share * served / f.size
		o.units += op.Share * served
		o.refused += op.Share * (keyRange + table + index) / f.size
	}
}
