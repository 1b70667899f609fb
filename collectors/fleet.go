package collectors

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// fleet is every table of the account and Region. All are watched for refusals
// alone; those that refuse are looked at closely. Its zero value knows no table.
type fleet struct {
	members []*member // by name
	listed  time.Time // zero before the first answer
	turn    int       // polls so far
	turns   int       // in how many polls all are swept
	whole   bool      // all are swept with each poll
	// close is the survey of the tables looked at closely; nil for none.
	close    *survey
	warnings []telemetry.Warning // of the list, until it is asked for again
	swept    []telemetry.Warning // of the last sweep
}

// member is one table of a fleet.
type member struct {
	name     string
	id       telemetry.TableID
	table    *telemetry.Table // nil where it couldn't be described
	indexes  []string         // of a table of a linked account
	asked    time.Time        // for the description; zero before the first time
	warnings []telemetry.Warning

	swept map[string]time.Time // when it and its indexes were, by the index; nil before

	heard   time.Time // up to when its refusals are known; zero: never
	refused time.Time // the end of the last minute with refusals; zero: none
	// pain is what its users feel, as far as a sweep can tell: the refusals of the last
	// quarter of an hour times the minutes that had any.
	pain   float64
	looked time.Time // up to when it was looked at closely; zero: never
	close  bool
}

// MaxTables is how many tables of a fleet are looked at closely at once, the worst
// ones: at some 130 metrics a minute for a table with three indexes, it bounds the
// cost to about two dollars an hour.
const MaxTables = 25

const (
	listEvery = 10 * time.Minute
	// Descriptions are asked for about this often, a part of them with each poll.
	describeEvery = 10 * time.Minute
	// quietFor is how long a table refuses nothing before it is let go.
	quietFor = 15 * time.Minute
	// afterTrouble is how long a table that refused is swept with each poll.
	afterTrouble = time.Hour
	// closeReach is how far back a table is asked for when it comes to be looked at
	// closely.
	closeReach = time.Hour
)

// pollFleet sweeps the tables, then asks in full for those in trouble.
func (l *Live) pollFleet(ctx context.Context, f *fleet, w telemetry.Window) (telemetry.Batch, error) {
	described, err := l.refresh(ctx, f)
	if err != nil {
		return telemetry.Batch{}, err
	}
	// Refusals are sparse and points are free, so that the sweep always reaches as
	// far back as a closer look would.
	wide := w
	reach := closeReach
	if !f.begun() {
		reach = max(reach, l.cfg.Since)
	}
	if from := w.End.Add(-reach); from.Before(w.Start) {
		wide.Start = from
	}
	sweep := l.answers(f.questions(l.now(), l.pollsEvery(), w.Period), align(wide, l.now()))
	warnings := f.stillSaid(parallel(ctx, sweep.tasks()))
	f.hear(sweep.series, sweep.window)
	newcomers, left := f.choose(l.opened())
	if len(newcomers) > 0 || !f.begun() || l.cfg.beside {
		w = wide
	}
	b, closely := l.look(ctx, f, w, newcomers)
	if err := ctx.Err(); err != nil {
		return telemetry.Batch{}, err
	}
	f.turn++
	if first := l.last.End.IsZero(); !sweep.answered() && !closely.answered() && !(first && len(described.tables) > 0) {
		both := &answers{failures: slices.Concat(sweep.failures, closely.failures)}
		return telemetry.Batch{}, l.failure(both.failure(), getMetricData, telemetry.ResourceID{})
	}
	f.hear(closely.series, closely.window)
	b.Source = telemetry.Source{Kind: telemetry.SourceLive, Name: "every table"}
	b.Window, b.FetchedAt = align(w, l.now()), l.now()
	b.Tables = merged(described.tables, b.Tables)
	b.Quotas = described.quotas
	b.Series = overlaid(sweep.series, b.Series, b.Window.Start)
	b.Warnings = slices.Concat(l.warnOfSkew(), fold(slices.Concat(f.troubles(), warnings, b.Warnings)), warnOfMore(left))
	return b, nil
}

// stillSaid are a sweep's warnings, with those of the other half's last one.
func (f *fleet) stillSaid(warnings []telemetry.Warning) []telemetry.Warning {
	before := f.swept
	f.swept = warnings
	if f.turns == 1 {
		return warnings
	}
	return slices.Concat(before, warnings)
}

// merged are the tables' descriptions, the later where there are two, by name.
func merged(first, later []telemetry.Table) []telemetry.Table {
	out := slices.Clone(later)
	for _, t := range first {
		if !slices.ContainsFunc(later, func(o telemetry.Table) bool { return o.ID == t.ID }) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b telemetry.Table) int { return cmp.Compare(a.ID.Table, b.ID.Table) })
	return out
}

// overlaid are a sweep's series from start on, and those of the closer look. Of a
// series that both asked for, the one that was told in full stays.
func overlaid(sweep, closely []telemetry.Series, start time.Time) []telemetry.Series {
	at := map[telemetry.SeriesID]int{}
	for i, s := range closely {
		at[s.ID] = i
	}
	var out []telemetry.Series
	for _, s := range sweep {
		s.Points = slices.DeleteFunc(s.Points, func(p telemetry.Point) bool { return p.Time.Before(start) })
		switch i, both := at[s.ID]; {
		case !both:
			out = append(out, s)
		case closely[i].Status != telemetry.Complete:
			closely[i] = s
		}
	}
	return append(out, closely...)
}

