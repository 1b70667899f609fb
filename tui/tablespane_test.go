package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// sweptFleet are 30 tables with an index each, of which refusals alone were asked for,
// and one that refuses beside them. Of the last ten tables' indexes nothing is known.
func sweptFleet() *analysis.Diagnosis {
	home := telemetry.TableID{Account: "111122223333", Region: "eu-west-1"}
	w := telemetry.Window{Start: begin, End: begin.Add(30 * time.Minute), Period: time.Minute}
	b := telemetry.Batch{Window: w, FetchedAt: w.End.Add(4 * time.Minute)}
	ask := func(id telemetry.ResourceID, metric telemetry.Metric, value float64) {
		s := telemetry.Series{ID: telemetry.SeriesID{Resource: id, Metric: metric, Stat: telemetry.Sum}, Period: time.Minute, Status: telemetry.Complete}
		for at := w.Start; value > 0 && at.Before(w.End); at = at.Add(time.Minute) {
			s.Points = append(s.Points, telemetry.Point{Time: at, Value: value})
		}
		b.Series = append(b.Series, s)
	}
	for i := range 30 {
		id := home
		id.Table = fmt.Sprintf("quiet-%02d", i)
		b.Tables = append(b.Tables, telemetry.Table{ID: id, Mode: telemetry.ModeOnDemand, Indexes: []telemetry.Index{{Name: "by-date"}}})
		for _, d := range telemetry.Directions {
			ask(id.Resource(), telemetry.ThrottleEvents(d, telemetry.UnknownLimit), 0)
			if i < 20 {
				ask(id.WithIndex("by-date"), telemetry.ThrottleEvents(d, telemetry.UnknownLimit), 0)
			}
		}
	}
	id := home
	id.Table = "troubled"
	b.Tables = append(b.Tables, telemetry.Table{ID: id, Mode: telemetry.ModeOnDemand})
	ask(id.Resource(), telemetry.WriteThrottleEvents, 500)
	ask(id.Resource(), telemetry.ConsumedWriteCapacityUnits, 60000)
	return analysis.New().Observe(b)
}

func TestQuietTablesOfAFleetAreCountedNotListed(t *testing.T) {
	m := still(Options{Live: true}, 100, 30, sweptFleet())
	m.typed("7")
	got := m.plain()
	for _, words := range []string{"troubled", "+ 30 tables and 20 indexes without refusals", "+ 10 indexes of which nothing is known"} {
		if !strings.Contains(got, words) {
			t.Errorf("no %q in\n%s", words, got)
		}
	}
	if strings.Contains(got, "quiet-") {
		t.Errorf("a quiet table is listed:\n%s", got)
	}
	m.typed("/", "2", "5", "enter")
	if got := m.plain(); strings.Count(got, "quiet-25") != 2 || strings.Contains(got, "+ ") {
		t.Errorf("the filter doesn't find one line for the table and one for its index:\n%s", got)
	}
}

func TestEnterOnAQuietTableAsksForAllOfIt(t *testing.T) {
	var looked []string
	m := still(Options{Live: true, Look: func(id telemetry.TableID) { looked = append(looked, id.Table) }}, 100, 30, sweptFleet())
	m.typed("7", "/", "q", "u", "i", "e", "t", "-", "0", "7", "enter")
	if cmd := m.press(pressed("enter")); cmd != nil {
		cmd()
	}
	if m.resource.Table != "quiet-07" || strings.Join(looked, " ") != "quiet-07" {
		t.Errorf("shows %s, and asked for %q", m.resource, looked)
	}
	for _, words := range []string{"all of quiet-07 is asked for", "only refusals are asked for here"} {
		if got := m.plain(); !strings.Contains(got, words) {
			t.Errorf("no %q in\n%s", words, got)
		}
	}
	if cmd := m.press(pressed("esc")); cmd != nil {
		cmd()
	}
	if strings.Join(looked, " ") != "quiet-07 " {
		t.Errorf("going back asked for %q", looked)
	}
}

func TestTheWorstForUsersComesFirst(t *testing.T) {
	bad := func(table string, refused, requests float64, minutes int) *analysis.Table {
		id := telemetry.ResourceID{TableID: telemetry.TableID{Table: table}}
		write := &analysis.Load{Direction: telemetry.Write, Ceiling: 1000}
		for i := range 15 {
			x := analysis.Minute{Start: begin.Add(time.Duration(i) * time.Minute), ThrottleState: telemetry.Known, Requests: requests}
			if i >= 15-minutes {
				x.Throttled = refused
				write.Throttled += refused
			}
			write.Minutes = append(write.Minutes, x)
		}
		read := &analysis.Load{Direction: telemetry.Read, Ceiling: 3000}
		return &analysis.Table{ID: id.TableID, Resources: []*analysis.Resource{{ID: id, Read: read, Write: write}}}
	}
	d := &analysis.Diagnosis{Window: telemetry.Window{Start: begin, End: begin.Add(15 * time.Minute), Period: time.Minute}}
	d.Tables = []*analysis.Table{
		bad("busy-little-refused", 5000, 1e6, 15),
		bad("half-for-a-minute", 500, 500, 1),
		bad("noise", 900, 1000, 15),
		bad("third-all-the-time", 50, 100, 15),
		bad("unknown-share", 800, -1, 15),
	}
	for _, table := range d.Tables {
		if table.ID.Table != "noise" {
			d.Events = append(d.Events, &analysis.Event{ID: table.ID.Table, Resource: table.ID.Resource(), Direction: telemetry.Write, Ongoing: true, Confidence: 0.9})
		}
	}
	m := still(Options{}, 100, 30, d)
	var got []string
	places, _, _ := m.places()
	for _, p := range places {
		if p.dir == telemetry.Write {
			got = append(got, p.resource.ID.Table)
		}
	}
	want := "third-all-the-time half-for-a-minute busy-little-refused unknown-share noise"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}
