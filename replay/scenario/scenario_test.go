package scenario

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestGenerateIsDeterministic(t *testing.T) {
	for _, seed := range []uint64{1, 7} {
		a, b := Generate(Random(seed), seed), Generate(Random(seed), seed)
		if diff := cmp.Diff(a.Batch(), b.Batch()); diff != "" {
			t.Errorf("seed %d: two batches differ:\n%s", seed, diff)
		}
		if diff := cmp.Diff(a.Truth, b.Truth); diff != "" {
			t.Errorf("seed %d: two truths differ:\n%s", seed, diff)
		}
	}
}

func TestRandomScenariosAreValid(t *testing.T) {
	for seed := range uint64(2000) {
		s := Random(seed)
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestParseNamesTheLine(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"unknown statement", "tabel orders", `line 1: unknown statement "tabel"`},
		{"unknown property", "table orders\n  partitons 7", `line 2: unknown property "partitons" of "table"`},
		{"property alone", "  partitions 7", `line 1: property "partitions" stands outside of a table, index or load`},
		{"bad number", "table orders\n  partitions many", `line 2: partitions: "many" is not a number`},
		{"words left over", "stray 4 an hour", `line 1: stray: unexpected "an"`},
		{"open quote", `scenario "one`, `line 1: a quote is not closed: "one`},
		{"no percent sign", "load a\n  key x 0.4", `line 2: key: "0.4" is not a share such as 40%`},
		{"nothing", "", `scenario "": no table`},
		{"shares", "table t\n  partitions 1\nload a\n  reads\n  operations GetItem 40%", `load "a": its operations' shares add up to 40%`},
		{"wrong way", "table t\n  partitions 1\nload a\n  reads\n  operations PutItem", `load "a": PutItem is not an operation that reads`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.text)
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); got != c.want {
				t.Errorf("error = %s\nwant    %s", got, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		text, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(text); err != nil && strings.Contains(err.Error(), "\x1b") {
			t.Errorf("error carries an escape: %q", err)
		}
	})
}

func TestTruthIsToldInJSON(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	in := &Incident{Scenario: &Scenario{}, Truth: Truth{Events: []Event{{
		Table: "t", Operation: telemetry.Write, Start: at, End: at.Add(time.Hour), Causes: []string{"hot_key"},
		Limit: telemetry.KeyRangeLimit, LimitAlso: []telemetry.Limit{telemetry.UnknownLimit}, Refused: 12,
		Keys: []KeyName{{Partition: "k", Sort: "s"}}, Hottest: &Hottest{1000, 1500, 1000}, ShardsNeeded: 2,
	}}}}
	got, err := in.TruthJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"healthy":false,"events":[{"table":"t","index":"","operation":"write",` +
		`"start":"2026-03-02T10:00:00Z","end":"2026-03-02T11:00:00Z","ongoing":false,"cause":["hot_key"],` +
		`"limit":"key_range","limit_also":["unknown"],` +
		`"keys":[{"partition_key":"k","sort_key":"s"}],` +
		`"hottest_partition":{"units_per_second":1000,"offered_units_per_second":1500,"ceiling_units_per_second":1000},` +
		`"shards_needed":2,"refused":12}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("truth (-want +got):\n%s", diff)
	}
}

func TestPollsConvergeOnTheBatch(t *testing.T) {
	in := Generate(Random(5), 5)
	last := map[telemetry.SeriesID]map[int64]float64{}
	partial := 0
	for _, poll := range in.Polls() {
		for _, s := range poll.Series {
			if last[s.ID] == nil {
				last[s.ID] = map[int64]float64{}
			}
			for _, p := range s.Points {
				if old, ok := last[s.ID][p.Time.Unix()]; ok && old != p.Value {
					partial++
				}
				last[s.ID][p.Time.Unix()] = p.Value
			}
		}
	}
	if partial == 0 {
		t.Error("no point was ever revised")
	}
	for _, s := range in.Batch().Series {
		if s.Period != time.Minute {
			continue
		}
		for _, p := range s.Points {
			if got, ok := last[s.ID][p.Time.Unix()]; !ok || got != p.Value {
				t.Fatalf("%s %s at %v: live %v (seen %v), afterwards %v", s.ID.Metric, s.ID.Stat, p.Time, got, ok, p.Value)
			}
		}
	}
}

func TestItemsCostByTheirWeight(t *testing.T) {
	cases := []struct {
		name, load string
		want       float64
	}{
		{"small write", "writes\n  operations PutItem\n  item 900B", 1},
		{"write of 20 KB", "writes\n  operations PutItem\n  item 20KB", 20},
		{"transaction", "writes\n  operations TransactWriteItems\n  item 3KB", 6},
		{"half of them transactions", "writes\n  operations TransactWriteItems 50% PutItem 50%\n  item 2KB", 3},
		{"strong read", "reads\n  operations GetItem\n  item 20KB", 5},
		{"eventual read", "reads\n  operations GetItem\n  item 20KB\n  consistency eventual", 2.5},
		{"units as given", "reads\n  operations GetItem\n  units 2\n  consistency eventual", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("table t\n  partitions 1\nload l\n  rest 9 k%\n  " + c.load)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Loads[0].Units; got != c.want {
				t.Errorf("a request costs %v units, want %v", got, c.want)
			}
		})
	}
}
