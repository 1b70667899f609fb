package logs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// ErrNoRefusals means that no line tells of a refusal by DynamoDB.
var ErrNoRefusals = errors.New("no line tells of a refusal by DynamoDB")

// Unnamed stands in for a table that no line names.
const Unnamed = "TABLE"

// maxWindow is how much of a log is used, up to its last refusal, as of captures.
const maxWindow = 31 * 24 * time.Hour

// around is how much of the time before the first refusal and after the last is
// shown, where the log covers it.
const around = time.Hour

// maxCounts bounds the series times minutes that one log may fill.
const maxCounts = 1_000_000

// counter adds up the refusals of a log.
type counter struct {
	counts map[telemetry.SeriesID]map[time.Time]float64
	filled int
	// from and to span all lines with a time, first and last the refusals.
	from, to, first, last time.Time
	requests              map[string]bool
	tables                map[telemetry.TableID]bool

	records, repeated, timeless, aimless, excess int
	attempts                                     int // the most of one record
	zoneless, american, unnamed                  bool
}

// Decode reads a log as one batch named name. Its series count the refusals that the
// log tells of by the minute, by table or index, direction and limit, and by
// operation; all are partial. Trouble becomes warnings.
//
// The error is ErrNoRefusals, wrapped, where there are none with a time, or that of
// the reader.
func Decode(r io.Reader, name string) (telemetry.Batch, error) {
	c := &counter{
		counts: map[telemetry.SeriesID]map[time.Time]float64{}, requests: map[string]bool{}, tables: map[telemetry.TableID]bool{},
	}
	if err := records(r, c.add); err != nil {
		return telemetry.Batch{}, fmt.Errorf("read log %q: %w", name, err)
	}
	if c.records == 0 {
		err := fmt.Errorf("read log %q: %w", name, ErrNoRefusals)
		switch {
		case c.timeless > 0:
			err = fmt.Errorf("%w with its time: of %d records none has one that can be read\nhint: times like 2026-03-02T10:04:05Z are, at the head of a line or in a JSON field", err, c.timeless)
		case c.aimless > 0:
			err = fmt.Errorf("%w that says whether a read or a write was refused: left out %d", err, c.aimless)
		}
		return telemetry.Batch{}, err
	}
	return c.batch(name), nil
}

// add takes in one record. at is the zero stamp where no line before it has a time.
func (c *counter) add(at stamp, record string) {
	if !at.at.IsZero() {
		if c.from.IsZero() || at.at.Before(c.from) {
			c.from = at.at
		}
		if at.at.After(c.to) {
			c.to = at.at
		}
	}
	f, ok := understand(record)
	if !ok {
		return
	}
	if f.request != "" {
		const most = 1_000_000
		if c.requests[f.request] {
			c.repeated++
			return
		}
		if len(c.requests) < most {
			c.requests[f.request] = true
		}
	}
	if at.at.IsZero() {
		c.timeless++
		return
	}
	c.zoneless, c.american = c.zoneless || at.zoneless, c.american || at.american
	c.count(at.at.Truncate(time.Minute), f)
}

func (c *counter) count(minute time.Time, f found) {
	counted := map[telemetry.SeriesID]bool{}
	for _, r := range f.refusals {
		if r.direction == "" {
			c.aimless++
			continue
		}
		ids := []telemetry.SeriesID{{Resource: r.resource, Metric: telemetry.ThrottleEvents(r.direction, telemetry.UnknownLimit), Stat: telemetry.Sum}}
		if r.limit != telemetry.UnknownLimit {
			ids = append(ids, telemetry.SeriesID{Resource: r.resource, Metric: telemetry.ThrottleEvents(r.direction, r.limit), Stat: telemetry.Sum})
		}
		if f.operation != "" {
			ids = append(ids, telemetry.SeriesID{Resource: r.resource.TableID.Resource(), Metric: telemetry.ThrottledRequests, Stat: telemetry.Sum, Operation: f.operation})
		}
		for _, id := range ids {
			// Two reasons of one request at one index are one refusal each; the request
			// itself is one.
			if id.Metric == telemetry.ThrottledRequests && counted[id] {
				continue
			}
			counted[id] = true
			c.increment(id, minute)
		}
		c.unnamed = c.unnamed || r.resource.Table == ""
	}
	if len(counted) == 0 {
		return
	}
	c.records++
	c.attempts = max(c.attempts, f.attempts)
	if c.first.IsZero() || minute.Before(c.first) {
		c.first = minute
	}
	if minute.After(c.last) {
		c.last = minute
	}
}

