package collectors

import (
	"context"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Fetch asks for one window, of any age that CloudWatch still knows, in three
// rounds of calls. The window's bounds are widened to whole periods, and its
// period to the finest that is kept for that age. Without tables named it sweeps
// all, and asks in full for those that refused. The error is not nil only where
// nothing was told at all, or a table doesn't exist.
func (l *Live) Fetch(ctx context.Context, w telemetry.Window) (telemetry.Batch, error) {
	return l.withChanges(ctx, w, func() (telemetry.Batch, error) {
		if len(l.cfg.Tables) == 0 {
			return l.pollFleet(ctx, &fleet{whole: true}, w)
		}
		s, err := l.survey(ctx)
		if err != nil {
			return telemetry.Batch{}, err
		}
		return l.ask(ctx, s, w, true)
	})
}

// ask asks for one window of the surveyed tables. fresh says that the survey was
// just begun: its second round is then made too, and it goes with the batch.
func (l *Live) ask(ctx context.Context, s *survey, w telemetry.Window, fresh bool) (telemetry.Batch, error) {
	b, a := l.gather(ctx, s, w, fresh)
	if err := ctx.Err(); err != nil {
		return telemetry.Batch{}, err
	}
	if first := l.last.End.IsZero(); !a.answered() && !(first && fresh && len(s.tables) > 0) {
		if s.failed != nil && fresh {
			return telemetry.Batch{}, l.failure(s.failed, describeTable, s.watched[0].Resource())
		}
		return telemetry.Batch{}, l.failure(a.failure(), getMetricData, s.watched[0].Resource())
	}
	b.Warnings = append(l.warnOfSkew(), b.Warnings...)
	return b, nil
}

// gather makes the calls for one window of the surveyed tables. Its batch may hold
// nothing but series without an answer.
func (l *Live) gather(ctx context.Context, s *survey, w telemetry.Window, fresh bool) (telemetry.Batch, *answers) {
	w = align(w, l.now())
	a := l.answers(s.questions(w.Period, l.used), w)
	tasks := a.tasks()
	var rankings []*telemetry.Ranking
	var finish func()
	if fresh {
		more, done := l.details(s)
		tasks, finish = append(tasks, more...), done
	} else {
		rankings = l.reports(s, w, &tasks)
	}
	again := l.watchAgain(s, fresh, &tasks)
	warnings := parallel(ctx, tasks)
	changed := s.rewatch(again)
	felt := l.answers(l.used.learn(a.series, w.Period), w)
	tasks = felt.tasks()
	if fresh {
		finish()
		s.warnings = append(s.warnings, warnings...)
		warnings, rankings = nil, l.reports(s, w, &tasks)
	} else if len(changed) > 0 {
		// Its rules may be new: they are asked for at once.
		rankings = append(rankings, l.reports(&survey{insights: changed, tables: s.tables}, w, &tasks)...)
	}
	warnings = append(warnings, parallel(ctx, tasks)...)
	b := telemetry.Batch{Source: l.source(s), Window: w, FetchedAt: l.now(), Series: append(a.series, felt.series...)}
	for _, r := range rankings {
		if r.Rule != "" {
			b.Rankings = append(b.Rankings, *r)
		}
	}
	b.Insights = changed
	if fresh {
		b.Tables, b.Insights, b.Quotas, b.Shards = s.tables, s.insights, s.quotas, s.shards
		b.Targets, b.Activities = s.targets, s.activities
	}
	b.Warnings = slices.Concat(s.warnings, warnings, s.warnOfEmptyReports(b.Rankings), warnOfCoarsePeriod(w))
	return b, a
}

// details are the second round of the survey: how keys are watched, the streams
// and auto scaling. What it returns puts the answers in place when all are there.
func (l *Live) details(s *survey) (tasks []task, finish func()) {
	if l.cfg.linked != "" {
		return nil, func() {}
	}
	var resources []telemetry.ResourceID
	for _, table := range s.watched {
		resources = append(resources, s.resources(table)...)
	}
	insights := make([]telemetry.Insights, len(resources))
	for i, id := range resources {
		tasks = append(tasks, l.insights(id, &insights[i]))
	}
	shards := make([]telemetry.Shards, len(s.tables))
	for i, t := range s.tables {
		if t.StreamARN != "" {
			tasks = append(tasks, l.stream(t, &shards[i]))
		}
	}
	auto := newScaling(resources)
	tasks = append(tasks, auto.tasks(l)...)
	return tasks, func() {
		for _, in := range insights {
			if in.Status != "" {
				s.insights = append(s.insights, in)
			}
		}
		for _, shard := range shards {
			if shard.Stream != "" {
				s.shards = append(s.shards, shard)
			}
		}
		s.targets, s.activities = auto.all()
	}
}

// reports adds a task for each rule, and returns where their answers will stand.
func (l *Live) reports(s *survey, w telemetry.Window, tasks *[]task) []*telemetry.Ranking {
	var out []*telemetry.Ranking
	for _, r := range s.rules() {
		into := new(telemetry.Ranking)
		out = append(out, into)
		*tasks = append(*tasks, l.report(r, w, into))
	}
	return out
}

func (l *Live) source(s *survey) telemetry.Source {
	var names []string
	for _, table := range s.watched {
		names = append(names, table.Table)
	}
	return telemetry.Source{Kind: telemetry.SourceLive, Name: strings.Join(names, ",")}
}
