package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

func newCutCommand(a app) *cobra.Command {
	var start, end, output string
	cmd := &cobra.Command{
		Use:   "cut FILE --start TIME --end TIME -o FILE",
		Short: "Make a recording of a part of a recording",
		Example: `  hotpart cut night.hotpart --start 23:20 --end 23:50 -o incident.hotpart
  hotpart cut night.hotpart --start -30m -o last.hotpart`,
		Args: needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return usage("cut needs -o FILE for the new recording")
			}
			return a.cut(cmd.Context(), args[0], output, start, end)
		},
	}
	cmd.Flags().StringVar(&start, "start", "", "first `time` to keep (RFC 3339, HH:MM in UTC, or -30m before the end)")
	cmd.Flags().StringVar(&end, "end", "", "first `time` not to keep")
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new recording's `file`")
	return cmd
}

func (a app) cut(ctx context.Context, path, output, start, end string) error {
	if path == "-" {
		return usage("cut reads its recording twice, so it can't be stdin")
	}
	s, err := a.summarize(ctx, path)
	if err != nil {
		return err
	}
	if s.Batches == 0 {
		return fmt.Errorf("cut %q: no batch can be read\nhint: hotpart verify %s says why", path, pasted(path))
	}
	from, to, err := span(start, end, telemetry.Window{Start: s.Start, End: s.End})
	if err != nil {
		return err
	}
	r, closer, err := a.openRecording(path)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }()
	header := r.Header()
	header.Tool = tool()
	err = a.writeRecording(output, header, func(w *replay.Writer) error {
		n, err := replay.Copy(ctx, w, r, &replay.Cutter{From: from, To: to})
		if err == nil && n == 0 {
			err = fmt.Errorf("nothing of %q falls in that time\nhint: it runs from %s to %s", path, minuteText(s.Start), minuteText(s.End))
		}
		return err
	})
	a.warnOfDamage(path, r)
	return err
}
