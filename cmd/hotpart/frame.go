package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/tui"
)

func newFrameCommand(a app) *cobra.Command {
	var from, at, size, format string
	var o tui.FrameOptions
	cmd := &cobra.Command{
		Use:   "frame --from PATH",
		Short: "Print one frame of the dashboard as text or picture",
		Long: `Prints one frame of the dashboard, for a ticket or a chat: what was known at a
time, or at the end. As plain text, with the terminal's codes for colours
(ansi), or as a picture (svg).`,
		Example: `  hotpart frame --from hot-key-tenant --at 00:10 --size 120x40
  hotpart frame --from hot-key-tenant --pane advice --format svg > advice.svg`,
		Args: needs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" {
				return usage("frame needs --from PATH\nhint: hotpart frame --from hot-key-tenant shows a built-in incident")
			}
			if err := frameChoices(format, o.Pane); err != nil {
				return err
			}
			var err error
			if o.Width, o.Height, err = frameSize(size); err != nil {
				return err
			}
			in, err := a.load(cmd.Context(), from)
			if err != nil {
				return err
			}
			d, err := in.until(at)
			if err != nil {
				return err
			}
			if at != "" {
				if o.Hindsight, err = in.diagnose(cmd.Context()); err != nil {
					return err
				}
			}
			o.Color = format != "text"
			frame := tui.Frame(d, o) + "\n"
			if format == "svg" {
				frame = tui.SVG(frame, o.Width, o.Height, o.Light)
			}
			_, err = fmt.Fprint(a.out, frame)
			return err
		},
	}
	flags := cmd.Flags()
	fromFlag(cmd, &from)
	flags.StringVar(&at, "at", "", "`time` to show (RFC 3339, HH:MM in UTC, or -30m before the end); the end if left out")
	flags.StringVar(&size, "size", "120x40", "`COLUMNSxROWS` of the screen")
	flags.BoolVar(&o.Mask, "mask", false, "show key-1, key-2 … for the values of keys")
	flags.BoolVar(&o.ASCII, "ascii", false, "draw with ASCII only")
	flags.BoolVar(&o.Light, "light", false, "draw for a light background")
	flags.StringVar(&format, "format", "text", "`format`: "+strings.Join(frameFormats, ", "))
	flags.StringVar(&o.Pane, "pane", "heat", "`name` of the pane: "+strings.Join(tui.Panes, ", "))
	return cmd
}

var frameFormats = []string{"text", "ansi", "svg"}

// frameChoices refuses a format or a pane that doesn't exist.
func frameChoices(format, pane string) error {
	if !slices.Contains(frameFormats, format) {
		return usage("--format %q is none of %s", format, strings.Join(frameFormats, ", "))
	}
	if !slices.Contains(tui.Panes, pane) {
		return usage("--pane %q is none of %s", pane, strings.Join(tui.Panes, ", "))
	}
	return nil
}

// frameSize reads COLUMNSxROWS.
func frameSize(text string) (width, height int, err error) {
	columns, rows, ok := strings.Cut(text, "x")
	if ok {
		width, err = strconv.Atoi(columns)
		if err == nil {
			height, err = strconv.Atoi(rows)
		}
	}
	if !ok || err != nil || width < 1 || height < 1 || width > 1000 || height > 1000 {
		return 0, 0, usage("--size %q is not COLUMNSxROWS, such as 120x40", text)
	}
	return width, height, nil
}

// until is what was known at a time as the command line gives it; "" is the end.
func (in incident) until(at string) (*analysis.Diagnosis, error) {
	moment, err := moment(at, in.window)
	if err != nil {
		return nil, usage("--at: %w", err)
	}
	if !moment.IsZero() && moment.Before(in.window.Start) {
		return nil, fmt.Errorf("--at %s is before the data, which begin at %s", at, minuteText(in.window.Start))
	}
	analyzer := analysis.New()
	for n, b := range in.batches {
		if n > 0 && !moment.IsZero() && b.Window.End.After(moment) {
			break
		}
		analyzer.Add(b)
	}
	return analyzer.Diagnose(), nil
}
