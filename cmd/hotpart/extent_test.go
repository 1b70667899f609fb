package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// days is a batch that spans some days by the minute, with so many tables and so
// many keys on each.
func days(n, tables, keys int) telemetry.Batch {
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	b := telemetry.Batch{Window: telemetry.Window{Start: start, End: start.AddDate(0, 0, n), Period: time.Minute}}
	for i := range tables {
		id := telemetry.TableID{Table: fmt.Sprint("table-", i)}.Resource()
		b.Series = append(b.Series, telemetry.Series{ID: telemetry.SeriesID{Resource: id}})
		r := telemetry.Ranking{Resource: id}
		for k := range keys {
			r.Contributors = append(r.Contributors, telemetry.Contributor{Key: telemetry.Key{Partition: fmt.Sprint(k)}})
		}
		b.Rankings = append(b.Rankings, r)
	}
	return b
}

func TestMoreThanCanBeHeldIsRefused(t *testing.T) {
	values := days(1, 1, 0)
	values.Series[0].Points = make([]telemetry.Point, 1_000_000)
	long := days(1, 1, 1)
	long.Rankings[0].Contributors[0].Key.Partition = strings.Repeat("k", 16<<10)
	for _, c := range []struct {
		name  string
		batch telemetry.Batch
		times int
		want  string // "" for none
	}{
		{"a month of a table with indexes", days(30, 4, 100), 1, ""},
		{"a day of two hundred tables", days(1, 200, 25), 1, ""},
		{"many tables", days(30, 1000, 0), 1, "1000 tables and indexes and 0 keys over 43200 periods of 1m0s"},
		{"many keys", days(30, 1, 600), 1, "1 tables and indexes and 600 keys over 43200 periods of 1m0s"},
		{"new keys for ever", days(1, 1, 10_000), 1, ""},
		{"many values", values, 26, "more than 25 million values"},
		{"long keys", long, 50_000, "more than 25 million values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e extent
			var err error
			for range c.times {
				if err = e.add(c.batch); err != nil {
					break
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
