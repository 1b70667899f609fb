package analysis

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// facts is everything the batches have said so far, merged: the latest word on
// each point and each description.
type facts struct {
	source    telemetry.Source
	window    telemetry.Window
	fetchedAt time.Time

	series     map[telemetry.SeriesID]*track
	earlier    map[earlierID]*track
	rankings   map[rankingID]*ranking
	tables     map[telemetry.TableID]*telemetry.Table
	insights   map[telemetry.ResourceID]*telemetry.Insights
	quotas     map[telemetry.TableID]*telemetry.Quotas // by account and Region
	shards     map[telemetry.TableID]*telemetry.Shards
	targets    map[scaledID]telemetry.ScalingTarget
	activities map[scaledID][]telemetry.ScalingActivity // oldest first
	marks      []telemetry.Mark                         // oldest first
	warnings   []telemetry.Warning

	// indexes are those that series name.
	indexes map[telemetry.TableID]map[string]bool
	// blank is what a series looks like that nobody asked for, and idle what the
	// resources look like that refused nothing where only that was asked; shared by all
	// of these in one diagnosis.
	blank []reading
	idle  map[idleness][]Minute
}

// rankingID names a ranking: one rule kind of one resource.
type rankingID struct {
	resource telemetry.ResourceID
	kind     telemetry.RuleKind
}

// scaledID names what auto scaling acts on.
type scaledID struct {
	resource  telemetry.ResourceID
	direction telemetry.Direction
}

// track is one series as known so far.
type track struct {
	period time.Duration
	points []telemetry.Point // oldest first
	// from and to bound the time that was asked for.
	from, to time.Time
	// partial is set where the newest answer was incomplete.
	partial bool
}

// ranking is one rule's reports merged: each key's points.
type ranking struct {
	keys   []telemetry.Key // in the order first met
	points map[telemetry.Key][]telemetry.Point
	from   time.Time
	to     time.Time
	first  time.Time // of its points; zero for none
	labels []string
}

func newFacts() facts {
	return facts{
		series:     map[telemetry.SeriesID]*track{},
		earlier:    map[earlierID]*track{},
		rankings:   map[rankingID]*ranking{},
		tables:     map[telemetry.TableID]*telemetry.Table{},
		insights:   map[telemetry.ResourceID]*telemetry.Insights{},
		quotas:     map[telemetry.TableID]*telemetry.Quotas{},
		shards:     map[telemetry.TableID]*telemetry.Shards{},
		targets:    map[scaledID]telemetry.ScalingTarget{},
		activities: map[scaledID][]telemetry.ScalingActivity{},
		indexes:    map[telemetry.TableID]map[string]bool{},
	}
}

// add merges a batch. Nothing of the batch is kept that its owner could change,
// but for the descriptions' inner slices, which nobody writes.
func (f *facts) add(b telemetry.Batch) {
	f.addWarnings(b)
	f.addWindow(b)
	for _, s := range b.Series {
		f.addSeries(b.Window, s)
	}
	for _, e := range b.Earlier {
		f.addEarlier(e)
	}
	for _, r := range b.Rankings {
		f.addRanking(b.Window, r)
	}
	for _, t := range b.Tables {
		f.tables[t.ID] = &t
	}
	for _, in := range b.Insights {
		f.insights[in.Resource] = &in
	}
	for _, q := range b.Quotas {
		f.quotas[telemetry.TableID{Account: q.Account, Region: q.Region}] = &q
	}
	for _, s := range b.Shards {
		f.shards[s.Table] = &s
	}
	for _, t := range b.Targets {
		f.targets[scaledID{t.Resource, t.Direction}] = t
	}
	for _, a := range b.Activities {
		f.addActivity(a)
	}
	if len(b.Marks) > 0 {
		f.marks = telemetry.SortMarks(append(f.marks, b.Marks...))
	}
}

// addWarnings keeps what is still said: what a later poll doesn't repeat is over. What
// is wrong with a recording is said once, and stays.
func (f *facts) addWarnings(b telemetry.Batch) {
	if b.FetchedAt.After(f.fetchedAt) {
		f.warnings = slices.DeleteFunc(f.warnings, func(w telemetry.Warning) bool { return w.Code != telemetry.DamagedRecording })
	}
	for _, w := range b.Warnings {
		if !slices.Contains(f.warnings, w) {
			f.warnings = append(f.warnings, w)
		}
	}
}