func (c *counter) increment(id telemetry.SeriesID, minute time.Time) {
	if _, met := c.counts[id][minute]; !met {
		if c.filled == maxCounts {
			c.excess++
			return
		}
		c.filled++
		if c.counts[id] == nil {
			c.counts[id] = map[time.Time]float64{}
			if id.Resource.Table != "" {
				c.tables[id.Resource.TableID] = true
			}
		}
	}
	c.counts[id][minute]++
}

func (c *counter) batch(name string) telemetry.Batch {
	b := telemetry.Batch{
		Source: telemetry.Source{Kind: telemetry.SourceCapture, Name: name},
		Window: telemetry.Window{Start: c.first, End: c.last.Add(time.Minute), Period: time.Minute},
	}
	if from := c.from.Truncate(time.Minute); from.Before(b.Window.Start) {
		b.Window.Start = latest(from, b.Window.Start.Add(-around))
	}
	if to := c.to.Truncate(time.Minute).Add(time.Minute); to.After(b.Window.End) {
		b.Window.End = b.Window.End.Add(min(around, to.Sub(b.Window.End)))
	}
	b.Window.Start = latest(b.Window.Start, b.Window.End.Add(-maxWindow))
	unnamed := c.unnamedTable()
	points := map[telemetry.SeriesID][]telemetry.Point{}
	for id, counts := range c.counts {
		if id.Resource.Table == "" {
			id.Resource.TableID = unnamed
		}
		for at, n := range counts {
			points[id] = append(points[id], telemetry.Point{Time: at, Value: n})
		}
	}
	for id, all := range points {
		b.Series = append(b.Series, telemetry.Series{ID: id, Period: time.Minute, Status: telemetry.PartialData, Points: summed(all)})
	}
	slices.SortFunc(b.Series, func(x, y telemetry.Series) int { return cmp.Compare(fmt.Sprint(x.ID), fmt.Sprint(y.ID)) })
	b.Warnings = c.warnings(unnamed)
	return b
}

// unnamedTable is the table that refusals without one are put down to: the only one
// that is named, or a stand-in.
func (c *counter) unnamedTable() telemetry.TableID {
	if len(c.tables) == 1 {
		for id := range maps.Keys(c.tables) {
			return id
		}
	}
	return telemetry.TableID{Table: Unnamed}
}

// summed orders points and adds up those of the same minute.
func summed(all []telemetry.Point) []telemetry.Point {
	slices.SortFunc(all, func(a, b telemetry.Point) int { return a.Time.Compare(b.Time) })
	kept := all[:0]
	for _, p := range all {
		if n := len(kept); n > 0 && kept[n-1].Time.Equal(p.Time) {
			kept[n-1].Value += p.Value
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// warnings say what a log can't show, and what was left out of it.
func (c *counter) warnings(unnamed telemetry.TableID) []telemetry.Warning {
	var out []telemetry.Warning
	warn := func(code, format string, args ...any) {
		out = append(out, telemetry.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	warn(telemetry.PartialDataCode, "a log shows only what its own clients were refused: a minute without a refusal is unknown, and so are consumed units and keys")
	if c.attempts > 1 {
		warn(telemetry.PartialDataCode, "each logged error counts as one refusal, although clients made up to %d attempts: more were refused than is shown", c.attempts)
	}
	if c.unnamed && unnamed.Table == Unnamed {
		warn(telemetry.PartialDataCode, "refusals that don't name their table are put down to one called %s here", Unnamed)
	} else if c.unnamed {
		warn(telemetry.PartialDataCode, "refusals that don't name their table are put down to %s, the only one that is named", unnamed.Table)
	}
	if c.zoneless {
		warn(telemetry.ClockSkew, "times without a zone, taken for UTC")
	}
	if c.american {
		warn(telemetry.ClockSkew, "dates like 3/2/2026 are taken for month/day/year")
	}
	left := func(n int, what string) {
		if n > 0 {
			warn(telemetry.PartialDataCode, "left out %d %s", n, what)
		}
	}
	left(c.repeated, "records that repeat a request's id")
	left(c.timeless, "refusals before the first line with a time")
	left(c.aimless, "refusals that don't say whether a read or a write was refused")
	left(c.excess, "counts of further tables and minutes")
	return out
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Looks reports whether text, the beginning of a file, may be a log: it has no
// bytes that only binary files have.
func Looks(head []byte) bool {
	return len(head) > 0 && !strings.ContainsRune(string(head), 0)
}
