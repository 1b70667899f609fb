package partition

import (
	"math"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"pgregory.net/rapid"
)

func drawAllowances(t *rapid.T, name string) Allowances {
	one := func(part string) Allowance {
		if !rapid.Bool().Draw(t, name+part) {
			return Allowance{}
		}
		return Allowance{
			Rate:  telemetry.Rate(rapid.Float64Range(1, 20000).Draw(t, name+part+" rate")),
			Saved: rapid.Float64Range(0, BurstSeconds).Draw(t, name+part+" saved"),
		}
	}
	return Allowances{one(" provisioned"), one(" maximum"), one(" account")}
}

func drawLoad(t *rapid.T) Load {
	d := telemetry.Directions[rapid.IntRange(0, 1).Draw(t, "direction")]
	at := Point{rapid.Float64Range(0, 0.999).Draw(t, "hash"), rapid.Float64Range(0, 0.999).Draw(t, "sort")}
	place := Place{At: at, Spread: Spread(rapid.IntRange(0, 2).Draw(t, "spread"))}
	if rapid.Bool().Draw(t, "tail") {
		place = Place{At: Point{Hash: at.Hash}, Width: rapid.Float64Range(0.01, 1).Draw(t, "width")}
	}
	return Load{d, place, rapid.Float64Range(0, 1).Draw(t, "eventual")}
}

func TestResourceConservesUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{
			Partitions: rapid.IntRange(1, 12).Draw(t, "partitions"),
			Read:       drawAllowances(t, "read"), Write: drawAllowances(t, "write"),
			Local:        rapid.Bool().Draw(t, "local"),
			SplitMinutes: rapid.SampledFrom([]float64{0, 2, 5}).Draw(t, "split minutes"),
		}
		r := NewResource(c)
		var offers []float64
		for range rapid.IntRange(1, 8).Draw(t, "loads") {
			r.Add(drawLoad(t))
			offers = append(offers, rapid.Float64Range(0, 9000).Draw(t, "offer"))
		}
		for range 400 {
			for load, units := range offers {
				r.Offer(load, units)
			}
			r.Admit()
			if rapid.IntRange(0, 3).Draw(t, "narrow") == 0 {
				r.Narrow(telemetry.Write, rapid.Float64Range(0, 1).Draw(t, "most"))
			}
			checkLoads(t, r, offers)
			before := len(r.Partitions())
			r.Commit()
			checkPartitions(t, r, before)
		}
	})
}

func checkLoads(t *rapid.T, r *Resource, offers []float64) {
	for load, units := range offers {
		keyRange, table, limit := r.Refused(load)
		got := r.Admitted(load) + r.Held(load) + keyRange + table
		if math.Abs(got-units) > 1e-6*max(1, units) {
			t.Fatalf("load %d: served and refused add up to %v of %v offered", load, got, units)
		}
		if keyRange < 0 || table < 0 || r.Admitted(load) < 0 {
			t.Fatalf("load %d: negative outcome", load)
		}
		if table > 0 && limit == "" {
			t.Fatalf("load %d: refused by the table without a limit", load)
		}
	}
}

func checkPartitions(t *rapid.T, r *Resource, before int) {
	parts := r.Partitions()
	if len(parts) < before {
		t.Fatalf("%d partitions became %d", before, len(parts))
	}
	for i := range parts {
		p := &parts[i]
		if i > 0 && parts[i-1].To != p.From {
			t.Fatalf("partition %d begins at %v, the one before ends at %v", i, p.From, parts[i-1].To)
		}
		if !p.From.before(p.To) {
			t.Fatalf("partition %d is empty: %v to %v", i, p.From, p.To)
		}
		for _, d := range telemetry.Directions {
			h := p.half(d)
			if h.bucket.tokens < 0 || h.bucket.tokens > h.bucket.cap {
				t.Fatalf("partition %d holds %v tokens of %v", i, h.bucket.tokens, h.bucket.cap)
			}
		}
	}
	if parts[0].From != (Point{}) || parts[len(parts)-1].To != (Point{1, 1}) {
		t.Fatalf("the partitions do not cover the key space")
	}
	for i := range r.streams {
		total := 0.0
		for _, portion := range r.streams[i].portions {
			total += portion.Share
		}
		if math.Abs(total-1) > 1e-9 {
			t.Fatalf("load %d (%+v): portions add up to %v", i, r.streams[i].Load, total)
		}
	}
	for _, d := range telemetry.Directions {
		for _, b := range r.side(d).buckets {
			if b.tokens < 0 || b.tokens > b.cap {
				t.Fatalf("a table-wide bucket holds %v tokens of %v", b.tokens, b.cap)
			}
		}
	}
}

func TestMinuteNeverExceedsTheMaximumMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := NewResource(Config{Partitions: 1})
		load := r.Add(Load{Direction: telemetry.Write})
		total := 0.0
		for range 60 {
			r.Offer(load, rapid.Float64Range(0, 5000).Draw(t, "offer"))
			r.Admit()
			r.Commit()
			total += r.Admitted(load)
		}
		if total/60 > float64(MaxMeanWrite)+1e-9 {
			t.Fatalf("minute's mean %v", total/60)
		}
	})
}

func TestFeedLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index := NewResource(Config{Partitions: 2, Write: drawAllowances(t, "index")})
		hot := index.Add(Load{Direction: telemetry.Write, Place: Place{At: Point{Hash: 0.2}}})
		rest := index.Add(Load{Direction: telemetry.Write, Place: Place{Width: 1}})
		feed := NewFeed(index, []int{hot, rest})
		refusal := make([]Refusal, 2)
		accepted, written := 0.0, 0.0
		for range 60 {
			in := []float64{rapid.Float64Range(0, 3000).Draw(t, "hot"), rapid.Float64Range(0, 3000).Draw(t, "rest")}
			feed.Refusals(in, refusal)
			for i, f := range refusal {
				if f.KeyRange < -1e-9 || f.Table < -1e-9 || f.KeyRange+f.Table > 1+1e-9 {
					t.Fatalf("refusal shares %+v", f)
				}
				in[i] *= max(0, 1-f.KeyRange-f.Table)
				accepted += in[i]
			}
			feed.Accept(in)
			feed.Offer()
			index.Admit()
			feed.Settle()
			index.Commit()
			written += index.Admitted(hot) + index.Admitted(rest)
		}
		if got := written + feed.backlog[0] + feed.backlog[1]; math.Abs(got-accepted) > 1e-6*max(1, accepted) {
			t.Fatalf("written and waiting %v of %v accepted", got, accepted)
		}
	})
}
