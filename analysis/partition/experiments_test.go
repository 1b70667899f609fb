package partition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// The experiments of AWS's series "Scaling DynamoDB: How partitions, hot keys,
// and split for heat impact performance" and of AWS's capacity workshop.

const tolerance = 0.10

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s = %.0f units a second, want %.0f within 10 %%", what, got, want)
	}
}

// loader writes rows in file order and keeps at most window of them in flight;
// a refused row is tried again. It returns the mean rate over seconds.
func loader(r *Resource, keys []int, rows []int, window, seconds int) float64 {
	loads := make(map[int]int)
	for _, k := range keys {
		if _, ok := loads[k]; !ok {
			at := Point{Hash: Position("ips", fmt.Sprint(k))}
			loads[k] = r.Add(Load{Direction: telemetry.Write, Place: Place{At: at, Spread: Collection}})
		}
	}
	flight := make(map[int]float64)
	next, used, inFlight, total := 0, 0, 0.0, 0.0
	for range seconds {
		for inFlight < float64(window) && next < len(keys) {
			n := min(rows[next]-used, window-int(inFlight))
			if n <= 0 {
				break
			}
			flight[keys[next]] += float64(n)
			inFlight += float64(n)
			if used += n; used == rows[next] {
				next, used = next+1, 0
			}
		}
		for k, load := range loads {
			r.Offer(load, flight[k])
		}
		r.Admit()
		r.Commit()
		for k, load := range loads {
			flight[k] -= r.Admitted(load)
			inFlight -= r.Admitted(load)
			total += r.Admitted(load)
		}
	}
	return total / float64(seconds)
}

func newOnDemandTable() *Resource {
	return NewResource(Config{Partitions: NewTablePartitions})
}

func TestOneKeyOnNewTableIsHeldToOnePartition(t *testing.T) {
	near(t, "one key", loader(newOnDemandTable(), []int{7}, []int{1 << 30}, 5000, 300), 1000)
}

func TestSequentialKeysUseLittleMoreThanOnePartition(t *testing.T) {
	// What the loader held in flight is not published; a quarter of a key's
	// rows gives the measured overlap of two keys.
	var keys, rows []int
	for k := range 64 {
		keys, rows = append(keys, k), append(rows, 10000)
	}
	near(t, "sequential keys", loader(newOnDemandTable(), keys, rows, 2670, 300), 1250)
}

func TestShuffledKeysUseAllPartitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var keys, rows []int
	for range 60000 {
		keys, rows = append(keys, rng.IntN(200)), append(rows, 20)
	}
	near(t, "shuffled keys", loader(newOnDemandTable(), keys, rows, 5000, 300), 3600)
}

func TestEventuallyConsistentReadsPassTheCeiling(t *testing.T) {
	r := NewResource(Config{Partitions: 1})
	load := r.Add(Load{Direction: telemetry.Read, Eventual: 1})
	near(t, "eventually consistent reads", steady(r, load, 8000, 120), 4500)
	r = NewResource(Config{Partitions: 1})
	load = r.Add(Load{Direction: telemetry.Read})
	near(t, "strong reads", steady(r, load, 8000, 120), 3000)
}

// steady offers the same each second and returns the mean that was admitted.
func steady(r *Resource, load int, units float64, seconds int) float64 {
	total := 0.0
	for range seconds {
		r.Offer(load, units)
		r.Admit()
		r.Commit()
		total += r.Admitted(load)
	}
	return total / float64(seconds)
}

func TestMinuteMeanPassesTheCeilingByWhatWasSaved(t *testing.T) {
	r := NewResource(Config{Partitions: 1})
	load := r.Add(Load{Direction: telemetry.Write})
	if got := steady(r, load, 5000, 60); math.Abs(got-float64(MaxMeanWrite)) > 0.01 {
		t.Errorf("first minute's mean = %v, want %v", got, MaxMeanWrite)
	}
}

// twin is the workshop's pair: a table with one index, both provisioned.
func twin(tableUnits, indexUnits, offered float64, seconds int) (tableRefused, indexRefused float64) {
	prov := func(rate float64) Allowances {
		return Allowances{Provisioned: Allowance{telemetry.Rate(rate), BurstSeconds}}
	}
	table := NewResource(Config{Partitions: 1, Write: prov(tableUnits)})
	index := NewResource(Config{Partitions: 1, Write: prov(indexUnits)})
	base := table.Add(Load{Direction: telemetry.Write, Place: Place{Width: 1}})
	feed := NewFeed(index, []int{index.Add(Load{Direction: telemetry.Write, Place: Place{Width: 1}})})
	refusal := make([]Refusal, 1)
	for range seconds {
		table.Offer(base, offered)
		table.Admit()
		feed.Refusals([]float64{table.Admitted(base)}, refusal)
		table.Narrow(telemetry.Write, 1-refusal[0].KeyRange-refusal[0].Table)
		_, refusedByTable, _ := table.Refused(base)
		feed.Accept([]float64{table.Admitted(base)})
		table.Commit()
		feed.Offer()
		index.Admit()
		feed.Settle()
		index.Commit()
		tableRefused += refusedByTable
		indexRefused += table.Held(base)
	}
	return tableRefused, indexRefused
}

func TestStarvedIndexRefusesOnTheIndexOnly(t *testing.T) {
	table, index := twin(1000, 1, 100, 120)
	if table != 0 || index == 0 {
		t.Errorf("refused by the table %.0f, by the index %.0f; want none and some", table, index)
	}
}

func TestStarvedTableRefusesOnTheTableOnly(t *testing.T) {
	table, index := twin(5, 5, 100, 120)
	if table == 0 || index != 0 {
		t.Errorf("refused by the table %.0f, by the index %.0f; want some and none", table, index)
	}
}

func TestProvisionedTableSpendsItsSavingsFirst(t *testing.T) {
	r := NewResource(Config{Partitions: 4, Write: Allowances{Provisioned: Allowance{100, BurstSeconds}}})
	load := r.Add(Load{Direction: telemetry.Write, Place: Place{Width: 1}})
	served := 0
	for second := 1; second <= 600; second++ {
		r.Offer(load, 200)
		r.Admit()
		r.Commit()
		if _, refused, limit := r.Refused(load); refused > 1 {
			if limit != telemetry.ProvisionedLimit {
				t.Errorf("limit = %q, want provisioned", limit)
			}
			break
		}
		served = second
	}
	if served < 298 || served > 303 {
		t.Errorf("refusals after %d seconds at twice the capacity, want about 300", served)
	}
}
