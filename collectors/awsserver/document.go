package awsserver

import (
	"fmt"
	"strconv"
	"time"
)

// document is a request or an answer, whatever the protocol: strings, booleans,
// numbers, times, lists ([]any) and documents, by AWS's member names. Requests
// may hold numbers and times as text, or times as numbers, as protocols do.
type document map[string]any

func (d document) text(name string) string {
	s, _ := d[name].(string)
	return s
}

func (d document) list(name string) []any {
	l, _ := d[name].([]any)
	return l
}

func (d document) texts(name string) []string {
	var out []string
	for _, v := range d.list(name) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (d document) inner(name string) document { return asDocument(d[name]) }

func asDocument(v any) document {
	switch v := v.(type) {
	case document:
		return v
	case map[string]any:
		return v
	}
	return nil
}

// number is 0 where there is none.
func (d document) number(name string) float64 {
	n, _ := asNumber(d[name])
	return n
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil
	}
	return 0, false
}

// truth is a boolean in any of the protocols' forms; false where there is none.
func (d document) truth(name string) bool {
	b, _ := d[name].(bool)
	return b || d.text(name) == "true"
}

// moment is a time in any of the protocols' forms.
func (d document) moment(name string) (time.Time, error) {
	switch v := d[name].(type) {
	case time.Time:
		return v.UTC(), nil
	case string:
		if t, err := time.Parse(time.RFC3339, v); err == nil {
			return t.UTC(), nil
		}
	}
	if n, ok := asNumber(d[name]); ok {
		return time.UnixMilli(int64(n * 1000)).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%s is required and must be a time", name)
}

// with adds a member that AWS leaves out where it has no value.
func (d document) with(name string, v any) document {
	switch v := v.(type) {
	case string:
		if v == "" {
			return d
		}
	case time.Time:
		if v.IsZero() {
			return d
		}
	case []any:
		if len(v) == 0 {
			return d
		}
	case document:
		if len(v) == 0 {
			return d
		}
	case *int64:
		if v == nil {
			return d
		}
		d[name] = *v
		return d
	case *float64:
		if v == nil {
			return d
		}
		d[name] = *v
		return d
	}
	d[name] = v
	return d
}
