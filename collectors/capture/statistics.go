package capture

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// statisticsDocument is an answer of get-metric-statistics. It names neither table
// nor period.
type statisticsDocument struct {
	Label      text
	Datapoints []datapoint
}

type datapoint struct {
	Timestamp                                   stamp
	SampleCount, Average, Sum, Minimum, Maximum number
	ExtendedStatistics                          struct{ P99 number }
}

func (p datapoint) value(s telemetry.Statistic) number {
	switch s {
	case telemetry.SampleCount:
		return p.SampleCount
	case telemetry.Average:
		return p.Average
	case telemetry.Minimum:
		return p.Minimum
	case telemetry.Maximum:
		return p.Maximum
	case telemetry.P99:
		return p.ExtendedStatistics.P99
	}
	return p.Sum
}

// Unnamed stands in for a table that nothing names.
const Unnamed = "TABLE"

// statistics turns answers of get-metric-statistics into series, one a statistic.
// As the command needs all points to fit in one answer, a point that is missing
// isn't there.
func (d *decoder) statistics(docs []found[statisticsDocument]) {
	var all []telemetry.Series
	for _, doc := range docs {
		metric := telemetry.Metric(doc.value.Label)
		if doc.value.Datapoints == nil || !slices.Contains(telemetry.Metrics, metric) {
			d.useless(doc.file, doc.line, "no statistics of one of DynamoDB's metrics that are of use here")
			continue
		}
		id := telemetry.SeriesID{Resource: d.byFileName(doc.file, metric), Metric: metric, Operation: operationOf(doc.file, metric)}
		all = append(all, d.ofDatapoints(doc, id)...)
	}
	// All are asked with the same period as a rule, and one that counts rare events
	// doesn't show it.
	period := time.Duration(0)
	for _, s := range all {
		if gap := smallestGap(s.Points); len(s.Points) > 1 && (period == 0 || gap < period) {
			period = gap
		}
	}
	for _, s := range all {
		s.Period = cmp.Or(period, time.Minute)
		d.addSeries(s)
	}
}

// operationOf is the operation that a file's name tells, for the metrics that are
// published by operation alone; "" for the others and where it tells none.
func operationOf(f file, metric telemetry.Metric) string {
	switch metric {
	case telemetry.SuccessfulRequestLatency, telemetry.ThrottledRequests, telemetry.SystemErrors:
		for part := range strings.SplitSeq(f.suffix, ".") {
			if slices.Contains(telemetry.APIOperations, part) {
				return part
			}
		}
	}
	return ""
}

func (d *decoder) ofDatapoints(doc found[statisticsDocument], id telemetry.SeriesID) []telemetry.Series {
	var out []telemetry.Series
	zoneless, unreadable := false, 0
	for _, stat := range telemetry.Statistics {
		id.Stat = stat
		s := telemetry.Series{ID: id, Status: telemetry.Complete, Points: []telemetry.Point{}}
		for _, p := range doc.value.Datapoints {
			value := p.value(stat)
			switch {
			case p.Timestamp.time.IsZero():
				unreadable++
			case value.told:
				zoneless = zoneless || p.Timestamp.zoneless
				s.Points = append(s.Points, telemetry.Point{Time: p.Timestamp.time, Value: value.value})
			}
		}
		// Which statistics were asked for is told by the points alone; without any it is
		// the sum that counters are asked for.
		if len(s.Points) > 0 || len(doc.value.Datapoints) == 0 && stat == telemetry.Sum {
			s.Points = telemetry.SortPoints(s.Points)
			out = append(out, s)
		}
	}
	if zoneless {
		d.r.warnOfZones(doc.file)
	}
	if unreadable > 0 {
		d.r.warn(telemetry.PartialDataCode, id.Resource, "%s:%d: left out points whose time can't be read", doc.file.name, doc.line)
	}
	hasSum := slices.ContainsFunc(out, func(s telemetry.Series) bool { return s.ID.Stat == telemetry.Sum })
	if len(out) > 0 && !hasSum && (isConsumed(id.Metric) || id.Metric.AbsentMeansZero()) {
		d.r.warn(telemetry.PartialDataCode, id.Resource, "%s: has no Sum of %s: what one request took, or one sample, isn't the total; ask with --statistics Sum", doc.file.name, id.Metric)
	}
	return out
}

// addSeries adds a series of a file that doesn't tell all of it, unless
// get-metric-data gave it. Points are put in order by settleSeries.
func (d *decoder) addSeries(s telemetry.Series) {
	if d.lesser == nil {
		d.lesser = map[telemetry.SeriesID]int{}
		for _, known := range d.batch.Series {
			d.lesser[known.ID] = -1
		}
	}
	i, known := d.lesser[s.ID]
	switch {
	case !known:
		d.lesser[s.ID] = len(d.batch.Series)
		d.batch.Series = append(d.batch.Series, s)
	case i >= 0:
		d.batch.Series[i].Points = append(d.batch.Series[i].Points, s.Points...)
	}
}

func (d *decoder) settleSeries() {
	for _, i := range d.lesser {
		if i >= 0 {
			d.batch.Series[i].Points = telemetry.SortPoints(d.batch.Series[i].Points)
		}
	}
}

// byFileName is the table or index that a file is about whose content names none:
// the known one whose name its suffix begins with, the longest first, as in
// get-metric-statistics.TABLE.INDEX.json; else the only table that is known; else
// the one that the suffix names, without the metric's name.
func (d *decoder) byFileName(f file, metric telemetry.Metric) telemetry.ResourceID {
	best, longest := telemetry.ResourceID{}, 0
	begins := func(name string, id telemetry.ResourceID) {
		if len(name) > longest && (f.suffix == name || strings.HasPrefix(f.suffix, name+".")) {
			best, longest = id, len(name)
		}
	}
	for table := range d.names.tables {
		id := d.names.table(table, "")
		begins(table, id.Resource())
		for index := range d.names.indexes[table] {
			begins(table+"."+index, id.WithIndex(index))
		}
	}
	if longest > 0 {
		return best
	}
	if len(d.batch.Tables) == 1 {
		return d.batch.Tables[0].ID.Resource()
	}
	var rest []string
	for part := range strings.SplitSeq(f.suffix, ".") {
		_, isStatistic := statistic(part)
		if part != "" && part != string(metric) && part != operationOf(f, metric) && !isStatistic && !isDigits(part) {
			rest = append(rest, part)
		}
	}
	name := strings.Join(rest, ".")
	if name == "" {
		if !d.unnamed {
			d.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{}, "%s: doesn't say of which table it is, which is called %s here; name the file %s.TABLE.json", f.name, Unnamed, f.kind)
			d.unnamed = true
		}
		name = Unnamed
	}
	return d.names.table(name, "").Resource()
}
