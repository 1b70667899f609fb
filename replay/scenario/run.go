package scenario

import (
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// warmUp is how many minutes run before the window, so that buckets hold what
// they would.
const warmUp = 6

// run simulates all seconds of the window.
func (w *world) run() {
	last := int(w.s.Length.Seconds())
	for w.second = -60 * warmUp; w.second < last; w.second++ {
		if w.second == 0 {
			w.start = w.snapshots()
		}
		if w.second%60 == 0 {
			w.beginMinute()
		}
		w.step()
	}
	for _, u := range w.units() {
		w.endMinute(u)
	}
}

func (w *world) beginMinute() {
	for _, u := range w.units() {
		if u.now != nil {
			w.endMinute(u)
		}
	}
	for _, s := range w.scaler {
		w.scale(s)
	}
	for _, c := range w.s.Changes {
		if at := int(c.At.Seconds()); at >= w.second && at < w.second+60 {
			w.setCapacity(w.unit(c.Index), c.Direction, c.Maximum, c.Rate)
		}
	}
	for _, u := range w.units() {
		u.now = newMinute(u)
	}
}

// step is one second: what is asked, what passes, what an index holds back.
func (w *world) step() {
	if w.second%swingSeconds == 0 {
		w.swing()
	}
	for _, f := range w.flows {
		w.ask(f)
	}
	for _, u := range w.index {
		u.feed.Offer()
	}
	for _, u := range w.units() {
		u.res.Admit()
	}
	w.feedIndexes()
	for _, u := range w.index {
		u.feed.Settle()
	}
	for _, u := range w.units() {
		u.res.Commit()
	}
	for _, f := range w.flows {
		w.answer(f)
	}
	for _, u := range w.units() {
		u.now.addPartitions(u)
	}
	for _, u := range w.index {
		u.now.addFeed(u)
	}
}

// swing moves the loads that vary by chance.
func (w *world) swing() {
	for _, f := range w.flows {
		if f.load.Shape.Jitter > 0 && f.swing.moved != w.second {
			f.swing.move(w.rng, f.load.Shape.Jitter)
			f.swing.moved = w.second
		}
	}
}

// ask draws what a flow wants in this second.
func (w *world) ask(f *flow) {
	l := f.load
	want := poisson(w.rng, l.at(w.second)*f.share*f.swing.factor)
	f.fresh, f.size, f.large = want*l.Units, l.Units, false
	if l.Large > 0 && want > 0 {
		big := poisson(w.rng, want*l.Large)
		f.fresh += big * (l.LargeUnits - l.Units)
		f.fresh = max(f.fresh, 0)
		f.large = big > 0
		f.size = l.Units + l.Large*(l.LargeUnits-l.Units)
	}
	f.offers = f.fresh
	for _, u := range f.waits {
		f.offers += u
	}
	f.unit.res.Offer(f.id, f.offers)
	f.unit.now.addFresh(f)
}

// feedIndexes lets in as much of the table's writes as all indexes have room for,
// and passes that on to them.
func (w *world) feedIndexes() {
	if len(w.index) == 0 {
		return
	}
	passed, wanted := 1.0, w.writes(func(f *flow) float64 { return f.offers })
	fresh := w.writes(func(f *flow) float64 { return f.fresh })
	const rounds = 6 // the table's own refusals fall as fewer are let in
	for range rounds {
		admitted := w.writes(func(f *flow) float64 { return w.table.res.Admitted(f.id) })
		next := 1.0
		for _, u := range w.index {
			next *= 1 - w.refusals(u, admitted/passed)
		}
		if next > passed-1e-4 {
			break
		}
		passed = max(next, 1e-6)
		w.table.res.Narrow(telemetry.Write, passed)
	}
	for _, u := range w.index {
		own := w.bookIndexRefusals(u, wanted)
		others := 1.0
		if own < 1 {
			others = min(1, passed/(1-own))
		}
		for i, r := range u.refusals {
			u.now.addFreshFeed(u, i, fresh*u.share*u.entry*u.shares[i])
			u.incoming[i] *= max(0, 1-r.KeyRange-r.Table) * others
		}
		u.feed.Accept(u.incoming)
	}
}

// writes adds up requests that write to the table, of units told by each flow.
func (w *world) writes(units func(*flow) float64) float64 {
	total := 0.0
	for _, f := range w.flows {
		if f.unit == w.table && f.load.Direction == telemetry.Write {
			total += units(f) / f.size
		}
	}
	return total
}

// refusals asks an index which of so many writes it has no room for, and returns
// their share.
func (w *world) refusals(u *unit, requests float64) float64 {
	for i := range u.feeds {
		u.incoming[i] = requests * u.share * u.entry * u.shares[i]
	}
	u.feed.Refusals(u.incoming, u.refusals)
	refused := 0.0
	for i, r := range u.refusals {
		refused += u.share * u.shares[i] * (r.KeyRange + r.Table)
	}
	return min(1, refused)
}

// bookIndexRefusals counts an index's refusals of table writes by limit and
// returns their share.
func (w *world) bookIndexRefusals(u *unit, requests float64) float64 {
	total := 0.0
	for i, r := range u.refusals {
		share := u.share * u.shares[i]
		total += share * (r.KeyRange + r.Table)
		u.now.addEvents(1, telemetry.KeyRangeLimit, requests*share*r.KeyRange)
		u.now.addEvents(1, r.Limit, requests*share*r.Table)
	}
	return min(1, total)
}

// answer books what a flow was served and refused, and keeps what will be tried
// again.
func (w *world) answer(f *flow) {
	if f.offers == 0 {
		return
	}
	served, held := f.unit.res.Admitted(f.id), f.unit.res.Held(f.id)
	keyRange, table, limit := f.unit.res.Refused(f.id)
	f.unit.now.addAnswer(f, served, keyRange, table, held, limit)
	refused := max(0, 1-served/f.offers)
	if refused < 1e-9 {
		clear(f.waits)
		return
	}
	carried := f.fresh * refused
	for i := range f.waits {
		f.waits[i], carried = carried, f.waits[i]*refused
	}
}
