package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// A key gets a row of its own when it ever draws this share of a ceiling, or meets
// this share of an event's refusals.
const (
	rowLoad    = 0.02
	rowRefused = 0.05
)

// reconstruct fills the load's rows and keys. A heavy key's partition draws at least
// the key's load; beside it an ordinary share. Keys that an event's evidence puts on
// one partition share a row. What is left is spread over the other partitions.
func (s *scene) reconstruct(events []*Event) {
	s.load.Keys = s.keyLoads()
	if s.load.Peak == nil {
		return
	}
	groups := s.rowGroups(events)
	for _, g := range groups {
		s.load.Rows = append(s.load.Rows, s.keyRow(g))
	}
	if row := s.unnamedRow(events, groups); row != nil {
		s.load.Rows = append(s.load.Rows, row)
	}
	if rest := s.res.Partitions.Likely - len(s.load.Rows); rest > 0 {
		s.load.Rows = append(s.load.Rows, s.restRow(rest))
	}
	s.spreadRefusals()
	slices.SortStableFunc(s.load.Rows, func(a, b *Row) int { return cmp.Compare(b.Peak, a.Peak) })
	s.linkKeys()
}

// rowGroups decides which keys share a row: those that an event says share a
// partition, then each other heavy key by itself.
func (s *scene) rowGroups(events []*Event) [][]*keyTrack {
	byKey := map[string]*keyTrack{}
	for _, k := range s.keys {
		byKey[k.key.Partition] = k
	}
	var groups [][]*keyTrack
	placed := map[*keyTrack]bool{}
	place := func(g []*keyTrack) {
		g = slices.DeleteFunc(g, func(k *keyTrack) bool { return k == nil || placed[k] })
		if len(g) == 0 {
			return
		}
		for _, k := range g {
			placed[k] = true
		}
		groups = append(groups, g)
	}
	for _, e := range events {
		var g []*keyTrack
		for _, k := range e.Keys {
			if e.Cause == HotPartition {
				g = append(g, byKey[k.Key.Partition])
			} else {
				place([]*keyTrack{byKey[k.Key.Partition]})
			}
		}
		place(g)
	}
	for _, k := range s.keys {
		if s.peak(k) >= rowLoad*s.ceiling {
			place([]*keyTrack{k})
		}
	}
	return groups
}

func (s *scene) peak(k *keyTrack) float64 {
	var p float64
	for _, c := range k.load {
		p = math.Max(p, float64(c.Likely))
	}
	return p
}

// keyRow is the partition that some keys sit on. A key above what one partition can
// serve is read as spread over several; the row then shows one of them.
func (s *scene) keyRow(group []*keyTrack) *Row {
	row := &Row{Count: 1, Shared: len(group) > 1, Cells: make([]Cell, len(s.load.Minutes))}
	slices.SortStableFunc(group, func(a, b *keyTrack) int { return cmp.Compare(s.peak(b), s.peak(a)) })
	for _, k := range group {
		row.Keys = append(row.Keys, telemetry.Key{Partition: k.key.Partition})
	}
	for i := range row.Cells {
		row.Cells[i] = s.keyCell(group, i, row)
		row.Peak = max(row.Peak, row.Cells[i].Likely)
	}
	return row
}

func (s *scene) keyCell(group []*keyTrack, i int, row *Row) Cell {
	m := s.load.Minutes[i]
	out := Cell{State: m.State}
	var low, likely, high float64
	ranked := false
	for _, k := range group {
		if c := k.load[i]; c.State == telemetry.Known {
			low, likely, high = low+float64(c.Low), likely+float64(c.Likely), high+float64(c.High)
			ranked = true
		}
		out.Throttled += s.refusedHere(k, i)
	}
	if m.State != telemetry.Known && !ranked {
		return out
	}
	share, spread := s.ordinary(i)
	drawn := low // by the keys alone; how much lies beside them is no proof of a split
	low, likely, high = low+math.Max(0, share-2*spread), likely+share, high+share+2*spread
	if most := s.mostServed(nil, low, high); drawn > most*1.02 {
		parts := math.Ceil(low / most)
		row.Split = true
		low, likely, high = low/parts, likely/parts, most
	} else {
		const nearly = 0.99
		likely, high = math.Min(likely, most), math.Min(high, most)
		low = math.Min(low, math.Max(drawn, nearly*s.ceiling))
	}
	if !ranked && s.facts.ranked(s.res.ID, i, i+1, telemetry.AccessedPartitionKeys, telemetry.AccessedItems) {
		// Not ranked means below the smallest ranked value, which may be anything up to it.
		high = math.Max(high, share+2*spread)
	}
	return modelled(low, likely, high, out.Throttled)
}

