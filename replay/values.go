package replay

import (
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// duration is written as Go writes it, "1m0s", which is exact.
type duration time.Duration

func (d duration) MarshalText() ([]byte, error) {
	return []byte(time.Duration(d).String()), nil
}

func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = duration(parsed)
	return err
}

// points are written as [[SECONDS, VALUE], …], seconds since 1970 in UTC; a third
// number, where present, is nanoseconds to add.
type points []telemetry.Point

func (ps points) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 2+24*len(ps))
	out = append(out, '[')
	for _, p := range ps {
		if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, '[')
		out = strconv.AppendInt(out, p.Time.Unix(), 10)
		out = append(out, ',')
		out = appendNumber(out, p.Value)
		if n := p.Time.Nanosecond(); n != 0 {
			out = append(out, ',')
			out = strconv.AppendInt(out, int64(n), 10)
		}
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// appendNumber writes whole numbers of ordinary size without an exponent, and
// all numbers so that the same value is read back.
func appendNumber(out []byte, v float64) []byte {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		format = 'e'
	}
	return strconv.AppendFloat(out, v, format, -1, 64)
}

// earliest and latest bound the seconds whose year has one to four digits, the
// most that the other times of a recording can hold.
var earliest, latest = time.Time{}.Unix(), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()

func (ps *points) UnmarshalJSON(text []byte) error {
	parsed, ok := parsePoints(text)
	if !ok {
		return errors.New("points are not [[seconds, value], …]")
	}
	*ps = parsed
	return nil
}

// parsePoints reads what MarshalJSON writes, blanks aside. It is by hand because
// points are nine tenths of a recording.
func parsePoints(text []byte) (points, bool) {
	c := cursor{text: text}
	var out points
	if !c.take('[') {
		return nil, false
	}
	if c.take(']') {
		return out, c.done()
	}
	for {
		p, ok := c.point()
		if !ok {
			return nil, false
		}
		out = append(out, p)
		if c.take(']') {
			return out, c.done()
		}
		if !c.take(',') {
			return nil, false
		}
	}
}

// cursor walks over JSON text.
type cursor struct {
	text []byte
	at   int
}

func (c *cursor) skipBlanks() {
	for c.at < len(c.text) && (c.text[c.at] == ' ' || c.text[c.at] == '\t' || c.text[c.at] == '\n' || c.text[c.at] == '\r') {
		c.at++
	}
}

func (c *cursor) take(b byte) bool {
	c.skipBlanks()
	if c.at < len(c.text) && c.text[c.at] == b {
		c.at++
		return true
	}
	return false
}

func (c *cursor) done() bool {
	c.skipBlanks()
	return c.at == len(c.text)
}

// point reads [SECONDS, VALUE] or [SECONDS, VALUE, NANOSECONDS].
func (c *cursor) point() (p telemetry.Point, ok bool) {
	if !c.take('[') {
		return p, false
	}
	seconds, err := strconv.ParseInt(string(c.number()), 10, 64)
	if err != nil || seconds < earliest || seconds > latest || !c.take(',') {
		return p, false
	}
	p.Value, err = strconv.ParseFloat(string(c.number()), 64)
	if err != nil {
		return p, false
	}
	var nanoseconds int64
	if c.take(',') {
		nanoseconds, err = strconv.ParseInt(string(c.number()), 10, 64)
		if err != nil || nanoseconds < 0 || nanoseconds > 999_999_999 {
			return p, false
		}
	}
	p.Time = time.Unix(seconds, nanoseconds).UTC()
	return p, c.take(']')
}

// number is the run of characters that a JSON number is made of.
func (c *cursor) number() []byte {
	c.skipBlanks()
	from := c.at
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b >= '0' && b <= '9', b == '-', b == '+', b == '.', b == 'e', b == 'E':
			c.at++
		default:
			return c.text[from:c.at]
		}
	}
	return c.text[from:c.at]
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
