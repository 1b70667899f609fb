package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/report"
)

// reportFormats are the report's renderers by what --format calls them.
var reportFormats = map[string]func(io.Writer, *analysis.Diagnosis, report.Options) error{
	"text":     report.Text,
	"json":     report.JSON,
	"markdown": report.Markdown,
	"html":     report.HTML,
}

// reportOptions say how a diagnosis is printed.
type reportOptions struct {
	format      string
	failOnEvent bool
	mask, local bool
}

func (o *reportOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.format, "format", "text", "`how` to print the report: text, json, markdown or html")
	cmd.Flags().BoolVar(&o.failOnEvent, "fail-on-event", false, "exit with status 3 where there are events (confidence 0.5 or more)")
	cmd.Flags().BoolVar(&o.mask, "mask", false, "show key-1, key-2 … for the values of keys")
	cmd.Flags().BoolVar(&o.local, "local", false, "show local time instead of UTC")
}

func newDiagnoseCommand(a app) *cobra.Command {
	var o reportOptions
	var from, start, end string
	cmd := &cobra.Command{
		Use:   "diagnose --from PATH",
		Short: "Report what throttled, why, and what to do",
		Long: `Reports what throttled, why, how sure that is, and what to do. PATH is a
capture directory, a recording (- for stdin) or the name of a built-in incident.`,
		Example: `  hotpart diagnose --from hot-key-tenant
  hotpart diagnose --from night.hotpart --start 23:20 --end 23:50 --format markdown
  hotpart diagnose --from captures/0302 --format json --fail-on-event`,
		Args: needs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if from == "" {
				return usage("diagnose needs --from PATH\nhint: hotpart diagnose --from hot-key-tenant reports on a built-in incident")
			}
			in, err := a.load(cmd.Context(), from)
			if err != nil {
				return err
			}
			if in, err = in.cut(start, end); err != nil {
				return err
			}
			d, err := in.diagnose(cmd.Context())
			if err != nil {
				return err
			}
			return a.report(d, o)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the `path` of a capture directory or recording, or a built-in incident's name")
	cmd.Flags().StringVar(&start, "start", "", "first `time` to look at (RFC 3339, HH:MM in UTC, or -30m before the end)")
	cmd.Flags().StringVar(&end, "end", "", "`time` to look up to")
	o.flags(cmd)
	return cmd
}

func (o reportOptions) check() error {
	return oneOf("format", o.format, "text", "json", "markdown", "html")
}

// diagnose reads the incident to its end.
func (in incident) diagnose(ctx context.Context) (*analysis.Diagnosis, error) {
	analyzer := analysis.New()
	for _, b := range in.batches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		analyzer.Add(b)
	}
	return analyzer.Diagnose(), nil
}

// report prints a diagnosis, and asks for the status that tells of events where
// that was wished.
func (a app) report(d *analysis.Diagnosis, o reportOptions) error {
	options := report.Options{Mask: o.mask, Location: time.UTC}
	if o.local {
		options.Location = time.Local
	}
	if err := reportFormats[o.format](a.out, d, options); err != nil {
		return err
	}
	if o.failOnEvent {
		for _, e := range d.Events {
			if !e.Note() {
				return errEvents
			}
		}
	}
	return nil
}
