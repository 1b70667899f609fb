package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/tui"
)

// replayOptions say how an incident is played.
type replayOptions struct {
	screen        screenOptions
	at, marks     string
	speed         float64
	paused, drill bool
}

func newReplayCommand(a app) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay [PATH or NAME]",
		Short: "Watch a recorded incident on the dashboard",
		Long: `Shows an incident on the dashboard as it happened: a capture directory, a
recording, a log with throttling errors, a CSV export of Grafana's, or a built-in
incident by its name. Without an argument it offers the built-in ones.`,
		Example: `  hotpart replay hot-key-tenant
  hotpart replay night.hotpart --at 23:20 --speed 120`,
		Args: needs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.replay(cmd.Context(), args, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.at, "at", "", "`time` to begin at (RFC 3339, HH:MM in UTC, or -30m before the end)")
	marksFlag(cmd, &o.marks)
	flags.Float64Var(&o.speed, "speed", 60, "recorded `seconds` in one second")
	flags.BoolVar(&o.paused, "paused", false, "begin paused")
	flags.BoolVar(&o.drill, "drill", false, "practise: hide the verdict until it is asked for")
	o.screen.flags(cmd)
	return cmd
}

func (a app) replay(ctx context.Context, args []string, o replayOptions) error {
	if o.speed < 1 || o.speed > 3600 {
		return usage("--speed %v is not between 1 and 3600", o.speed)
	}
	if err := o.screen.check(); err != nil {
		return err
	}
	ok, why := a.terminal()
	if len(args) == 0 {
		if !ok {
			return a.listIncidents()
		}
		name, err := a.chooseIncident(ctx, o.screen.ascii)
		if err != nil || name == "" {
			return err
		}
		args = []string{name}
	}
	in, err := a.load(ctx, args[0])
	if err != nil {
		return err
	}
	if !ok {
		return usage("replay needs a terminal: %s\nhint: hotpart diagnose --from %s reports the same in words", why, pasted(args[0]))
	}
	if in, err = a.mark(in, o.marks); err != nil {
		return err
	}
	return a.play(ctx, in, o)
}

// listIncidents prints the names and titles of the built-in incidents.
func (a app) listIncidents() error {
	for _, i := range incidents.All {
		if _, err := fmt.Fprintf(a.out, "%-18s %s\n", i.Name, i.Title); err != nil {
			return err
		}
	}
	return nil
}

// chooseIncident asks which built-in incident to replay; "" is none.
func (a app) chooseIncident(ctx context.Context, ascii bool) (string, error) {
	var all []tui.Choice
	for _, i := range incidents.All {
		all = append(all, tui.Choice{Name: i.Name, Title: i.Title, Description: i.Description})
	}
	return tui.Choose(ctx, all, ascii)
}

// play shows an incident on the dashboard until the user quits.
func (a app) play(ctx context.Context, in incident, o replayOptions) error {
	at, err := moment(o.at, in.window)
	if err != nil {
		return usage("--at: %w", err)
	}
	hindsight, err := in.diagnose(ctx)
	if err != nil {
		return err
	}
	return a.show(ctx, nil, o.screen, tui.Options{
		Past: newPast(in.batches), Speed: o.speed, At: at, Paused: o.paused, Drill: o.drill, Hindsight: hindsight,
	})
}
