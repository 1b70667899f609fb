package replay

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// contributors are read by hand where they are as a Writer writes them: a day of
// one busy table holds half a million.
type contributors []contributorPart

func (cs *contributors) UnmarshalJSON(text []byte) error {
	if utf8.Valid(text) {
		if parsed, ok := parseContributors(text); ok {
			*cs = parsed
			return nil
		}
	}
	return json.Unmarshal(text, (*[]contributorPart)(cs))
}

// parseContributors reads a list of {"p":…,"s":…,"points":…} with keys that need
// no escapes. ok is false for anything else, right or wrong.
func parseContributors(text []byte) (list contributors, ok bool) {
	c := cursor{json: text}
	if !c.take('[') {
		return nil, false
	}
	for !c.take(']') {
		if len(list) > 0 && !c.take(',') {
			return nil, false
		}
		part, ok := c.contributor()
		if !ok {
			return nil, false
		}
		list = append(list, part)
	}
	return list, c.done()
}

func (c *cursor) contributor() (part contributorPart, ok bool) {
	if !c.take('{') {
		return part, false
	}
	for first := true; !c.take('}'); first = false {
		if !first && !c.take(',') {
			return part, false
		}
		name, ok := c.text()
		if !ok || !c.take(':') {
			return part, false
		}
		var value []byte
		switch string(name) {
		case "p":
			value, ok = c.text()
			part.P = string(value)
		case "s":
			value, ok = c.text()
			part.S = string(value)
		case "points":
			part.Points, ok = c.points()
		default:
			return part, false
		}
		if !ok {
			return part, false
		}
	}
	return part, true
}

func contributorToPart(k telemetry.Contributor) contributorPart {
	part := contributorPart{P: k.Key.Partition, S: k.Key.Sort, Points: k.Points}
	if !utf8.ValidString(part.P) {
		part.P, part.P64 = "", []byte(part.P)
	}
	if !utf8.ValidString(part.S) {
		part.S, part.S64 = "", []byte(part.S)
	}
	return part
}

func (part contributorPart) contributor() telemetry.Contributor {
	k := telemetry.Contributor{Key: telemetry.Key{Partition: part.P, Sort: part.S}, Points: part.Points}
	if part.P64 != nil {
		k.Key.Partition = string(part.P64)
	}
	if part.S64 != nil {
		k.Key.Sort = string(part.S64)
	}
	return k
}

// checkKeys reports what no ranking of CloudWatch's can hold.
func checkKeys(all []telemetry.Contributor) []error {
	if len(all) > maxContributors {
		return []error{fmt.Errorf("a ranking of %d keys, over the limit of %d", len(all), maxContributors)}
	}
	for _, k := range all {
		if n := max(len(k.Key.Partition), len(k.Key.Sort)); n > maxKey {
			return []error{fmt.Errorf("a key of %d bytes, over the limit of %d", n, maxKey)}
		}
	}
	return nil
}
