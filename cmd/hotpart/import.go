package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

func newImportCommand(a app) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "import PATH -o FILE",
		Short: "Make a recording of a capture directory, a log or an export",
		Long: `Makes a recording of a capture directory: of what the AWS CLI printed, one
JSON document a file. The recording is one file, and smaller. PATH may also be a
log with throttling errors (- for stdin), a file of get-metric-statistics or a CSV
export of Grafana's.`,
		Args: needs(1, 1, "a capture directory, a log or an export"),
		RunE: func(_ *cobra.Command, args []string) error {
			if output == "" {
				return usage("import needs -o FILE for the recording")
			}
			return a.importCapture(args[0], output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the recording's `file`")
	return cmd
}

func (a app) importCapture(path, output string) error {
	b, ok, err := a.decode(path)
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("import %q: it is no capture directory, log or export\nhint: hotpart info %s tells whether it is a recording already", path, pasted(path))
	}
	for _, w := range b.Warnings {
		a.warn("warning: %s", w.Text)
	}
	return a.writeRecording(output, captureHeader(b), func(w *replay.Writer) error {
		for step := range telemetry.Minutes(b) {
			if err := w.Write(step); err != nil {
				return err
			}
		}
		return nil
	})
}

func captureHeader(b telemetry.Batch) replay.Header {
	h := replay.Header{Tool: tool(), PeriodSeconds: int(b.Window.Period.Seconds())}
	for _, t := range b.Tables {
		h.Account, h.Region = t.ID.Account, t.ID.Region
		h.Resources = append(h.Resources, t.ID.Resource())
		for _, index := range t.Indexes {
			h.Resources = append(h.Resources, t.ID.WithIndex(index.Name))
		}
	}
	return h
}
