package analysis

import (
	"math"
	"slices"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// recommend fills what to do about an event, what would not help, and what the keys'
// text looks like. It reads the table, the resource and the event, and nothing else.
// What to do is ordered by stage: relieve now, fix this week, redesign.
func recommend(t *Table, r *Resource, e *Event) {
	a := &adviser{table: t, res: r, event: e, load: r.Load(e.Direction)}
	a.namePatterns()
	if e.Note() {
		a.leaveAlone()
		return
	}
	a.dataFirst()
	switch e.Cause {
	case HotKey:
		a.hotKey()
	case HotPartition:
		a.hotPartition()
	case LargeItem:
		a.largeItem()
	case TableCapacity:
		a.tableCapacity()
	case GSIPressure:
		a.indexPressure()
	case AccountQuota:
		a.accountQuota()
	case Undetermined:
		a.undetermined()
	}
	a.common()
	a.easeWhatIsOver()
	slices.SortStableFunc(e.Recommendations, func(x, y Recommendation) int {
		return slices.Index(stages, x.Stage) - slices.Index(stages, y.Stage)
	})
	a.wontHelp()
}

// easeWhatIsOver takes the hurry out of advice on an event that is over: what would have
// relieved it prepares for the next peak.
func (a *adviser) easeWhatIsOver() {
	if a.event.Ongoing {
		return
	}
	for i := range a.event.Recommendations {
		if r := &a.event.Recommendations[i]; r.Stage == RelieveNow {
			r.Stage, r.Summary = FixThisWeek, "before the next peak, "+r.Summary
		}
	}
}

// relieved is how to see that relief works: at once while the event stands, else at the
// next peak.
func (a *adviser) relieved(atOnce string) string {
	if a.event.Ongoing {
		return atOnce
	}
	return "nothing is refused at the next peak of the same size"
}

// stages are the stages of advice in order; what needs nothing done comes first.
var stages = []Stage{DoNothing, RelieveNow, FixThisWeek, Redesign}

// Sizing of advice. The first three are the headroom that is asked for above what was
// wanted: for spreading a key, where shards fall unevenly, for making partitions, which
// share load as unevenly, and for setting a limit.
// targetUtilization is what a provisioned resource should run at (DynamoDB's default
// for auto scaling), partitionShare what a partition should run at.
const (
	shardHeadroom     = 1.3
	warmHeadroom      = 1.3
	limitHeadroom     = 1.2
	targetUtilization = 0.7
	partitionShare    = 0.8
)

// adviser gathers the advice on one event.
type adviser struct {
	table *Table
	res   *Resource
	event *Event
	load  *Load
}

func (a *adviser) add(r Recommendation) { a.event.Recommendations = append(a.event.Recommendations, r) }

func (a *adviser) avoid(fix, why string) {
	a.event.WontHelp = append(a.event.WontHelp, WontHelp{Fix: fix, Why: why})
}

func (a *adviser) has(f Factor) bool { return slices.Contains(a.event.Contributing, f) }

func (a *adviser) onIndex() bool { return a.res.ID.Index != "" }

func (a *adviser) reads() bool { return a.event.Direction == telemetry.Read }

func (a *adviser) onDemand() bool { return a.table.Mode == telemetry.ModeOnDemand }

// place is the table's name, or "index X of T".
func (a *adviser) place() string {
	if a.onIndex() {
		return "index " + a.res.ID.Index + " of " + a.res.ID.Table
	}
	return a.res.ID.Table
}

// key names the foremost key, or stands in for it.
func (a *adviser) key() string {
	if len(a.event.Keys) == 0 {
		return "the hot key"
	}
	return a.event.Keys[0].Key.Partition
}

// pattern is what the foremost key's text looks like; of a rolling key, which need not
// name one, the first ranked key's.
func (a *adviser) pattern() string {
	switch {
	case len(a.event.Keys) > 0:
		return a.event.Keys[0].Pattern
	case a.has(RollingKey) && len(a.load.Keys) > 0:
		return keyPattern(a.load.Keys[0].Key.Partition, nil)
	}
	return ""
}

// namePatterns says of each of the event's keys what its text looks like.
func (a *adviser) namePatterns() {
	var beside []telemetry.Key
	for _, k := range a.load.Keys {
		beside = append(beside, k.Key)
	}
	for i := range a.event.Keys {
		k := &a.event.Keys[i]
		k.Pattern = keyPattern(k.Key.Partition, beside)
		if k.Pattern == "" && growingSort(k.Key.Sort) {
			k.Pattern = growingPattern
		}
	}
}

// demand is what was wanted in the worst minute, in units a second: at least a
// partition's or the table's limit where the event's own estimate is unknown. For bursts
// shorter than a minute it is what was wanted while they lasted: what was served came at
// the limit, so the limit is exceeded by as much as the wanted exceeds the served.
func (a *adviser) demand() float64 {
	e := a.event
	if e.Demand != nil {
		if limit := a.limit(); a.has(SubMinuteBurst) && e.Demand.Low > 0 && limit > e.Demand.Low {
			return limit * e.Demand.Likely / e.Demand.Low
		}
		return e.Demand.Likely
	}
	var most float64
	if e.Limit == telemetry.KeyRangeLimit {
		most = a.ceiling()
	}
	if a.load.Peak != nil && e.Limit != telemetry.KeyRangeLimit {
		most = float64(*a.load.Peak)
	}
	for _, k := range e.Keys {
		if k.Rate != nil {
			most = math.Max(most, k.Rate.Likely)
		}
	}
	return most
}

// limit is the rate at which the event's limit refuses: a partition's where the table's
// isn't known.
func (a *adviser) limit() float64 {
	if allowed := a.allowed(); a.event.Limit != telemetry.KeyRangeLimit && allowed > 0 {
		return allowed
	}
	return a.ceiling()
}

func (a *adviser) ceiling() float64 { return float64(partition.Ceiling(a.event.Direction)) }

// friendly rounds a rate up to a number one would type: whole below 20, else to half
// of its leading digit's place.
func friendly(x float64) float64 {
	if x <= 20 {
		return math.Max(1, math.Ceil(x))
	}
	step := math.Pow(10, math.Floor(math.Log10(x))) / 2
	if step < 5 {
		step = 5
	}
	return math.Ceil(x/step) * step
}

// cacheable is what is wanted of the keys, or of the partition that several of them share.
func (a *adviser) cacheable() float64 {
	if a.event.Cause == HotPartition {
		return a.partitionDemand()
	}
	return a.demand()
}

// hitRatio is the share of reads that a cache must carry for the load to stay at
// partitionShare of the limit, rounded up to a hundredth.
func (a *adviser) hitRatio() float64 {
	d := a.cacheable()
	if d <= 0 {
		return 0.5
	}
	ratio := 1 - partitionShare*a.limit()/(d*a.caution())
	return math.Min(0.99, math.Max(0.1, math.Ceil(100*ratio)/100))
}

// minutes a split may still take, rounded up; partition.SplitMinutesLatest where
// unknown.
func (a *adviser) waitMinutes() int {
	s := a.event.Splitting
	if s == nil || s.Minutes == nil {
		return partition.SplitMinutesLatest
	}
	return int(math.Ceil(s.Minutes.High))
}
