package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/tui"
)

// watchOptions say what to watch, and how it looks.
type watchOptions struct {
	aws    awsOptions
	screen screenOptions
	since  time.Duration
	record string
	marks  string
	alarm  string
	budget float64
}

func newWatchCommand(a app) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch [TABLE...]",
		Short: "Watch live tables on the dashboard",
		Long: `Shows live tables on the dashboard, the last hour first and then minute by
minute. Without a TABLE it watches every table of the account and Region: all for
refusals, and those that refuse in full, the worst 25 at once. It only reads;
hotpart doctor says which permissions it has.`,
		Example: `  hotpart watch orders
  hotpart watch orders users --since 3h --record tonight.hotpart
  hotpart watch orders --profile prod --region eu-west-1
  hotpart watch --alarm orders-write-throttles
  hotpart watch --budget 0.50`,
		Args: needs(0, 100, "tables"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(checkSince(o.since), checkBudget(o.budget), o.screen.check(), checkMarks(o.marks)); err != nil {
				return err
			}
			if o.alarm != "" && o.aws.linked {
				return errAlarmOfLinked
			}
			if o.alarm != "" && len(args) > 0 {
				return usage("--alarm names the table: give it alone\nhint: hotpart watch --alarm %s", pasted(o.alarm))
			}
			return a.watch(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&o.since, "since", time.Hour, "how far back to begin")
	flags.StringVar(&o.record, "record", "", "record to this `file` while watching; it must not exist")
	flags.Float64Var(&o.budget, "budget", 0, "poll less often where that would cost more `dollars` an hour")
	alarmFlag(cmd, &o.alarm)
	marksFlag(cmd, &o.marks)
	o.screen.flags(cmd)
	o.aws.flags(cmd)
	o.aws.linkedFlag(cmd)
	return cmd
}

func (a app) watch(ctx context.Context, tables []string, o watchOptions) (err error) {
	if ok, why := a.terminal(); !ok {
		named := "TABLE"
		if len(tables) > 0 {
			named = pastedAll(tables)
		}
		if o.alarm != "" {
			return usage("watch needs a terminal: %s\nhint: hotpart diagnose --alarm %s reports in words", why, pasted(o.alarm))
		}
		return usage("watch needs a terminal: %s\nhint: hotpart diagnose %s reports the last hour in words", why, named)
	}
	l, err := a.connect(ctx, o.aws, collectors.Config{Tables: tables, Since: o.since, Budget: o.budget})
	if err != nil {
		return err
	}
	var marks []telemetry.Mark
	var open telemetry.ResourceID // the index that the alarm is on; zero for none
	var way telemetry.Direction
	if o.alarm != "" {
		al, err := a.findAlarm(ctx, l, o.alarm)
		if err != nil {
			return err
		}
		if o.since, err = sinceAlarm(al, o.since, time.Now()); err != nil {
			return err
		}
		tables, marks = []string{al.Table}, alarmMark(al)
		if al.Index != "" {
			open, way = telemetry.TableID{Table: al.Table}.WithIndex(al.Index), al.Direction
		}
		l.Focus(tables, o.since)
	}
	start := &primed{rest: l}
	noted, err := newMarked(start, o.marks, marks, time.Now().Add(-o.since))
	if err != nil {
		return err
	}
	if err := a.begin(ctx, l, start, tables, o.budget); err != nil {
		return err
	}
	before := &earlier{first: noted.add(*start.first)}
	var live source = noted
	if o.record != "" {
		r, err := newRecorder(o.record)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.close()) }()
		live = &taped{source: live, recorder: r}
	}
	return a.show(ctx, newFeed(live), o.screen, tui.Options{
		Live: true, Open: open, OpenDirection: way, Past: before, Look: l.Look, Compare: l.Compare,
		Note: func() string { return polling(l.Meter()) }, Every: func() time.Duration { return l.Meter().Every },
	})
}

// polling says in a few words what polling costs, and how far apart polls are
// where that isn't a minute.
func polling(m collectors.Meter) string {
	text := fmt.Sprintf("$%.2f/h", m.DollarsAnHour())
	if m.Every > time.Minute {
		text += fmt.Sprintf(", every %.0f min", m.Every.Minutes())
	}
	return text
}
