package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/tui"
)

// watchOptions say what to watch, and how it looks.
type watchOptions struct {
	aws                awsOptions
	since              time.Duration
	record             string
	budget             float64
	mask, ascii, mouse bool
}

func newWatchCommand(a app) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch [TABLE...]",
		Short: "Watch live tables on the dashboard",
		Long: `Shows live tables on the dashboard, the last hour first and then minute by
minute. Without a TABLE it watches those of the account and Region, up to 25.
It only reads; hotpart doctor says which permissions it has.`,
		Example: `  hotpart watch orders
  hotpart watch orders users --since 3h --record tonight.hotpart
  hotpart watch orders --profile prod --region eu-west-1`,
		Args: needs(0, 100, "tables"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSince(o.since); err != nil {
				return err
			}
			return a.watch(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&o.since, "since", time.Hour, "how far back to begin")
	flags.StringVar(&o.record, "record", "", "record to this `file` while watching; it must not exist")
	flags.Float64Var(&o.budget, "budget", 0, "don't watch where polling costs more `dollars` an hour")
	flags.BoolVar(&o.mask, "mask", false, "show key-1, key-2 … for the values of keys")
	flags.BoolVar(&o.ascii, "ascii", false, "draw with ASCII only")
	flags.BoolVar(&o.mouse, "mouse", false, "take the mouse (the terminal's own copying then needs Shift)")
	o.aws.flags(cmd)
	return cmd
}

func (a app) watch(ctx context.Context, tables []string, o watchOptions) (err error) {
	if ok, why := a.terminal(); !ok {
		named := "TABLE"
		if len(tables) > 0 {
			named = strings.Join(tables, " ")
		}
		return usage("watch needs a terminal: %s\nhint: hotpart diagnose %s reports the last hour in words", why, named)
	}
	l, err := a.connect(ctx, o.aws, tables, o.since)
	if err != nil {
		return err
	}
	first, err := a.begin(ctx, l, tables, o.budget)
	if err != nil {
		return err
	}
	var live source = &primed{first: &first, rest: l}
	if o.record != "" {
		r, err := newRecorder(o.record)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.close()) }()
		live = &taped{source: live, recorder: r}
	}
	return tui.Run(ctx, newFeed(live), tui.Options{
		Live: true, Mask: o.mask, ASCII: o.ascii, Mouse: o.mouse, Now: time.Now,
		Note: func() string { return fmt.Sprintf("$%.2f/h", l.Meter().DollarsAnHour()) },
	})
}
