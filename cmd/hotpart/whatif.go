package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/report"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// whatIfOptions say which event to replay, and with what changed.
type whatIfOptions struct {
	from, format string
	event        int
	mask         bool
	remedy       analysis.Remedy
	capacity     float64
	maximum      float64
	quota        float64
	warm, pace   float64
}

func newWhatIfCommand(a app) *cobra.Command {
	var o whatIfOptions
	cmd := &cobra.Command{
		Use:   "whatif --from PATH",
		Short: "Replay an incident with a change and forecast the refusals",
		Long: `Replays an event on a model with a change applied, and forecasts how many
requests would have been refused: as a range, with what it assumes. Without a
change it does so for each recommendation. Rates are capacity units a second of
the event's own table or index and direction.`,
		Example: `  hotpart whatif --from hot-key-tenant
  hotpart whatif --from hot-key-tenant --shards 4
  hotpart whatif --from table-capacity --capacity 1500 --format json`,
		Args: needs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.whatIf(cmd, o) },
	}
	flags := cmd.Flags()
	fromFlag(cmd, &o.from)
	flags.IntVar(&o.event, "event", 0, "the `number` of the event as diagnose counts them (default the leading one)")
	flags.IntVar(&o.remedy.Shards, "shards", 0, "spread each key behind the event over so many `keys`")
	flags.Float64Var(&o.capacity, "capacity", 0, "provisioned `units` a second")
	flags.Float64Var(&o.maximum, "on-demand-maximum", 0, "on-demand maximum in `units` a second")
	flags.Float64Var(&o.quota, "quota", 0, "the account's quota for one table in `units` a second")
	flags.BoolVar(&o.remedy.SwitchToOnDemand, "on-demand", false, "switch the table to on-demand")
	flags.Float64Var(&o.warm, "warm", 0, "warm throughput in `units` a second")
	flags.BoolVar(&o.remedy.EventuallyConsistent, "eventually-consistent", false, "make all reads eventually consistent")
	flags.Float64Var(&o.remedy.CacheHitRatio, "hit-ratio", 0, "the `share` of reads that a cache answers, 0 to 1")
	flags.Float64Var(&o.remedy.ItemFactor, "item-factor", 0, "a request's new cost as a `part` of the old, such as 0.25")
	flags.IntVar(&o.remedy.Attempts, "attempts", 0, "how many `times` clients try a request, the first included")
	flags.Float64Var(&o.pace, "pace", 0, "hold the load to so many `units` a second, spread evenly")
	flags.StringVar(&o.format, "format", "text", "`how` to print: text or json")
	flags.BoolVar(&o.mask, "mask", false, "show key-1, key-2 … for the values of keys")
	return cmd
}

func (a app) whatIf(cmd *cobra.Command, o whatIfOptions) error {
	if err := o.check(cmd.Flags()); err != nil {
		return err
	}
	o.remedy.Provisioned, o.remedy.Maximum, o.remedy.Quota = telemetry.Rate(o.capacity), telemetry.Rate(o.maximum), telemetry.Rate(o.quota)
	o.remedy.Warm, o.remedy.Pace = telemetry.Rate(o.warm), telemetry.Rate(o.pace)
	in, err := a.load(cmd.Context(), o.from)
	if err != nil {
		return err
	}
	d, err := in.diagnose(cmd.Context())
	if err != nil {
		return err
	}
	e := d.Leading()
	if o.event > len(d.Events) {
		return usage("--event %d: there are %d events\nhint: hotpart diagnose --from %s lists them", o.event, len(d.Events), pasted(o.from))
	}
	if o.event > 0 {
		e = d.Events[o.event-1]
	}
	if e == nil {
		a.warn("no event: there is nothing to replay")
		return nil
	}
	tried := []report.Tried{{What: o.words(cmd), Forecast: analysis.WhatIf(d, e, o.remedy)}}
	if o.remedy == (analysis.Remedy{}) {
		tried = advised(d, e)
	}
	options := report.Options{Mask: o.mask, Location: time.UTC}
	if o.format == "json" {
		return report.ForecastsJSON(a.out, d, e, tried, options)
	}
	return report.Forecasts(a.out, d, e, tried, options)
}

// changes are the flags that change the incident.
var changes = []string{
	"shards", "capacity", "on-demand-maximum", "quota", "on-demand", "warm", "eventually-consistent", "hit-ratio", "item-factor", "attempts", "pace",
}

// check refuses what can't be meant, a change that changes nothing included.
func (o whatIfOptions) check(flags *pflag.FlagSet) error {
	const mostKeys = 10000
	r := o.remedy
	switch {
	case o.from == "":
		return usage("whatif needs --from PATH\nhint: hotpart whatif --from hot-key-tenant --shards 4")
	case o.event < 0:
		return usage("--event %d is no event's number", o.event)
	case flags.Changed("shards") && (r.Shards < 2 || r.Shards > mostKeys):
		return usage("--shards %d: want 2 to %d keys", r.Shards, mostKeys)
	case !(r.CacheHitRatio >= 0 && r.CacheHitRatio <= 1):
		return usage("--hit-ratio %v: want a share from 0 to 1", r.CacheHitRatio)
	case flags.Changed("attempts") && r.Attempts < 1:
		return usage("--attempts %d: want at least 1", r.Attempts)
	}
	for _, x := range []float64{o.capacity, o.maximum, o.quota, o.warm, o.pace, r.ItemFactor} {
		const most = 1e9
		if !(x >= 0 && x <= most) {
			return usage("%v is no number of units or part of a cost", x)
		}
	}
	for _, name := range changes {
		if f := flags.Lookup(name); f.Changed && f.Value.String() == f.DefValue {
			return usage("--%s %s changes nothing\nhint: hotpart whatif --help", name, f.Value)
		}
	}
	return oneOf("format", o.format, "text", "json")
}

// words says which flags make the change.
func (o whatIfOptions) words(cmd *cobra.Command) string {
	var out []string
	for _, name := range changes {
		if f := cmd.Flags().Lookup(name); f.Changed {
			out = append(out, fmt.Sprintf("--%s %s", name, f.Value))
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), " true", "")
}

// advised forecasts each recommendation.
func advised(d *analysis.Diagnosis, e *analysis.Event) []report.Tried {
	var out []report.Tried
	for _, rec := range e.Recommendations {
		f, _ := d.Forecast(e, rec)
		out = append(out, report.Tried{What: rec.Summary, Forecast: f})
	}
	return out
}
