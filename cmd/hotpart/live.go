package main

import (
	"context"
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
)

// liveWindow is the time that diagnose looks at: the last hour or so, or from
// start to end as the command line gives them; times of day are today's.
func liveWindow(last time.Duration, start, end string, now time.Time) (telemetry.Window, error) {
	now = now.UTC()
	w := telemetry.Window{Start: now.Truncate(24 * time.Hour), End: now.Truncate(time.Minute), Period: time.Minute}
	from, to, err := span(start, end, w)
	if err != nil {
		return w, err
	}
	if !to.IsZero() {
		w.End = to
	}
	w.Start = w.End.Add(-last)
	if !from.IsZero() {
		w.Start = from
	}
	if !w.Start.Before(w.End) {
		return w, usage("the time to look at ends before it begins")
	}
	return w, nil
}

// diagnoseLive asks AWS for one window of the tables, or of the alarm's.
func (a app) diagnoseLive(ctx context.Context, tables []string, o diagnoseOptions) (*analysis.Diagnosis, error) {
	w, err := liveWindow(o.last, o.start, o.end, time.Now())
	if err != nil {
		return nil, err
	}
	l, err := a.connect(ctx, o.aws, collectors.Config{Tables: tables})
	if err != nil {
		return nil, err
	}
	var marks []telemetry.Mark
	if o.alarm != "" {
		al, err := a.findAlarm(ctx, l, o.alarm)
		if err != nil {
			return nil, err
		}
		if !o.timed {
			w = around(al, time.Now())
			a.warn("looking at %s to %s; --start and --end choose another time", minuteText(w.Start), minuteText(w.End))
		}
		tables, marks = []string{al.Table}, alarmMark(al)
		l.Focus(tables, w.End.Sub(w.Start))
	}
	if o.marks != "" {
		noted, err := readMarks(o.marks, w)
		if err != nil {
			return nil, err
		}
		marks = append(marks, noted...)
	}
	a.asking(l, tables)
	b, err := l.Fetch(ctx, w)
	if err != nil {
		return nil, err
	}
	a.spent(l)
	b.Marks = append(b.Marks, marks...)
	return analysis.New().Observe(b), nil
}

// begin makes the first poll, which start then gives, before any screen opens: what can't work at all is
// then an error in words, at the prompt.
func (a app) begin(ctx context.Context, l *collectors.Many, start *primed, tables []string, budget float64) error {
	a.asking(l, tables)
	b, err := l.Next(ctx)
	if err != nil {
		return err
	}
	start.first = &b
	m := l.Meter()
	if cost := m.DollarsAnHour(); budget > 0 && cost > budget {
		return usage("even a poll every %.0f minutes costs about $%.4f an hour, more than --budget %g\nhint: name fewer tables, or raise --budget", m.Every.Minutes(), cost, budget)
	}
	return nil
}

// longestSince is how long CloudWatch keeps points by the minute (GetMetricData,
// "Retention").
const longestSince = 15 * 24 * time.Hour

// checkSince bounds how far back polling may begin to what CloudWatch keeps by the
// minute.
func checkSince(since time.Duration) error {
	if since < time.Minute || since > longestSince {
		return usage("--since %s is not between 1m and %s\nhint: hotpart diagnose TABLE --start looks further back", since, longestSince)
	}
	return nil
}

// checkBudget refuses what is no sum of dollars; zero is no bound.
func checkBudget(dollars float64) error {
	if !(dollars >= 0) || math.IsInf(dollars, 0) {
		return usage("--budget %g is no sum of dollars an hour", dollars)
	}
	return nil
}

// primed gives the first batch, where it was asked for already, and then the rest.
type primed struct {
	first *telemetry.Batch
	rest  source
}

func (p *primed) Next(ctx context.Context) (telemetry.Batch, error) {
	if b := p.first; b != nil {
		p.first = nil
		return *b, nil
	}
	return p.rest.Next(ctx)
}