func (f *facts) addWindow(b telemetry.Batch) {
	if b.Source != (telemetry.Source{}) {
		f.source = b.Source
	}
	if b.FetchedAt.After(f.fetchedAt) {
		f.fetchedAt = b.FetchedAt
	}
	w := b.Window
	if w.Start.IsZero() || !w.Start.Before(w.End) {
		return
	}
	if f.window.Start.IsZero() || w.Start.Before(f.window.Start) {
		f.window.Start = w.Start
	}
	if w.End.After(f.window.End) {
		f.window.End = w.End
	}
	if w.Period > 0 && (f.window.Period == 0 || w.Period < f.window.Period) {
		f.window.Period = w.Period
	}
}

func (f *facts) addSeries(w telemetry.Window, s telemetry.Series) {
	t := f.series[s.ID]
	if t == nil {
		t = &track{from: w.Start, to: w.End}
		f.series[s.ID] = t
		f.addIndex(s.ID.Resource)
	}
	if s.Period > 0 {
		t.period = s.Period
	}
	t.from, t.to = earlier(t.from, w.Start), later(t.to, w.End)
	t.partial = s.Status != telemetry.Complete && s.Status != ""
	t.points = mergePoints(t.points, s.Points)
}

func (f *facts) addIndex(id telemetry.ResourceID) {
	if id.Index == "" {
		return
	}
	if f.indexes[id.TableID] == nil {
		f.indexes[id.TableID] = map[string]bool{}
	}
	f.indexes[id.TableID][id.Index] = true
}

func (f *facts) addRanking(w telemetry.Window, r telemetry.Ranking) {
	id := rankingID{r.Resource, r.Kind}
	k := f.rankings[id]
	if k == nil {
		k = &ranking{points: map[telemetry.Key][]telemetry.Point{}, from: w.Start, to: w.End}
		f.rankings[id] = k
	}
	k.from, k.to = earlier(k.from, w.Start), later(k.to, w.End)
	if len(r.KeyLabels) > 0 {
		k.labels = r.KeyLabels
	}
	for _, c := range r.Contributors {
		if _, met := k.points[c.Key]; !met {
			k.keys = append(k.keys, c.Key)
		}
		k.points[c.Key] = mergePoints(k.points[c.Key], c.Points)
		if len(c.Points) > 0 && (k.first.IsZero() || c.Points[0].Time.Before(k.first)) {
			k.first = c.Points[0].Time
		}
	}
}

func (f *facts) addActivity(a telemetry.ScalingActivity) {
	id := scaledID{a.Resource, a.Direction}
	known := f.activities[id]
	for i, k := range known {
		if k.Start.Equal(a.Start) {
			known[i] = a
			return
		}
	}
	known = append(known, a)
	slices.SortStableFunc(known, func(x, y telemetry.ScalingActivity) int { return x.Start.Compare(y.Start) })
	f.activities[id] = known
}

// mergePoints overlays newer points on older ones; both are oldest first.
func mergePoints(have, more []telemetry.Point) []telemetry.Point {
	if len(more) == 0 {
		return have
	}
	at, _ := slices.BinarySearchFunc(have, more[0].Time, func(p telemetry.Point, t time.Time) int {
		return p.Time.Compare(t)
	})
	if at == len(have) {
		return append(have, more...)
	}
	tail := slices.Concat(have[at:], more)
	return append(have[:at:at], telemetry.SortPoints(tail)...)
}

// tableIDs lists every table that a description or a series names, in order.
func (f *facts) tableIDs() []telemetry.TableID {
	met := map[telemetry.TableID]bool{}
	for id := range f.tables {
		met[id] = true
	}
	for id := range f.series {
		if id.Resource.Table != "" {
			met[id.Resource.TableID] = true
		}
	}
	ids := make([]telemetry.TableID, 0, len(met))
	for id := range met {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, telemetry.TableID.Compare)
	return ids
}

// indexNames lists a table's global secondary indexes by name, from its
// description and from the series that name them.
func (f *facts) indexNames(id telemetry.TableID) []string {
	names := sortedKeys(f.indexes[id])
	if t := f.tables[id]; t != nil {
		for _, x := range t.Indexes {
			names = append(names, x.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// period is the length of one step of the window, a minute where nothing else
// was said.
func (f *facts) period() time.Duration {
	if f.window.Period > 0 {
		return f.window.Period
	}
	return time.Minute
}

// steps is how many periods the window holds.
func (f *facts) steps() int {
	if !f.window.Start.Before(f.window.End) {
		return 0
	}
	p := f.period()
	return int((f.window.End.Sub(f.window.Start) + p - 1) / p)
}

// at is the start of a step.
func (f *facts) at(step int) time.Time {
	return f.window.Start.Add(time.Duration(step) * f.period())
}

// step is the step a time falls in; it may lie outside the window.
func (f *facts) step(t time.Time) int {
	d, p := t.Sub(f.window.Start), f.period()
	if d < 0 {
		return int((d - p + 1) / p)
	}
	return int(d / p)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
