package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Users is what an event was to those who sent requests, as measured.
type Users struct {
	// Operations are those of the event's direction that were used, the most refused
	// first. They count requests to the table with its indexes.
	Operations []OperationUse
	// Conflicts are transaction conflicts, FailedConditions conditional writes whose
	// condition didn't hold, SystemErrors AWS's own errors, each during the event; nil
	// where nobody asked for them. None of them is throttling.
	Conflicts, FailedConditions, SystemErrors *float64
}

// OperationUse is one operation during an event and in the ten minutes before it.
type OperationUse struct {
	Operation string
	// Refused are attempts, retries included; nil where unknown.
	Refused *float64
	// Succeeded is during the event; PerMinute and PerMinuteBefore are successes a
	// minute, the latter nil where unknown.
	Succeeded, PerMinute float64
	PerMinuteBefore      *float64
	// Latency is the mean of successful requests in milliseconds, measured at the
	// server, and LatencyBefore that before the event; nil where unknown.
	Latency, LatencyBefore *float64
	// Slowest is the highest of the minutes' 99th percentiles of the same, and
	// SlowestBefore that before the event: percentiles of minutes can't be joined.
	Slowest, SlowestBefore *float64
}

// usersBefore is how long before an event counts as before it.
const usersBefore = 10 * time.Minute

// users measures what an event was to those who sent requests; nil where no operation is
// counted.
func (f *facts) users(e *Event) *Users {
	id := e.Resource.TableID
	from, to := f.span(e.Start, e.End)
	u := &Users{}
	for _, op := range telemetry.APIOperations {
		d, ok := telemetry.OperationDirection(op)
		if !ok || d != e.Direction {
			continue
		}
		if x, used := f.operationUse(id, op, e); used {
			u.Operations = append(u.Operations, x)
		}
	}
	if len(u.Operations) == 0 {
		return nil
	}
	slices.SortStableFunc(u.Operations, func(a, b OperationUse) int {
		return cmp.Or(cmp.Compare(orZero(b.Refused), orZero(a.Refused)), cmp.Compare(b.Succeeded, a.Succeeded))
	})
	sum := func(m telemetry.Metric, operations ...string) *float64 {
		var all *float64
		failed := false // to be told of one that was asked for
		for _, op := range operations {
			series := telemetry.SeriesID{Resource: id.Resource(), Metric: m, Stat: telemetry.Sum, Operation: op}
			t := f.series[series]
			if t == nil || !t.from.Before(e.End) || !t.to.After(e.Start) {
				continue // not asked for
			}
			n, known := sumKnown(f.readings(series)[from:to])
			if failed = failed || !known; known {
				all = new(orZero(all) + n)
			}
		}
		if failed && orZero(all) == 0 {
			return nil
		}
		return all
	}
	u.Conflicts, u.FailedConditions = sum(telemetry.TransactionConflict, ""), sum(telemetry.ConditionalCheckFailedRequests, "")
	u.SystemErrors = sum(telemetry.SystemErrors, telemetry.APIOperations...)
	return u
}

// span is the steps between two times, within the window.
func (f *facts) span(start, end time.Time) (from, to int) {
	from, to = max(0, f.step(start)), min(f.steps(), f.step(end))
	return min(from, to), to
}

// operationUse is an operation during an event; false where it wasn't used, or where
// nobody asked for its successes, as of a log that tells of refusals alone.
func (f *facts) operationUse(id telemetry.TableID, op string, e *Event) (OperationUse, bool) {
	x := OperationUse{Operation: op}
	if f.series[requestSeries(id, op)] == nil {
		return x, false
	}
	latency := func(stat telemetry.Statistic) []reading {
		series := requestSeries(id, op)
		series.Stat = stat
		return f.readings(series)
	}
	counts, means, tails, refused := f.readings(requestSeries(id, op)), latency(telemetry.Average), latency(telemetry.P99), f.readings(refusedSeries(id, op))
	from, to := f.span(e.Start, e.End)
	before, _ := f.span(e.Start.Add(-usersBefore), e.Start)
	if n, known := sumKnown(refused[from:to]); known {
		x.Refused = &n
	}
	x.Succeeded, _ = sumKnown(counts[from:to])
	minutes := f.period().Minutes()
	x.PerMinute = x.Succeeded / max(1, float64(to-from)*minutes)
	if n, known := sumKnown(counts[before:from]); known {
		x.PerMinuteBefore = new(n / (float64(from-before) * minutes))
	}
	x.Latency, x.LatencyBefore = weighedMean(means[from:to], counts[from:to]), weighedMean(means[before:from], counts[before:from])
	x.Slowest, x.SlowestBefore = highest(tails[from:to]), highest(tails[before:from])
	return x, x.Succeeded > 0 || orZero(x.Refused) > 0
}