func warnOfMore(left int) []telemetry.Warning {
	if left == 0 {
		return nil
	}
	return []telemetry.Warning{{
		Code: telemetry.PartialDataCode,
		Text: fmt.Sprintf("more than %d tables refuse requests: the worst are looked at closely, the others watched for refusals only; name those that matter", MaxTables),
	}}
}

// refresh lists the tables when that is due, and describes those that are. What
// it returns holds what was told just now.
func (l *Live) refresh(ctx context.Context, f *fleet) (*survey, error) {
	listing := f.listed.IsZero() || l.now().Sub(f.listed) >= listEvery-pollEvery/2
	if listing {
		names, err := l.allTables(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && f.listed.IsZero():
			return nil, l.failure(err, l.lists(), telemetry.ResourceID{})
		case err != nil:
			f.warnings = l.trouble(err, l.lists(), telemetry.ResourceID{})
		case len(names) == 0:
			return nil, fmt.Errorf("there are no tables in %s\nhint: --region, --profile", l.place())
		default:
			f.warnings = nil
			f.list(names)
		}
		f.listed = l.now()
	}
	due := f.due(l.now(), l.pollsEvery())
	told, err := l.describe(ctx, memberNames(due), listing)
	if err != nil {
		return nil, err
	}
	l.note(f, due, told)
	if listing {
		f.warnings = append(f.warnings, accountWide(told.warnings)...)
	}
	return told, nil
}

// accountWide are the warnings that are about no table.
func accountWide(all []telemetry.Warning) []telemetry.Warning {
	var out []telemetry.Warning
	for _, w := range all {
		if w.Resource.Table == "" {
			out = append(out, w)
		}
	}
	return out
}

// list takes over the tables' names, and keeps what is known of those that stay.
func (f *fleet) list(names []string) {
	known := map[string]*member{}
	for _, m := range f.members {
		known[m.name] = m
	}
	names = slices.Sorted(slices.Values(names))
	f.members = nil
	for _, name := range slices.Compact(names) {
		m := known[name]
		if m == nil {
			m = &member{name: name}
		}
		f.members = append(f.members, m)
	}
}

// due are the tables whose description is to be asked for: new ones; those looked
// at closely every few minutes; of the others so many, the oldest first, that all
// have their turn in time.
func (f *fleet) due(now time.Time, every time.Duration) []*member {
	var out, rest []*member
	for _, m := range f.members {
		switch age := now.Sub(m.asked); {
		case m.asked.IsZero(), m.close && age >= surveyEvery-pollEvery/2:
			out = append(out, m)
		case !m.close && age >= describeEvery/2:
			rest = append(rest, m)
		}
	}
	slices.SortStableFunc(rest, func(a, b *member) int { return a.asked.Compare(b.asked) })
	share := 1 + len(f.members)*int(every/time.Second)/int(describeEvery/time.Second)
	return append(out, rest[:min(share, len(rest))]...)
}

// note puts in place what was told of the tables that were described, and lets go
// of those that don't exist any more.
func (l *Live) note(f *fleet, asked []*member, told *survey) {
	for _, m := range asked {
		m.asked, m.warnings = l.now(), nil
		if m.table == nil {
			m.id, m.indexes = l.named(m.name), told.shared[m.name]
		}
		for _, t := range told.tables {
			if t.ID.Table == m.name {
				m.id, m.table = t.ID, &t
			}
		}
		for _, w := range told.warnings {
			if w.Resource.Table == m.name {
				m.warnings = append(m.warnings, w)
			}
		}
	}
	f.members = slices.DeleteFunc(f.members, func(m *member) bool {
		return slices.ContainsFunc(told.gone, func(id telemetry.TableID) bool { return id.Table == m.name })
	})
}

func memberNames(members []*member) []string {
	var names []string
	for _, m := range members {
		names = append(names, m.name)
	}
	return names
}

// troubles are the warnings of the list and the descriptions that still hold.
func (f *fleet) troubles() []telemetry.Warning {
	out := slices.Clone(f.warnings)
	for _, m := range f.members {
		if !m.close {
			out = append(out, m.warnings...)
		}
	}
	return out
}

// look asks in full for the tables in trouble. Where there are none, it makes no
// call.
func (l *Live) look(ctx context.Context, f *fleet, w telemetry.Window, newcomers []*member) (telemetry.Batch, *answers) {
	if !slices.ContainsFunc(f.members, func(m *member) bool { return m.close }) {
		f.close = nil
		return telemetry.Batch{}, &answers{}
	}
	// What was described a while ago may not be what refuses now.
	stale := slices.DeleteFunc(newcomers, func(m *member) bool { return l.now().Sub(m.asked) < pollEvery/2 })
	if len(stale) > 0 {
		if told, err := l.describe(ctx, memberNames(stale), false); err == nil {
			l.note(f, stale, told)
		}
	}
	s, fresh := f.closely(l.now())
	b, a := l.gather(ctx, s, w, fresh)
	if !a.answered() {
		return b, a
	}
	f.close = s
	for _, m := range f.members {
		if m.close {
			m.looked = b.Window.End
		}
	}
	return b, a
}
