package capture

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// maxSteps bounds a window, in periods. CloudWatch keeps minutes for 15 days and
// hours for 455 (GetMetricData, "Retention"); 31 days of minutes leave room.
// Without a bound one wrong time would make a window of centuries.
const maxSteps = 31 * 24 * 60

// window is what capture.json says, else from the first to the last point of
// consumed capacity plus its period; without such, of any series or key.
func (d *decoder) window(c captureDocument) telemetry.Window {
	span := span{}
	for _, s := range d.batch.Series {
		if isConsumed(s.ID.Metric) {
			span.add(s.Points, s.Period)
		}
	}
	if span.start.IsZero() {
		for _, s := range d.batch.Series {
			span.add(s.Points, s.Period)
		}
	}
	if span.start.IsZero() {
		for _, r := range d.batch.Rankings {
			for _, k := range r.Contributors {
				span.add(k.Points, time.Minute)
			}
		}
	}
	w := telemetry.Window{Start: span.start, End: span.end, Period: d.finest()}
	if start, end := c.Start.time, c.End.time; !start.IsZero() {
		w.Start = start
		if end.After(start) {
			w.End = end
		}
	} else if end.After(w.Start) {
		w.End = end
	}
	if longest := maxSteps * w.Period; w.End.Sub(w.Start) > longest {
		d.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{}, "the times span from %s to %s: only what lies in the last %d days is used",
			w.Start.Format(time.DateOnly), w.End.Format(time.DateOnly), int(longest.Hours()/24))
		w.Start = w.End.Add(-longest)
	}
	return w
}

// finest is the shortest period of any series, a minute without one.
func (d *decoder) finest() time.Duration {
	var finest time.Duration
	for _, s := range d.batch.Series {
		if finest == 0 || s.Period < finest {
			finest = s.Period
		}
	}
	if finest == 0 {
		return time.Minute
	}
	return finest
}

func isConsumed(m telemetry.Metric) bool {
	return m == telemetry.ConsumedReadCapacityUnits || m == telemetry.ConsumedWriteCapacityUnits
}

// span is the time from the first point to the end of the last.
type span struct{ start, end time.Time }

func (s *span) add(points []telemetry.Point, period time.Duration) {
	if len(points) == 0 {
		return
	}
	if first := points[0].Time; s.start.IsZero() || first.Before(s.start) {
		s.start = first
	}
	if end := points[len(points)-1].Time.Add(period); end.After(s.end) {
		s.end = end
	}
}

// warnOfCoarsePeriods names the resources whose consumption wasn't asked for by
// the minute.
func (d *decoder) warnOfCoarsePeriods() {
	finest := map[telemetry.ResourceID]time.Duration{}
	var order []telemetry.ResourceID
	for _, s := range d.batch.Series {
		if !isConsumed(s.ID.Metric) {
			continue
		}
		if known, seen := finest[s.ID.Resource]; !seen {
			order = append(order, s.ID.Resource)
			finest[s.ID.Resource] = s.Period
		} else if s.Period < known {
			finest[s.ID.Resource] = s.Period
		}
	}
	for _, id := range order {
		if period := finest[id]; period > time.Minute {
			d.r.warn(telemetry.CoarsePeriod, id, "%s: consumed capacity was saved every %d seconds, not every 60: shorter peaks can't be seen", subject(id), int(period.Seconds()))
		}
	}
}
