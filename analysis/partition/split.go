package partition

import (
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Split is one split for heat. Second counts from the first Admit; Parent is the
// ID of the partition that was split, Children the IDs of the two that took its
// place.
type Split struct {
	Second   int
	Parent   int
	Children [2]int
}

// endMinute looks for partitions that have been near their ceiling long enough
// and splits those that a split would relieve.
func (r *Resource) endMinute() {
	due := []int{}
	for i := range r.partitions {
		p := &r.partitions[i]
		for _, d := range telemetry.Directions {
			h := p.half(d)
			if h.minute >= SplitUtilization*h.ceiling {
				h.hot++
			} else {
				h.hot = 0
			}
			h.minute, h.ceiling = 0, 0
			if r.config.SplitMinutes > 0 && float64(h.hot) >= r.patience(p) && !slices.Contains(due, i) {
				due = append(due, i)
			}
		}
	}
	changed := false
	for _, i := range slices.Backward(due) {
		changed = r.split(i) || changed
	}
	if changed {
		for i := range r.streams {
			r.place(&r.streams[i])
		}
	}
}

// patience is how many hot minutes the partition waits: it differs by a sixth
// either way from partition to partition.
func (r *Resource) patience(p *Partition) float64 {
	x := p.From.Hash * 7919
	x -= float64(int(x))
	return r.config.SplitMinutes * (5 + 2*x) / 6
}

// chunk is a part of a partition's load that stays together.
type chunk struct {
	at     Point
	weight float64
}

// split divides partition i where its load is halved. It reports false where no
// boundary would take enough load off: one item, an ever-growing sort key, or a
// collection held together by a local index.
func (r *Resource) split(i int) bool {
	p := r.partitions[i]
	d := telemetry.Write
	if p.read.hot > p.write.hot {
		d = telemetry.Read
	}
	chunks := r.chunks(&p, i, d)
	total := 0.0
	for _, c := range chunks {
		total += c.weight
	}
	best, at, left := total, Point{}, 0.0
	for j, c := range chunks {
		if j > 0 && chunks[j-1].at.before(c.at) && p.From.before(c.at) {
			if worst := max(left, total-left); worst < best {
				best, at = worst, c.at
			}
		}
		left += c.weight
	}
	if total == 0 || best > IsolationShare*total {
		return false
	}
	low, high := p, p
	low.To, high.From = at, at
	for j, child := range []*Partition{&low, &high} {
		child.ID, child.Parent, child.Opened = r.nextID+j, p.ID, r.second
		child.fill()
	}
	r.nextID += 2
	r.partitions = slices.Replace(r.partitions, i, i+1, low, high)
	r.splits = append(r.splits, Split{Second: r.second, Parent: p.ID, Children: [2]int{low.ID, high.ID}})
	return true
}

// chunks cuts the current second's load of a partition into pieces in the order
// of the key space.
func (r *Resource) chunks(p *Partition, index int, d telemetry.Direction) []chunk {
	const pieces = 32
	var out []chunk
	for i := range r.streams {
		s := &r.streams[i]
		if s.Direction != d || s.offered == 0 {
			continue
		}
		k := slices.IndexFunc(s.portions, func(portion Portion) bool { return portion.Index == index })
		if k < 0 {
			continue
		}
		weight := s.offered * s.portions[k].Share
		switch {
		case s.Place.Width > 0:
			low, high := max(p.From.Hash, s.Place.At.Hash), min(p.To.Hash, s.Place.At.Hash+s.Place.Width)
			if high <= low {
				low, high = p.From.Hash, min(p.To.Hash, s.Place.At.Hash+s.Place.Width-1)
			}
			for j := range pieces {
				out = append(out, chunk{Point{Hash: low + (high-low)*float64(j)/pieces}, weight / pieces})
			}
		case s.Place.Spread == Collection && !r.config.Local:
			low, high := 0.0, 1.0
			if p.From.Hash == s.Place.At.Hash {
				low = p.From.Sort
			}
			if p.To.Hash == s.Place.At.Hash {
				high = p.To.Sort
			}
			for j := range pieces {
				out = append(out, chunk{Point{s.Place.At.Hash, low + (high-low)*float64(j)/pieces}, weight / pieces})
			}
		default:
			at := s.Place.At
			if s.Place.Spread == Growing {
				at.Sort = growing
			}
			if r.config.Local {
				at.Sort = 0
			}
			out = append(out, chunk{at, weight})
		}
	}
	slices.SortStableFunc(out, func(a, b chunk) int {
		switch {
		case a.at.before(b.at):
			return -1
		case b.at.before(a.at):
			return 1
		}
		return 0
	})
	return out
}
