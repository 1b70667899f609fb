package collectors

import (
	"context"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// comparedAgo is how long ago the days lie that are compared with: what is usual differs
// by the time of day and by the day of the week.
var comparedAgo = [...]time.Duration{24 * time.Hour, 7 * 24 * time.Hour}

const (
	// comparedAhead is how far beyond now the earlier days are asked for, so that they
	// need not be asked for again with each poll.
	comparedAhead = 2 * time.Hour
	// mostCompared bounds how far back.
	mostCompared = 24 * time.Hour
)

// Compare makes Next return at once, or after the poll that is under way, with the units
// that a table or index used at the same hours of yesterday and a week ago: from where the
// data begin, at most a day back, to two hours from now. It may be called at any time; of
// several wishes the last counts.
func (l *Live) Compare(id telemetry.ResourceID) {
	l.wished.put(id)
}

// Compare is Live.Compare of the place that has the table.
func (m *Many) Compare(id telemetry.ResourceID) {
	if live := m.live(); len(live) == 1 {
		live[0].live.Compare(id)
		return
	}
	m.wished.put(id)
}

// compare asks the place that has a table. ok is false where none has.
func (m *Many) compare(ctx context.Context, id telemetry.ResourceID) (b telemetry.Batch, ok bool, err error) {
	for _, p := range m.live() {
		if l := p.live; l.account == id.Account && l.region == id.Region && !l.last.End.IsZero() {
			b, err = l.compare(ctx, id)
			return b, true, err
		}
	}
	return b, false, nil
}

// wishes holds what was wished last, until it is taken.
type wishes chan telemetry.ResourceID

func (w wishes) put(id telemetry.ResourceID) {
	select {
	case <-w:
	default:
	}
	select {
	case w <- id:
	default:
	}
}

// rest waits for a time to pass, or for something that is wished sooner; nil for nothing.
func (w wishes) rest(ctx context.Context, d time.Duration) (*telemetry.ResourceID, error) {
	timer := time.NewTimer(max(0, d))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case id := <-w:
		return &id, nil
	case <-timer.C:
		return nil, ctx.Err()
	}
}

// compare asks for the earlier days, one call for each. It tells nothing new of now: the
// batch has the last poll's window, and no time at which it was had. Where it fails it
// holds warnings alone.
func (l *Live) compare(ctx context.Context, id telemetry.ResourceID) (telemetry.Batch, error) {
	b := telemetry.Batch{Window: l.last}
	start := l.begun
	if oldest := l.last.End.Add(-mostCompared); start.Before(oldest) {
		start = oldest
	}
	var asked []*answers
	var tasks []task
	for _, ago := range comparedAgo {
		w := align(telemetry.Window{Start: start.Add(-ago), End: l.last.End.Add(comparedAhead - ago), Period: time.Minute}, l.now())
		var questions []question
		for _, d := range telemetry.Directions {
			questions = append(questions, question{telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(d), Stat: telemetry.Sum}, w.Period})
		}
		a := l.answers(questions, w)
		asked, tasks = append(asked, a), append(tasks, a.tasks()...)
	}
	b.Warnings = parallel(ctx, tasks)
	for i, a := range asked {
		for _, s := range a.series {
			if s.Status == telemetry.Complete || s.Status == telemetry.PartialData {
				b.Earlier = append(b.Earlier, telemetry.Earlier{ID: s.ID, Ago: comparedAgo[i], Period: s.Period, Points: s.Points})
			}
		}
	}
	if len(b.Earlier) == 0 && l.failures > 0 {
		// While nothing is answered this is no sign of life.
		return telemetry.Batch{}, l.failure(asked[0].failure(), getMetricData, id)
	}
	return b, ctx.Err()
}
