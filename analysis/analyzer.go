package analysis

import (
	"cmp"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Analyzer turns batches into diagnoses. It remembers what it was told, and the
// identity of the events it has reported, but nothing else: the same batches in
// the same order give the same diagnoses. It is not for concurrent use.
type Analyzer struct {
	facts facts
	known []identity
}

// identity keeps an event's id while later data move its start.
type identity struct {
	resource   telemetry.ResourceID
	direction  telemetry.Direction
	limit      telemetry.Limit
	id         string
	start, end time.Time
}

// New makes an Analyzer that knows nothing yet.
func New() *Analyzer {
	return &Analyzer{facts: newFacts()}
}

// Observe adds a batch and says what is known now.
func (a *Analyzer) Observe(b telemetry.Batch) *Diagnosis {
	a.Add(b)
	return a.Diagnose()
}

// Add takes in a batch without drawing conclusions, for reading a recording to
// its end. The batch isn't kept.
func (a *Analyzer) Add(b telemetry.Batch) { a.facts.add(b) }

// Diagnose says what the batches so far mean. Before the first batch the
// diagnosis is empty.
func (a *Analyzer) Diagnose() *Diagnosis {
	d := &Diagnosis{
		Source:    a.facts.source,
		Window:    a.facts.window,
		FetchedAt: a.facts.fetchedAt,
		Marks:     a.facts.marked(),
		Warnings:  slices.Clone(a.facts.warnings),
	}
	a.facts.idle = map[idleness][]Minute{}
	for _, id := range a.facts.tableIDs() {
		t := newTable(&a.facts, id)
		d.Tables = append(d.Tables, t)
		for _, r := range t.Resources {
			d.Events = append(d.Events, diagnoseResource(&a.facts, t, r)...)
		}
		d.Warnings = append(d.Warnings, dataWarnings(&a.facts, t)...)
	}
	sortEvents(d.Events)
	a.name(d.Events)
	return d
}

// diagnoseResource reconstructs both directions of a resource and classifies
// what went wrong in them.
func diagnoseResource(f *facts, t *Table, r *Resource) []*Event {
	var events []*Event
	tracks := f.keyTracks(r.ID)
	r.Watch = f.keyWatch(r.ID, tracks)
	for _, dir := range telemetry.Directions {
		if l := r.Load(dir); l.Throttled == 0 && l.Peak == nil && len(tracks) == 0 {
			continue // nothing to explain, and nothing to lay out
		}
		s := newScene(f, t, r, dir, tracks)
		found := s.events()
		s.reconstruct(found)
		for _, e := range found {
			e.Context = f.context(e)
			e.Users = f.users(e)
			nameRetries(r, e)
			recommend(t, r, e)
		}
		events = append(events, found...)
	}
	return events
}

// sortEvents orders events by start, table, index and operation.
func sortEvents(events []*Event) {
	slices.SortStableFunc(events, func(a, b *Event) int {
		return cmp.Or(
			a.Start.Compare(b.Start),
			cmp.Compare(a.Resource.Table, b.Resource.Table),
			cmp.Compare(a.Resource.Index, b.Resource.Index),
			cmp.Compare(a.Direction, b.Direction),
		)
	})
}

// name gives each event its id: the one it had before where it is the same event,
// a new one otherwise. Two events that begin in the same minute at the same place
// differ by their limit, so the later-listed one's id names it.
func (a *Analyzer) name(events []*Event) {
	taken := map[string]bool{}
	var known []identity
	for _, e := range events {
		id := a.recall(e, taken)
		if id == "" {
			id = newEventID(e)
			for taken[id] {
				id += "/" + string(e.Limit)
			}
		}
		taken[id] = true
		e.ID = id
		known = append(known, identity{e.Resource, e.Direction, e.Limit, id, e.Start, e.End})
	}
	a.known = known
}

func (a *Analyzer) recall(e *Event, taken map[string]bool) string {
	for _, k := range a.known {
		if k.resource == e.Resource && k.direction == e.Direction && k.limit == e.Limit &&
			!taken[k.id] && k.start.Before(e.End) && e.Start.Before(k.end) {
			return k.id
		}
	}
	return ""
}

func newEventID(e *Event) string {
	r := e.Resource
	return r.Account + "/" + r.Region + "/" + r.Table + "/" + r.Index + "/" +
		string(e.Direction) + "/" + e.Start.UTC().Format(time.RFC3339)
}
