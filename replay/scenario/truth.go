package scenario

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Truth is what really happened. It is told by the simulation, not by what was
// meant to happen: a load that is too small to be refused leaves no event.
type Truth struct {
	Healthy bool    `json:"healthy"`
	Events  []Event `json:"events"`
}

// Event is one run of refusals with one cause. Start is the first minute of the
// sustained run, End (exclusive) the end of its last.
type Event struct {
	Table     string              `json:"table"`
	Index     string              `json:"index"`
	Operation telemetry.Direction `json:"operation"`
	Start     time.Time           `json:"start"`
	End       time.Time           `json:"end"`
	Ongoing   bool                `json:"ongoing"`
	// Causes lists what counts as right, the best first. Limit is the right
	// one, LimitAlso what counts as right too.
	Causes    []string          `json:"cause"`
	Limit     telemetry.Limit   `json:"limit"`
	LimitAlso []telemetry.Limit `json:"limit_also,omitempty"`
	// Keys are those behind a partition's load, the most wanted first.
	Keys         []KeyName `json:"keys,omitempty"`
	Contributing []string  `json:"contributing,omitempty"`
	// Hottest is nil where no partition refused.
	Hottest *Hottest `json:"hottest_partition,omitempty"`
	// ShardsNeeded is the least number of keys that brings each under the
	// ceiling; 0 where sharding a key is not the remedy.
	ShardsNeeded int `json:"shards_needed,omitempty"`
	// Refused is how many requests were refused.
	Refused float64 `json:"refused"`
	// Minor is set where so little was refused that saying nothing is right
	// too.
	Minor bool `json:"minor,omitempty"`
}

// KeyName names a key; Sort is "" where more than one item is behind the load.
type KeyName struct {
	Partition string `json:"partition_key"`
	Sort      string `json:"sort_key,omitempty"`
}

// Hottest is the busiest partition: what it served in its busiest minute, as
// that minute's mean, and the most that was wanted of it, retries left out.
type Hottest struct {
	Served  telemetry.Rate `json:"units_per_second"`
	Offered telemetry.Rate `json:"offered_units_per_second"`
	Ceiling telemetry.Rate `json:"ceiling_units_per_second"`
}

// The words of the diagnosis, as the contract of the report has them.
const (
	causeHotKey       = "hot_key"
	causeHotPartition = "hot_partition"
	causeCapacity     = "table_capacity"
	causeIndex        = "gsi_pressure"
	causeLargeItem    = "large_item"
	causeQuota        = "account_quota"
	causeUnknown      = "undetermined"
)

// minorRefusals is how few refusals make an event Minor.
const minorRefusals = 30

// span is a run of refusals by one limit.
type span struct {
	first, last int // minutes, last inclusive
	limit       int // in telemetry.Limits
	total       float64
}

// truth reads what happened off the simulated minutes.
func (w *world) truth() Truth {
	t := Truth{Healthy: true, Events: []Event{}}
	for _, u := range w.units() {
		for _, d := range telemetry.Directions {
			for _, s := range w.spans(u, dir(d)) {
				t.Events = append(t.Events, w.event(u, d, s))
				t.Healthy = t.Healthy && t.Events[len(t.Events)-1].Minor
			}
		}
	}
	return t
}

// spans finds the sustained runs of refusals, by limit. Runs of a limit that
// hardly matters beside another one at the same time are left out.
func (w *world) spans(u *unit, d int) []span {
	var all []span
	for limit := range telemetry.Limits {
		all = append(all, runs(u, d, limit)...)
	}
	var out []span
	for i, s := range all {
		drowned := false
		for j, other := range all {
			overlap := min(s.last, other.last) >= max(s.first, other.first)-1
			drowned = drowned || i != j && overlap && s.total < other.total/4
		}
		if !drowned {
			out = append(out, s)
		}
	}
	return out
}

// calm is how many minutes without refusals end a run.
const calm = 5

func runs(u *unit, d, limit int) []span {
	var out []span
	peak := 0.0
	for _, m := range u.minutes {
		peak = max(peak, m.events[d][limit])
	}
	for i, m := range u.minutes {
		n := m.events[d][limit]
		if n < 1 {
			continue
		}
		if k := len(out) - 1; k >= 0 && i-out[k].last <= calm+1 {
			// What came before by ones and twos is no part of the run.
			if out[k].total < 0.01*peak && i-out[k].last > 1 {
				out[k] = span{first: i, last: i, limit: limit, total: n}
				continue
			}
			out[k].last, out[k].total = i, out[k].total+n
			continue
		}
		out = append(out, span{first: i, last: i, limit: limit, total: n})
	}
	for k := range out {
		for out[k].last > out[k].first && lone(u, d, limit, out[k].last, peak) {
			out[k].last--
		}
	}
	return out
}

// lone reports whether a minute's refusals are a straggler after a run.
func lone(u *unit, d, limit, i int, peak float64) bool {
	return u.minutes[i].events[d][limit] < min(0.01*peak, 1) ||
		u.minutes[i].events[d][limit] < 0.01*peak && u.minutes[i-1].events[d][limit] < 1
}

// event describes a run.
func (w *world) event(u *unit, d telemetry.Direction, s span) Event {
	from := u.minutes[s.first]
	e := Event{
		Table: w.s.Table.Name, Index: u.name, Operation: d, Refused: s.total,
		Start:   w.s.Start.Add(seconds(from.second)),
		End:     w.s.Start.Add(seconds(u.minutes[s.last].second + 60)),
		Ongoing: s.last == len(u.minutes)-1,
		Limit:   telemetry.Limits[s.limit],
		Minor:   s.total < minorRefusals,
	}
	c := &classifier{w: w, u: u, d: d, s: s, e: &e}
	c.classify()
	if w.s.Legacy {
		e.LimitAlso = []telemetry.Limit{telemetry.UnknownLimit}
	}
	return e
}
