package partition

import (
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Allowance is a limit on a whole table or index. Rate 0 is no limit. Saved is
// how many seconds of unused allowance are kept.
type Allowance struct {
	Rate  telemetry.Rate
	Saved float64
}

// Allowances are the table-wide limits in one direction. Provisioned keeps up to
// BurstSeconds; Maximum (the table's own on-demand maximum, a target that AWS
// enforces as best it can) and Account (the quota of one table) keep a few.
type Allowances struct{ Provisioned, Maximum, Account Allowance }

// Config describes a table or an index.
type Config struct {
	// Partitions is how many there are at the start, at least one, all of the
	// same width. Cuts, where given, says instead where each but the first
	// begins: ascending hashes, as earlier splits have left them.
	Partitions  int
	Cuts        []float64
	Read, Write Allowances
	// Local is set where a local secondary index keeps each item collection
	// on one partition.
	Local bool
	// SplitMinutes is how many minutes in a row a partition is near its
	// ceiling before it is split, give or take a sixth; 0 never splits.
	SplitMinutes float64
}

// Load is a stream of requests in one direction from or to one Place.
type Load struct {
	Direction telemetry.Direction
	Place     Place
	// Eventual is the share of the units that is read with eventual
	// consistency, 0 to 1.
	Eventual float64
}

// Portion is the share of a load that falls on a partition, by index into
// Resource.Partitions.
type Portion struct {
	Index int
	Share float64
}

type stream struct {
	Load
	portions []Portion
	offered  float64
	admitted float64
	held     float64 // held back by Narrow
	table    float64 // refused by the table-wide limit that binds
	keyRange float64 // refused by partitions
}

// Resource is a table or an index: table-wide allowances over partitions. It is
// advanced second by second: Offer, Admit, Commit.
type Resource struct {
	config     Config
	partitions []Partition
	streams    []stream
	read, writ side
	second     int
	nextID     int
	splits     []Split
}

// side is the table-wide part of one direction. Allowed are in the order of
// tableLimits.
type side struct {
	buckets   [3]Bucket
	active    [3]bool
	available float64
	binding   telemetry.Limit
}

var tableLimits = [3]telemetry.Limit{
	telemetry.ProvisionedLimit, telemetry.MaxOnDemandLimit, telemetry.AccountLimit,
}

// NewResource is a resource at rest: all buckets are full.
func NewResource(c Config) *Resource {
	r := &Resource{config: c, partitions: cutAt(c.cuts())}
	r.nextID = len(r.partitions)
	r.SetAllowances(telemetry.Read, c.Read)
	r.SetAllowances(telemetry.Write, c.Write)
	for _, d := range telemetry.Directions {
		for i := range r.side(d).buckets {
			b := &r.side(d).buckets[i]
			b.tokens = b.cap
		}
	}
	return r
}

// SetAllowances changes the table-wide limits of a direction. Saved capacity
// stays, up to the new most.
func (r *Resource) SetAllowances(d telemetry.Direction, a Allowances) {
	s := r.side(d)
	for i, one := range [3]Allowance{a.Provisioned, a.Maximum, a.Account} {
		s.active[i] = one.Rate > 0
		s.buckets[i].SetRate(float64(one.Rate), one.Saved)
	}
}

// Add registers a load and returns its number.
func (r *Resource) Add(l Load) int {
	s := stream{Load: l}
	r.place(&s)
	r.streams = append(r.streams, s)
	return len(r.streams) - 1
}

// Offer says how many units a load asks for in the coming second.
func (r *Resource) Offer(load int, units float64) { r.streams[load].offered = max(units, 0) }

// Admit starts the next second in both directions: it splits what a whole minute
// has shown to be hot, refills the buckets and decides what is served. Nothing is taken before Commit.
func (r *Resource) Admit() {
	if r.second > 0 && r.second%60 == 0 {
		r.endMinute()
	}
	r.second++
	for i := range r.partitions {
		p := &r.partitions[i]
		p.read.demand, p.read.soft = 0, 0
		p.write.demand, p.write.soft = 0, 0
	}
	for i := range r.streams {
		s := &r.streams[i]
		if s.offered == 0 {
			continue
		}
		for _, portion := range s.portions {
			h := r.partitions[portion.Index].half(s.Direction)
			h.demand += s.offered * portion.Share
			h.soft += s.offered * portion.Share * s.Eventual
		}
	}
	for _, d := range telemetry.Directions {
		for i := range r.partitions {
			h := r.partitions[i].half(d)
			if d == telemetry.Read {
				ceiling := readCeiling(h)
				h.bucket.SetRate(ceiling, SavedSeconds*float64(ReadCeiling)/ceiling)
			}
			h.bucket.Tick()
		}
		r.side(d).tick()
		r.decide(d, 1)
	}
}

// Narrow decides a direction of the current second again with at most a share of
// each load let in, as when an index has no room for the rest of a table's
// writes. It comes between Admit and Commit, any number of times.
func (r *Resource) Narrow(d telemetry.Direction, share float64) {
	r.decide(d, min(max(share, 0), 1))
}

// decide shares out what the buckets hold when most of each load is let in.
func (r *Resource) decide(d telemetry.Direction, most float64) {
	possible := 0.0
	for i := range r.partitions {
		h := r.partitions[i].half(d)
		possible += min(most*h.demand, h.bucket.tokens)
	}
	share := most
	if available := r.side(d).available; possible > available {
		share = r.shareWithin(d, available, most)
	}
	for i := range r.partitions {
		h := r.partitions[i].half(d)
		h.pass = share
		if wanted := share * h.demand; wanted > h.bucket.tokens {
			h.pass = h.bucket.tokens / h.demand
		}
		h.served = h.pass * h.demand
	}
	for i := range r.streams {
		if st := &r.streams[i]; st.Direction == d {
			st.held, st.table = st.offered*(1-most), st.offered*(most-share)
			r.settle(st)
		}
	}
}

// readCeiling is a partition's ceiling for its present mix of reads. AWS measured
// all reads strongly consistent and all eventually consistent; that nothing is
// gained before half of them are eventually consistent, and that what is saved
// stays a second of strongly consistent reads, is an assumption.
func readCeiling(h *half) float64 {
	if h.demand == 0 {
		return float64(ReadCeiling)
	}
	lift := max(0, 2*h.soft/h.demand-1)
	return float64(ReadCeiling) + float64(EventuallyConsistentRead-ReadCeiling)*lift
}

// shareWithin is the share of all demand that fits into what the table may
// serve, when full partitions refuse their part besides. Refused requests cost
// no tokens.
func (r *Resource) shareWithin(d telemetry.Direction, available, most float64) float64 {
	low, high := 0.0, most
	for range 40 {
		share, total := (low+high)/2, 0.0
		for i := range r.partitions {
			h := r.partitions[i].half(d)
			total += min(share*h.demand, h.bucket.tokens)
		}
		if total > available {
			high = share
		} else {
			low = share
		}
	}
	return low
}

// settle writes a load's outcome.
func (r *Resource) settle(s *stream) {
	pass := 0.0
	if s.offered > 0 {
		for _, portion := range s.portions {
			pass += portion.Share * r.partitions[portion.Index].half(s.Direction).pass
		}
	}
	s.admitted = s.offered * pass
	s.keyRange = max(0, s.offered-s.admitted-s.table-s.held)
}

// tick refills the table-wide buckets and finds what they allow together.
func (s *side) tick() {
	const unlimited = 1e18
	s.available, s.binding = unlimited, ""
	for i := range s.buckets {
		if !s.active[i] {
			continue
		}
		s.buckets[i].Tick()
		if t := s.buckets[i].tokens; t < s.available {
			s.available, s.binding = t, tableLimits[i]
		}
	}
}

// Commit takes the tokens of what was admitted and ends the second.
func (r *Resource) Commit() {
	for _, d := range telemetry.Directions {
		total := 0.0
		for i := range r.partitions {
			h := r.partitions[i].half(d)
			h.served = h.bucket.Take(h.served)
			h.minute += h.served
			h.ceiling += h.bucket.rate
			total += h.served
		}
		s := r.side(d)
		for i := range s.buckets {
			if s.active[i] {
				s.buckets[i].Take(total)
			}
		}
	}
}

// Admitted is what a load was granted in this second.
func (r *Resource) Admitted(load int) float64 { return r.streams[load].admitted }

// Refused is what a load was refused in this second: by its partitions, and by
// the table-wide limit that binds ("" where none refused).
func (r *Resource) Refused(load int) (keyRange, table float64, limit telemetry.Limit) {
	s := &r.streams[load]
	if s.table > 0 {
		limit = r.side(s.Direction).binding
	}
	return s.keyRange, s.table, limit
}

// Held is what Narrow kept from a load in this second.
func (r *Resource) Held(load int) float64 { return r.streams[load].held }

// Portions tells on which partitions a load falls. The slice is valid until the
// next Admit and must not be changed.
func (r *Resource) Portions(load int) []Portion { return r.streams[load].portions }

// Partitions are in the order of the key space. The slice is valid until the
// next Admit and must not be changed.
func (r *Resource) Partitions() []Partition { return r.partitions }

// Served is what a partition served in the second that was committed last.
func (r *Resource) Served(d telemetry.Direction, index int) telemetry.Rate {
	return telemetry.Rate(r.partitions[index].half(d).served)
}

// Demand is what was asked of a partition in the second that was admitted last,
// including what the table-wide limits refused.
func (r *Resource) Demand(d telemetry.Direction, index int) telemetry.Rate {
	return telemetry.Rate(r.partitions[index].half(d).demand)
}

// Splits lists all splits so far, oldest first.
func (r *Resource) Splits() []Split { return slices.Clone(r.splits) }

func (r *Resource) side(d telemetry.Direction) *side {
	if d == telemetry.Read {
		return &r.read
	}
	return &r.writ
}

func (p *Partition) half(d telemetry.Direction) *half {
	if d == telemetry.Read {
		return &p.read
	}
	return &p.write
}

func (r *Resource) place(s *stream) {
	s.portions = s.portions[:0]
	l := s.Place
	if r.config.Local && l.Spread != OneItem {
		// The collection's load is one lump, wherever the items lie.
		l.Spread, l.At.Sort = OneItem, 0
	}
	for i := range r.partitions {
		if share := l.Share(r.partitions[i].From, r.partitions[i].To); share > 0 {
			s.portions = append(s.portions, Portion{Index: i, Share: share})
		}
	}
}