// sumKnown adds up what is known; false where nothing is.
func sumKnown(r []reading) (sum float64, known bool) {
	for _, x := range r {
		if x.known() {
			sum, known = sum+x.value, true
		}
	}
	return sum, known
}

// weighedMean is the mean of values that count so often; nil where none does.
func weighedMean(values, counts []reading) *float64 {
	var sum, n float64
	for i := range values {
		if values[i].known() && counts[i].known() {
			sum, n = sum+values[i].value*counts[i].value, n+counts[i].value
		}
	}
	if n == 0 {
		return nil
	}
	return new(sum / n)
}

// highest is the highest of what is known; nil where nothing is.
func highest(r []reading) *float64 {
	var most *float64
	for _, x := range r {
		if x.known() && (most == nil || x.value > *most) {
			most = new(x.value)
		}
	}
	return most
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// Text is such as "PutItem: 4,200 of 21,000 attempts refused (20 %); 280 a minute
// succeeded, 290 in the ten minutes before; mean latency of these 5.1 ms, 4.9 before; p99 of
// the slowest minute 21.3 ms, 18.0 before".
func (x OperationUse) Text() string {
	text := x.Operation + ": refusals not known"
	if x.Refused != nil {
		tried := *x.Refused + x.Succeeded
		text = fmt.Sprintf("%s: %s of %s attempts refused (%s)", x.Operation, telemetry.Thousands(*x.Refused), telemetry.Thousands(tried), percent(*x.Refused/max(1, tried)))
	}
	text += fmt.Sprintf("; %s a minute succeeded", telemetry.Thousands(x.PerMinute))
	if x.PerMinuteBefore != nil {
		text += fmt.Sprintf(", %s in the ten minutes before", telemetry.Thousands(*x.PerMinuteBefore))
	}
	return text + milliseconds("; mean latency of these", x.Latency, x.LatencyBefore) + milliseconds("; p99 of the slowest minute", x.Slowest, x.SlowestBefore)
}

// milliseconds is such as "; mean latency of these 5.1 ms, 4.9 before", and nothing where
// now is unknown.
func milliseconds(what string, now, before *float64) string {
	switch {
	case now == nil:
		return ""
	case before == nil:
		return fmt.Sprintf("%s %.1f ms", what, *now)
	}
	return fmt.Sprintf("%s %.1f ms, %.1f before", what, *now, *before)
}

// Absorbed says what the successes tell of whether retries got the refused through.
func (u *Users) Absorbed() string {
	const held, more = 0.95, 1.2 // of what succeeded before
	var now, before, refused float64
	counted := false
	for _, x := range u.Operations {
		counted = counted || x.PerMinuteBefore != nil
		now, before, refused = now+x.PerMinute, before+orZero(x.PerMinuteBefore), refused+orZero(x.Refused)
	}
	switch {
	case refused == 0:
		return "no request is known to have been refused whole: batches can be refused in part"
	case !counted:
		return "whether retries got the refused requests through isn't known: nothing is counted before it"
	case before == 0:
		return "whether retries got the refused requests through isn't known: nothing succeeded before it"
	case now < held*before:
		return fmt.Sprintf("retries did not get all through: successes fell to %s of what they were before", percent(now/before))
	}
	if now > more*before {
		return fmt.Sprintf("%.1f times as many succeeded as before, for the load had grown: whether retries got the refused through, only clients know", now/before)
	}
	return fmt.Sprintf("successes stood at %s of what they were before: retries may have got the refused through, late; clients know", percent(now/before))
}

// Apart says what else failed that isn't throttling, and last what is known not to have.
func (u *Users) Apart() []string {
	var out, none []string
	for _, x := range []struct {
		n         *float64
		what, why string
	}{
		{u.Conflicts, "transaction conflicts", "not throttling, but items that several transactions want at once"},
		{u.FailedConditions, "failed conditions", "not throttling, but writes that the data ruled out; each used write units"},
		{u.SystemErrors, "system errors", "AWS's own, not throttling"},
	} {
		switch {
		case x.n == nil:
		case *x.n > 0:
			out = append(out, fmt.Sprintf("%s %s: %s", telemetry.Thousands(*x.n), x.what, x.why))
		default:
			none = append(none, "no "+x.what)
		}
	}
	if len(none) > 0 {
		out = append(out, strings.Join(none, ", "))
	}
	return out
}
