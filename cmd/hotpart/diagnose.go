package main

import (
	"context"
	"io"
	"strings"
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
	prices      map[string]string
}

func (o *reportOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.format, "format", "text", "`how` to print the report: text, json, markdown or html")
	cmd.Flags().BoolVar(&o.failOnEvent, "fail-on-event", false, "exit with status 3 where there are events (confidence 0.5 or more)")
	cmd.Flags().BoolVar(&o.mask, "mask", false, "show key-1, key-2 … for the values of keys")
	cmd.Flags().BoolVar(&o.local, "local", false, "show local time instead of UTC")
	cmd.Flags().StringToStringVar(&o.prices, "price", nil, "your `prices` in dollars for "+strings.Join(priceNames(), ", ")+", such as wcu-hour=0.00078; others are list prices")
	cmd.Flags().Lookup("price").DefValue = "" // else help shows []
}

// diagnoseOptions say what to diagnose: what a path holds, or live tables.
type diagnoseOptions struct {
	report           reportOptions
	aws              awsOptions
	from, start, end string
	marks, alarm     string
	// timed is set where the command line chose the time.
	timed bool
	last  time.Duration
}

func newDiagnoseCommand(a app) *cobra.Command {
	var o diagnoseOptions
	cmd := &cobra.Command{
		Use:   "diagnose TABLE... | --alarm NAME | --from PATH",
		Short: "Report what throttled, why, and what to do",
		Long: `Reports what throttled, why, how sure that is, and what to do: of live tables in
the last hour, of the table of a CloudWatch alarm around the time it went off, or
of an incident. PATH is a capture directory, a recording (- for stdin), a log with
throttling errors, a CSV export of Grafana's or the name of a built-in incident.`,
		Example: `  hotpart diagnose orders --last 3h
  hotpart diagnose --alarm orders-write-throttles
  hotpart diagnose --from hot-key-tenant
  hotpart diagnose --from night.hotpart --start 23:20 --end 23:50 --format markdown
  hotpart diagnose --from captures/0302 --format json --fail-on-event`,
		Args: needs(0, 100, "tables"),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := cmd.Flags().Changed("last")
			o.timed = last || o.start != "" || o.end != ""
			if err := o.check(args, last); err != nil {
				return err
			}
			d, err := a.diagnose(cmd.Context(), args, o)
			if err != nil {
				return err
			}
			return a.report(d, o.report)
		},
	}
	flags := cmd.Flags()
	fromFlag(cmd, &o.from)
	flags.DurationVar(&o.last, "last", time.Hour, "how much of live tables' time to look at, up to now")
	flags.StringVar(&o.start, "start", "", "first `time` to look at (RFC 3339, HH:MM in UTC, or -30m before the end)")
	flags.StringVar(&o.end, "end", "", "`time` to look up to")
	alarmFlag(cmd, &o.alarm)
	marksFlag(cmd, &o.marks)
	o.aws.flags(cmd)
	o.aws.linkedFlag(cmd)
	o.report.flags(cmd)
	return cmd
}

// check refuses what can't be meant.
func (o diagnoseOptions) check(tables []string, last bool) error {
	switch {
	case o.alarm != "" && o.aws.linked:
		return errAlarmOfLinked
	case o.alarm != "" && (o.from != "" || len(tables) > 0):
		return usage("--alarm names the table: give it alone\nhint: hotpart diagnose --alarm %s", pasted(o.alarm))
	case o.from == "" && len(tables) == 0 && o.alarm == "":
		return usage("diagnose needs a table, --alarm NAME or --from PATH\nhint: hotpart diagnose --from hot-key-tenant reports on a built-in incident")
	case o.from != "" && len(tables) > 0:
		return usage("diagnose takes tables or --from, not both\nhint: hotpart diagnose --from %s", pasted(o.from))
	case o.from != "" && last:
		return usage("--last is for live tables\nhint: --start -30m looks at the incident's last half hour")
	case last && o.start != "":
		return usage("--last and --start both say where to begin")
	case o.last <= 0:
		return usage("--last %s is no time to look at", o.last)
	}
	return o.report.check()
}

func (a app) diagnose(ctx context.Context, tables []string, o diagnoseOptions) (*analysis.Diagnosis, error) {
	if o.from == "" {
		if err := checkMarks(o.marks); err != nil {
			return nil, err
		}
		return a.diagnoseLive(ctx, tables, o)
	}
	if o.start == "" && o.end == "" && o.marks == "" {
		analyzer := analysis.New()
		if err := a.each(ctx, o.from, analyzer.Add); err != nil {
			return nil, err
		}
		return analyzer.Diagnose(), nil
	}
	in, err := a.load(ctx, o.from)
	if err != nil {
		return nil, err
	}
	if in, err = a.mark(in, o.marks); err != nil {
		return nil, err
	}
	if in, err = in.cut(o.start, o.end); err != nil {
		return nil, err
	}
	return in.diagnose(ctx)
}

func (o reportOptions) check() error {
	if _, err := withPrices(o.prices); err != nil {
		return err
	}
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
	prices, err := withPrices(o.prices)
	if err != nil {
		return err
	}
	options := report.Options{Mask: o.mask, Location: time.UTC, Prices: prices}
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
