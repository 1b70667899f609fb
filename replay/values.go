package replay

import (
	"errors"
	"math"
	"strconv"
	"time"

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
	c := cursor{json: text}
	out, ok := c.points()
	return out, ok && c.done()
}
