package replay

import (
	"strconv"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// cursor walks over JSON text.
type cursor struct {
	json []byte
	at   int
}

func (c *cursor) skipBlanks() {
	for c.at < len(c.json) && (c.json[c.at] == ' ' || c.json[c.at] == '\t' || c.json[c.at] == '\n' || c.json[c.at] == '\r') {
		c.at++
	}
}

func (c *cursor) take(b byte) bool {
	c.skipBlanks()
	if c.at < len(c.json) && c.json[c.at] == b {
		c.at++
		return true
	}
	return false
}

func (c *cursor) done() bool {
	c.skipBlanks()
	return c.at == len(c.json)
}

// points reads a list of points.
func (c *cursor) points() (out points, ok bool) {
	if !c.take('[') {
		return nil, false
	}
	for !c.take(']') {
		if len(out) > 0 && !c.take(',') {
			return nil, false
		}
		p, ok := c.point()
		if !ok {
			return nil, false
		}
		out = append(out, p)
	}
	return out, true
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
	for c.at < len(c.json) {
		switch b := c.json[c.at]; {
		case b >= '0' && b <= '9', b == '-', b == '+', b == '.', b == 'e', b == 'E':
			c.at++
		default:
			return c.json[from:c.at]
		}
	}
	return c.json[from:c.at]
}

// text reads a string without escapes.
func (c *cursor) text() ([]byte, bool) {
	if !c.take('"') {
		return nil, false
	}
	from := c.at
	for ; c.at < len(c.json); c.at++ {
		switch c.json[c.at] {
		case '\\':
			return nil, false
		case '"':
			c.at++
			return c.json[from : c.at-1], true
		}
	}
	return nil, false
}
