package capture

import (
	"slices"
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
		times[d.rule(doc.file.suffix)]++
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

// rule is the rule's name in a file's suffix. Rules' names hold dots, and a page
// or a part may have a suffix of its own behind.
func (d *decoder) rule(suffix string) string {
	for name := suffix; name != ""; {
		if _, listed := d.owners[name]; listed {
			return name
		}
		last := strings.LastIndexByte(name, '.')
		if last < 0 {
			break
		}
		name = name[:last]
	}
	for name := suffix; name != ""; {
		if isDigits(name[strings.LastIndexByte(name, '-')+1:]) {
			return name
		}
		last := strings.LastIndexByte(name, '.')
		if last < 0 {
			break
		}
		name = name[:last]
	}
	return suffix
}

// owner is the table or index of a rule: the one whose list names it, else the
// one whose name stands in the rule's. As an index's rule may carry the table's
// name alone, the labels of a report's keys then decide, where they fit one index
// and not the table.
func (d *decoder) owner(doc found[reportDocument], rule string, kind telemetry.RuleKind, warn bool) (telemetry.ResourceID, bool) {
	owner, listed := d.owners[rule]
	byName, named := d.names.byRule(rule)
	if listed && !(owner.Index == "" && byName.Index != "" && byName.TableID == owner.TableID) {
		return owner, true
	}
	by := "by its name"
	if index, ok := d.indexWithKeys(byName, doc.value.KeyLabels, kind); ok && !listed {
		byName, by = index, "by the names of its keys"
	}
	switch {
	case !warn:
	case listed:
		d.r.warn(telemetry.RuleByName, byName, "%s: listed for the table, but named after its index: taken for %s", doc.file.name, subject(byName))
	case named:
		d.r.warn(telemetry.RuleByName, byName, "%s: no list names this rule: taken for %s %s", doc.file.name, subject(byName), by)
	default:
		d.r.warn(telemetry.RuleByName, telemetry.ResourceID{}, "%s: no list names this rule, and its name fits no known table: left out", doc.file.name)
	}
	return byName, named
}

// indexWithKeys is the one index of a table whose key attributes have these
// names; ok is false where the table's own have, or those of several indexes.
func (d *decoder) indexWithKeys(table telemetry.ResourceID, labels []text, kind telemetry.RuleKind) (index telemetry.ResourceID, ok bool) {
	fits := func(id telemetry.ResourceID) bool {
		names := partitionNames(d.keys[id])
		if kind.WithSortKey() {
			names = keyNames(d.keys[id], "RANGE", names)
		}
		return len(names) > 0 && slices.Equal(names, labels)
	}
	if table.Table == "" || table.Index != "" || fits(table) {
		return index, false
	}
	count := 0
	for name := range d.names.indexes[table.Table] {
		if id := table.WithIndex(name); fits(id) {
			index = id
			count++
		}
	}
	return index, count == 1
}

func partitionNames(schema []telemetry.KeyAttribute) []text { return keyNames(schema, "HASH", nil) }

// keyNames adds the names of the attributes of one role.
func keyNames(schema []telemetry.KeyAttribute, role string, names []text) []text {
	for _, k := range schema {
		if k.Role == role {
			names = append(names, text(k.Name))
		}
	}
	return names
}

func (d *decoder) contributors(doc found[reportDocument], owner telemetry.ResourceID, kind telemetry.RuleKind) []telemetry.Contributor {
	out := []telemetry.Contributor{}
	at := map[telemetry.Key]int{}
	unreadable, zoneless := 0, false
	for _, c := range doc.value.Contributors {
		if len(c.Keys) == 0 {
			unreadable++
			continue
		}
		key := d.key(c.Keys, len(doc.value.KeyLabels), owner, kind)
		i, again := at[key]
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