// modelled is a known cell with its range in order.
func modelled(low, likely, high, throttled float64) Cell {
	low = math.Max(0, math.Min(low, likely))
	return Cell{
		State: telemetry.Known, Low: telemetry.Rate(low), Likely: telemetry.Rate(likely),
		High: telemetry.Rate(math.Max(high, likely)), Throttled: throttled,
	}
}

// refusedHere is the part of a key's throttle errors in a step that falls to the
// scene's direction.
func (s *scene) refusedHere(k *keyTrack, i int) float64 {
	e := zeroIfNaN(k.refused[i])
	here, other := s.load.Minutes[i].Throttled, s.res.Load(opposite(s.dir)).Minutes[i].Throttled
	if e == 0 || here+other == 0 {
		return 0
	}
	return e * here / (here + other)
}

// unnamedRow stands for the partition that an event says is full although no key of it
// is known.
func (s *scene) unnamedRow(events []*Event, groups [][]*keyTrack) *Row {
	var hot []*Event
	for _, e := range events {
		if e.Limit == telemetry.KeyRangeLimit && len(e.Keys) == 0 && !e.Note() {
			hot = append(hot, e)
		}
	}
	if len(hot) == 0 {
		return nil
	}
	row := &Row{Count: 1, Cells: make([]Cell, len(s.load.Minutes))}
	if hot[0].Contributing != nil && slices.Contains(hot[0].Contributing, TooFewPartitions) {
		row.Count = max(1, s.res.Partitions.Likely-len(groups))
	}
	for i, m := range s.load.Minutes {
		row.Cells[i] = Cell{State: m.State}
		if m.State == telemetry.Known {
			row.Cells[i] = s.unnamedCell(hot, i)
		}
		row.Peak = max(row.Peak, row.Cells[i].Likely)
	}
	return row
}

// unnamedCell is an equal share in quiet minutes and what the event says in refused ones.
func (s *scene) unnamedCell(hot []*Event, i int) Cell {
	m := s.load.Minutes[i]
	share, _ := s.ordinary(i)
	high := math.Max(share, math.Min(float64(m.Consumed), s.mostServed(nil, 0, 0)))
	likely := share
	for _, e := range hot {
		if m.Throttled > 0 && !m.Start.Before(e.Start) && m.Start.Before(e.End) && e.Hottest != nil {
			likely = math.Min(high, math.Max(likely, float64(e.Hottest.Rate)))
		}
	}
	return modelled(share, likely, high, 0)
}

// restRow stands for the partitions that no ranked key sits on.
func (s *scene) restRow(count int) *Row {
	row := &Row{Count: count, Cells: make([]Cell, len(s.load.Minutes))}
	for i, m := range s.load.Minutes {
		if m.State != telemetry.Known {
			row.Cells[i].State = m.State
			continue
		}
		share, spread := s.ordinary(i)
		few := float64(s.res.Partitions.Likely) / float64(max(1, s.res.Partitions.Low))
		most := s.mostServed(nil, share, share)
		row.Cells[i] = modelled(share-2*spread, math.Min(share, most), math.Min(share*few+2*spread, most), 0)
		row.Peak = max(row.Peak, row.Cells[i].Likely)
	}
	return row
}

// spreadRefusals puts refusals that no ranked key carries on the row that is nearest
// its ceiling, which is where they must come from if the limit is a partition's.
func (s *scene) spreadRefusals() {
	for i, m := range s.load.Minutes {
		left := m.Throttled
		var hottest *Row
		for _, r := range s.load.Rows {
			left -= r.Cells[i].Throttled
			if hottest == nil || r.Cells[i].Likely > hottest.Cells[i].Likely {
				hottest = r
			}
		}
		atPartition := m.LimitState != telemetry.Known || m.ByLimit.KeyRange > 0
		if hottest != nil && left > 0 && atPartition {
			hottest.Cells[i].Throttled += left
		}
	}
}

// linkKeys notes in which row each key is thought to sit.
func (s *scene) linkKeys() {
	rows := map[string]int{}
	for i, r := range s.load.Rows {
		for _, k := range r.Keys {
			rows[k.Partition] = i
		}
	}
	for _, k := range s.load.Keys {
		if i, ok := rows[k.Key.Partition]; ok {
			k.Row = i
		}
	}
}
