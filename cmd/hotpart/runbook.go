package main

import (
	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/report"
)

func newRunbookCommand(a app) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "runbook CAUSE, or runbook --from PATH",
		Short: "Print a walkthrough as a checklist",
		Long: `Prints a walkthrough as a Markdown checklist: for a cause, such as hot_key, or
with --from for the leading event of an incident, with its names and numbers,
and with the steps ticked that the data show as done.`,
		Example: `  hotpart runbook hot_key
  hotpart runbook --from hot-key-tenant`,
		Args: needs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (from == "") == (len(args) == 0):
				return usage("runbook needs a cause or --from PATH\nhint: hotpart runbook hot_key")
			case from == "":
				return a.causeRunbook(args[0])
			}
			in, err := a.load(cmd.Context(), from)
			if err != nil {
				return err
			}
			d, err := in.diagnose(cmd.Context())
			if err != nil {
				return err
			}
			e := d.Leading()
			if e == nil {
				a.warn("no event: there is nothing to walk through")
				return nil
			}
			return report.Runbook(a.out, d.Runbook(e))
		},
		ValidArgs: causeNames(),
	}
	cmd.Flags().StringVar(&from, "from", "", "the `path` of a capture directory or recording, or a built-in incident's name")
	return cmd
}

func (a app) causeRunbook(cause string) error {
	steps := analysis.Runbook(analysis.Cause(cause))
	if steps == nil {
		return usage("%q is not a cause%s", cause, didYouMean("hotpart runbook ", cause, causeNames(), "hotpart runbook hot_key"))
	}
	return report.Runbook(a.out, steps)
}

func causeNames() []string {
	var names []string
	for _, c := range analysis.Causes {
		names = append(names, string(c))
	}
	return names
}
