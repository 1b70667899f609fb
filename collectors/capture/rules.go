package capture

import (
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// rule is the rule's name in a file's suffix. Rules' names hold dots, and a page
// or a part may have a suffix of its own behind: the name is the longest part
// that some list names, else the longest that ends in a time, as rules' names do.
func (d *decoder) rule(suffix string) string {
	listed := func(name string) bool { _, ok := d.owners[name]; return ok }
	endsInTime := func(name string) bool { return isDigits(name[strings.LastIndexByte(name, '-')+1:]) }
	for _, accepts := range []func(string) bool{listed, endsInTime} {
		for end := len(suffix); end > 0; end = strings.LastIndexByte(suffix[:end], '.') {
			if accepts(suffix[:end]) {
				return suffix[:end]
			}
		}
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
	by, unclear := "by its name", false
	if named && !listed && byName.Index == "" {
		if index, ok := d.indexWithKeys(byName, doc.value.KeyLabels, kind); ok {
			byName, by = index, "by the names of its keys"
		} else {
			unclear = d.rivals[rival{byName, kind}] > 1 && len(d.names.indexes[byName.Table]) > 0 && !d.keysFit(byName, doc.value.KeyLabels, kind)
		}
	}
	switch {
	case !warn:
	case listed:
		d.r.warn(telemetry.RuleByName, byName, "%s: listed for the table, but named after its index: taken for %s", doc.file.name, subject(byName))
	case unclear:
		d.r.warn(telemetry.RuleByName, byName, "%s: no list names this rule, which may be that of %s or of its index: left out", doc.file.name, subject(byName))
	case named:
		d.r.warn(telemetry.RuleByName, byName, "%s: no list names this rule: taken for %s %s", doc.file.name, subject(byName), by)
	default:
		d.r.warn(telemetry.RuleByName, telemetry.ResourceID{}, "%s: no list names this rule, and its name fits no known table: left out", doc.file.name)
	}
	return byName, named && !unclear
}

// rival counts the rules of one kind that carry a table's name alone. A table has
// one of each, so that a second one shows that some are those of an index.
type rival struct {
	table telemetry.ResourceID
	kind  telemetry.RuleKind
}

func (d *decoder) countRival(rule string) {
	kind, known := telemetry.RuleKindOf(rule)
	table, listed := d.owners[rule]
	if !listed {
		table, _ = d.names.byRule(rule)
	}
	if known && table.Index == "" {
		d.rivals[rival{table, kind}]++
	}
}

// indexWithKeys is the one index of a table whose key attributes have these
// names; ok is false where the table's own have, or those of several indexes.
func (d *decoder) indexWithKeys(table telemetry.ResourceID, labels []text, kind telemetry.RuleKind) (index telemetry.ResourceID, ok bool) {
	if d.keysFit(table, labels, kind) {
		return index, false
	}
	count := 0
	for name := range d.names.indexes[table.Table] {
		if id := table.WithIndex(name); d.keysFit(id, labels, kind) {
			index = id
			count++
		}
	}
	return index, count == 1
}

// keysFit reports whether a resource's key attributes, those that a kind of rule
// shows, have these names.
func (d *decoder) keysFit(id telemetry.ResourceID, labels []text, kind telemetry.RuleKind) bool {
	names := partitionNames(d.keys[id])
	if kind.WithSortKey() {
		names = keyNames(d.keys[id], "RANGE", names)
	}
	return len(names) > 0 && slices.Equal(names, labels)
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
