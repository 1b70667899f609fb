package partition

import "github.com/hotpart/hotpart/analysis/telemetry"

// FeedSeconds is how many seconds of an index's capacity wait in the buffer
// between a table and its index before the table's writes are refused, and
// FeedFloor the least number of units that wait. AWS tells that the buffer
// exists and that writes are refused once it is full ("GSI throttling and back
// pressure"), not its size: assumption.
const (
	FeedSeconds = 8
	FeedFloor   = 1000
)

// Feed is the asynchronous path from a table's writes into one index. Each load
// of the index has its own backlog; what finds no room is refused at the table
// (Developer Guide, "Understanding GSI write throttling and back pressure").
type Feed struct {
	index   *Resource
	loads   []int
	backlog []float64
	rows    []float64 // backlog by partition, scratch
}

// NewFeed feeds write loads that were added to index.
func NewFeed(index *Resource, loads []int) *Feed {
	return &Feed{index: index, loads: loads, backlog: make([]float64, len(loads))}
}

// Refusal is the share of a load's incoming units that found no room, by what
// the index lacks: room on a partition, or table-wide capacity of kind Limit.
type Refusal struct {
	KeyRange, Table float64
	Limit           telemetry.Limit
}

// Refusals tells, without changing anything, which share of each incoming load
// would be refused in this second. incoming has one entry a load; the answer is
// written to out, which has as many.
func (f *Feed) Refusals(incoming []float64, out []Refusal) {
	total, waiting := 0.0, 0.0
	for i := range f.loads {
		total += incoming[i]
		waiting += f.backlog[i]
	}
	whole, limit := f.tableShare(total, waiting)
	f.byPartition(f.backlog)
	const room = FeedSeconds * float64(WriteCeiling)
	free := make([]float64, len(f.rows))
	for i, w := range f.rows {
		free[i] = max(0, room-w)
	}
	f.byPartition(incoming)
	for i, load := range f.loads {
		pass := 0.0
		for _, portion := range f.index.Portions(load) {
			share := 1.0
			if want := f.rows[portion.Index]; want > free[portion.Index] {
				share = free[portion.Index] / want
			}
			pass += portion.Share * share
		}
		out[i] = Refusal{KeyRange: 1 - pass, Limit: limit}
		if pass > whole {
			out[i] = Refusal{KeyRange: (1 - pass) * whole, Table: 1 - whole - (1-pass)*whole, Limit: limit}
			out[i].Table = max(0, out[i].Table)
		}
	}
}

// tableShare is the share of the incoming units that fits before the index's
// table-wide limits, and which of them binds.
func (f *Feed) tableShare(incoming, waiting float64) (float64, telemetry.Limit) {
	s := f.index.side(telemetry.Write)
	share, limit := 1.0, telemetry.Limit("")
	for i := range s.buckets {
		if !s.active[i] {
			continue
		}
		room := max(FeedFloor, FeedSeconds*s.buckets[i].rate) + s.buckets[i].tokens - waiting
		if incoming > room {
			if fits := max(0, room) / incoming; fits < share {
				share, limit = fits, tableLimits[i]
			}
		}
	}
	return share, limit
}

// Accept puts units into the backlog of each load.
func (f *Feed) Accept(units []float64) {
	for i, u := range units {
		f.backlog[i] += max(0, u)
	}
}

// Offer offers the backlog to the index for the coming second; Settle, after
// Resource.Admit, takes off what it was granted.
func (f *Feed) Offer() {
	for i, load := range f.loads {
		f.index.Offer(load, f.backlog[i])
	}
}

// Settle takes what the index granted off the backlog.
func (f *Feed) Settle() {
	for i, load := range f.loads {
		f.backlog[i] = max(0, f.backlog[i]-f.index.Admitted(load))
	}
}

func (f *Feed) byPartition(units []float64) {
	if len(f.rows) != len(f.index.partitions) {
		f.rows = make([]float64, len(f.index.partitions))
	}
	clear(f.rows)
	for i, load := range f.loads {
		for _, portion := range f.index.Portions(load) {
			f.rows[portion.Index] += units[i] * portion.Share
		}
	}
}
