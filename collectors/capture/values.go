package capture

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// The types below take a value in any of the forms it was seen in and never
// fail: what can't be read is not told.

// number is a JSON number, or a string that holds one (decimals of SDK dumps).
type number struct {
	value float64
	told  bool
}

func (n *number) UnmarshalJSON(raw []byte) error {
	value, err := strconv.ParseFloat(string(unquoted(raw)), 64)
	*n = number{}
	if err == nil && !math.IsNaN(value) && !math.IsInf(value, 0) {
		*n = number{value: value, told: true}
	}
	return nil
}

func (n number) float() *float64 {
	if !n.told {
		return nil
	}
	return &n.value
}

// rate is nil for what isn't told and for negative values, by which AWS says
// that there is none.
func (n number) rate() *telemetry.Rate {
	if !n.told || n.value < 0 {
		return nil
	}
	r := telemetry.Rate(n.value)
	return &r
}

// positive is like rate, for values where zero says that there is none, too.
func (n number) positive() *telemetry.Rate {
	if n.value <= 0 {
		return nil
	}
	return n.rate()
}

// count is nil for what isn't told or is no count.
func (n number) count() *int64 {
	if !n.told || n.value < 0 || n.value >= math.MaxInt64 {
		return nil
	}
	c := int64(n.value)
	return &c
}

// text is a JSON string, or a number or boolean as it is written; anything else
// is "".
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	*t = ""
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || raw[0] == 'n':
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			*t = text(s)
		}
	default:
		*t = text(raw)
	}
	return nil
}

// keyValue is a key of a report: a plain string as a rule, or DynamoDB's typed
// form ({"S":"x"}), as an object or within a string.
type keyValue string

func (k *keyValue) UnmarshalJSON(raw []byte) error {
	var plain text
	if err := plain.UnmarshalJSON(raw); err != nil {
		return err
	}
	*k = keyValue(plain)
	if plain == "" {
		plain = text(raw)
	}
	if value, ok := typedKey(string(plain)); ok {
		*k = keyValue(value)
	}
	return nil
}

// keyList is a contributor's keys: a list as a rule, or a bare value.
type keyList []keyValue

func (l *keyList) UnmarshalJSON(raw []byte) error {
	var list []keyValue
	if json.Unmarshal(raw, &list) != nil {
		list = make([]keyValue, 1)
		if err := list[0].UnmarshalJSON(raw); err != nil {
			return err
		}
	}
	*l = list
	return nil
}

func typedKey(s string) (value string, ok bool) {
	if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
		return "", false
	}
	var typed map[string]text
	if json.Unmarshal([]byte(s), &typed) != nil || len(typed) != 1 {
		return "", false
	}
	for _, name := range []string{"S", "N", "B"} {
		if v, has := typed[name]; has {
			return string(v), true
		}
	}
	return "", false
}

// stamp is a point in time. The zero time stands for "never": AWS writes the
// epoch for it, in whatever zone.
type stamp struct {
	time time.Time // UTC
	told bool
	// zoneless is set where the text names no zone; UTC is assumed then.
	zoneless bool
}

// Times outside these bounds are no times of this service: the first is taken
// for "never", the second can't be written as RFC 3339.
const (
	earliestSecond = 946684800    // 2000-01-01
	latestSecond   = 253402300799 // 9999-12-31T23:59:59
)

// millisecondsFrom tells seconds from milliseconds: as seconds it is the year
// 5138, as milliseconds 1973.
const millisecondsFrom = 1e11

func (s *stamp) UnmarshalJSON(raw []byte) error {
	*s = parseStamp(string(unquoted(raw)))
	return nil
}

func parseStamp(s string) stamp {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return stampOf(t)
	}
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		return stampOfNumber(seconds)
	}
	s = strings.TrimSpace(s)
	if len(s) > 10 && (s[10] == ' ' || s[10] == 't') {
		s = s[:10] + "T" + s[11:]
	}
	if rest, isUTC := strings.CutSuffix(s, "UTC"); isUTC {
		s = strings.TrimSpace(rest) + "Z"
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05 Z0700", "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return stampOf(t)
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			out := stampOf(t)
			out.zoneless = true
			return out
		}
	}
	return stamp{}
}

func stampOf(t time.Time) stamp {
	switch seconds := t.Unix(); {
	case seconds < earliestSecond:
		return stamp{told: true}
	case seconds > latestSecond:
		return stamp{}
	}
	return stamp{time: t.UTC(), told: true}
}

func stampOfNumber(n float64) stamp {
	if n >= millisecondsFrom {
		n /= 1000
	}
	if math.IsNaN(n) || n < 0 || n > latestSecond {
		return stamp{}
	}
	whole, fraction := math.Modf(n)
	return stampOf(time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000))
}

// unquoted is the content of a JSON string, or raw itself if it is none. Some
// writers escape even the plus sign of a zone.
func unquoted(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return raw
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return bytes.TrimSpace(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}
