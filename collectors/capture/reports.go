package capture

import (
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

type reportDocument struct {
	KeyLabels              []text
	AggregateValue         number
	ApproximateUniqueCount number
	// Contributors is nil where a document isn't a report at all.
	Contributors []struct {
		Keys       keyList
		Datapoints []struct {
			Timestamp        stamp
			ApproximateValue number
		}
	}
}

// reports turns each report into a ranking.
func (d *decoder) reports(docs []found[reportDocument]) {
	times := map[string]int{}
	for _, doc := range docs {
		rule := d.rule(doc.file.suffix)
		if times[rule]++; times[rule] == 1 {
			d.countRival(rule)
		}
	}
	warned := map[string]bool{}
	for _, doc := range docs {
		rule := d.rule(doc.file.suffix)
		kind, known := telemetry.RuleKindOf(rule)
		if !known || (doc.value.Contributors == nil && doc.value.KeyLabels == nil) {
			d.useless(doc.file, doc.line, "no report of one of DynamoDB's rules")
			continue
		}
		d.reported[rule] = true
		owner, ok := d.owner(doc, rule, kind, !warned[rule])
		warned[rule] = true
		if !ok {
			continue
		}
		ranking := telemetry.Ranking{
			Resource: owner, Kind: kind, Rule: rule,
			Aggregate: doc.value.AggregateValue.float(), Unique: doc.value.ApproximateUniqueCount.float(),
			Contributors: []telemetry.Contributor{},
		}
		for _, label := range doc.value.KeyLabels {
			ranking.KeyLabels = append(ranking.KeyLabels, string(label))
		}
		ranking.Contributors = d.contributors(doc, owner, kind)
		if times[rule] > 1 {
			ranking.Start, ranking.End = bounds(ranking.Contributors)
		}
		d.batch.Rankings = append(d.batch.Rankings, ranking)
	}
}

func (d *decoder) contributors(doc found[reportDocument], owner telemetry.ResourceID, kind telemetry.RuleKind) []telemetry.Contributor {
	out := []telemetry.Contributor{}
	at := map[telemetry.Key]int{}
	unreadable, excess, zoneless := 0, 0, false
	for _, c := range doc.value.Contributors {
		if len(c.Keys) == 0 {
			unreadable++
			continue
		}
		key := d.key(c.Keys, len(doc.value.KeyLabels), owner, kind)
		i, again := at[key]
		if max(len(key.Partition), len(key.Sort)) > maxKeySize || !again && len(out) == maxKeys {
			excess++
			continue
		}
		if !again {
			i = len(out)
			at[key] = i
			out = append(out, telemetry.Contributor{Key: key, Points: make([]telemetry.Point, 0, len(c.Datapoints))})
		}
		for _, p := range c.Datapoints {
			if p.Timestamp.time.IsZero() || !p.ApproximateValue.told {
				unreadable++
				continue
			}
			zoneless = zoneless || p.Timestamp.zoneless
			out[i].Points = append(out[i].Points, telemetry.Point{Time: p.Timestamp.time, Value: p.ApproximateValue.value})
		}
	}
	for i := range out {
		out[i].Points = telemetry.SortPoints(out[i].Points)
	}
	if zoneless {
		d.r.warnOfZones(doc.file)
	}
	if excess > 0 {
		d.r.warn(telemetry.PartialDataCode, owner, "%s:%d: left out %d contributors, those after the first %d and keys of more than %d bytes", doc.file.name, doc.line, excess, maxKeys, maxKeySize)
	}
	if unreadable > 0 {
		d.r.warn(telemetry.PartialDataCode, owner, "%s:%d: left out %d contributors or points without key, time or value", doc.file.name, doc.line, unreadable)
	}
	return out
}

// key parts the strings of a contributor into partition and sort key. A
// partition key of several attributes is shown joined by commas.
func (d *decoder) key(values []keyValue, labels int, owner telemetry.ResourceID, kind telemetry.RuleKind) telemetry.Key {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	if !kind.WithSortKey() {
		return telemetry.Key{Partition: strings.Join(parts, ",")}
	}
	if len(parts) == 1 && labels == 2 {
		partition, sort, _ := strings.Cut(parts[0], ",")
		return telemetry.Key{Partition: partition, Sort: sort}
	}
	hash := min(max(1, len(partitionNames(d.keys[owner]))), len(parts))
	return telemetry.Key{Partition: strings.Join(parts[:hash], ","), Sort: strings.Join(parts[hash:], ",")}
}

// bounds is the span of the points, a minute each; zero without any.
func bounds(all []telemetry.Contributor) (start, end time.Time) {
	for _, c := range all {
		if len(c.Points) == 0 {
			continue
		}
		if first := c.Points[0].Time; start.IsZero() || first.Before(start) {
			start = first
		}
		if last := c.Points[len(c.Points)-1].Time.Add(time.Minute); last.After(end) {
			end = last
		}
	}
	return start, end
}
