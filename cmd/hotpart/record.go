package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/collectors"
)

// recordOptions say what to record, and for how long.
type recordOptions struct {
	aws    awsOptions
	output string
	marks  string
	since  time.Duration
	until  time.Duration
	budget float64
}

func newRecordCommand(a app) *cobra.Command {
	var o recordOptions
	cmd := &cobra.Command{
		Use:   "record TABLE... -o FILE",
		Short: "Record live tables, without a screen",
		Long: `Asks AWS about tables every minute and writes the answers to a recording, until
it is interrupted or --for has passed. Each poll is in the file at once.`,
		Example: `  hotpart record orders -o tonight.hotpart
  hotpart record orders users -o tonight.hotpart --since 3h --for 8h`,
		Args: needs(1, 100, "a table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.output == "" {
				return usage("record needs -o FILE for the recording")
			}
			if err := errors.Join(checkSince(o.since), checkBudget(o.budget), checkMarks(o.marks)); err != nil {
				return err
			}
			return a.record(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "the recording's `file`, which must not exist")
	flags.DurationVar(&o.since, "since", time.Hour, "how far back to begin")
	flags.DurationVar(&o.until, "for", 0, "how long to record; without it until interrupted")
	flags.Float64Var(&o.budget, "budget", 0, "poll less often where that would cost more `dollars` an hour")
	marksFlag(cmd, &o.marks)
	o.aws.flags(cmd)
	o.aws.linkedFlag(cmd)
	return cmd
}

func (a app) record(ctx context.Context, tables []string, o recordOptions) (err error) {
	l, err := a.connect(ctx, o.aws, collectors.Config{Tables: tables, Since: o.since, Budget: o.budget})
	if err != nil {
		return err
	}
	start := &primed{rest: l}
	live, err := newMarked(start, o.marks, nil, time.Now().Add(-o.since))
	if err != nil {
		return err
	}
	r, err := newRecorder(o.output)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, r.close())
		if r.polls > 0 {
			a.warn("wrote %s, polls: %d", o.output, r.polls)
			a.spent(l)
		}
	}()
	if err := a.begin(ctx, l, start, tables, o.budget); err != nil {
		return err
	}
	first, err := live.Next(ctx)
	if err != nil {
		return err
	}
	if err := r.record(first); err != nil {
		return err
	}
	for _, w := range first.Warnings {
		a.warn("warning: %s", w.Text)
	}
	a.warn("recording to %s, %s; Ctrl-C ends it", o.output, polling(l.Meter()))
	return a.keepRecording(ctx, live, r, o.until)
}

// keepRecording polls until the context ends, which is an error, or the time is
// over, which is none unless the last poll couldn't be written. Polls that fail are told
// once, until one succeeds; so are those that can't be written, as on a full disk.
func (a app) keepRecording(ctx context.Context, live source, r *recorder, until time.Duration) error {
	polling := ctx
	if until > 0 {
		limited, cancel := context.WithTimeout(ctx, until)
		defer cancel()
		polling = limited
	}
	failing := false
	var unwritten error // why the last poll isn't in the file
	for {
		b, err := live.Next(polling)
		switch {
		case ctx.Err() != nil:
			return errors.Join(unwritten, ctx.Err())
		case polling.Err() != nil:
			return unwritten
		case err != nil:
			if !failing {
				a.complain(err)
				a.warn("asking again; what was missed is asked for then")
			}
			failing = true
			continue
		}
		if failing {
			a.warn("AWS answers again")
		}
		failing = false
		switch err := r.record(b); {
		case err != nil && unwritten == nil:
			a.complain(err)
			a.warn("going on, so that the recording does once it can be written")
			unwritten = err
		case err == nil && unwritten != nil:
			a.warn("recording again")
			unwritten = nil
		}
	}
}
