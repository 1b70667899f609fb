package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/report"
)

func newRunbookCommand(a app) *cobra.Command {
	var from, dir string
	cmd := &cobra.Command{
		Use:   "runbook CAUSE, or runbook --from PATH",
		Short: "Print a walkthrough as a checklist",
		Long: `Prints a walkthrough as a Markdown checklist: for a cause, such as hot_key, or
with --from for the leading event of an incident, with its names and numbers,
and with the steps ticked that the data show as done. With --runbook-dir your team's own
steps follow: Markdown files named by cause, such as hot_key.md, in which {{table}},
{{key}} and the like stand for the incident's names.`,
		Example: `  hotpart runbook hot_key
  hotpart runbook --from hot-key-tenant`,
		Args: needs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			team, err := loadRunbooks(dir)
			if err != nil {
				return err
			}
			switch {
			case (from == "") == (len(args) == 0):
				return usage("runbook needs a cause or --from PATH\nhint: hotpart runbook hot_key")
			case from == "":
				return a.causeRunbook(args[0], team)
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
			return report.Runbook(a.out, append(d.Runbook(e), team.For(e)...))
		},
		ValidArgs: causeNames(),
	}
	fromFlag(cmd, &from)
	cmd.Flags().StringVar(&dir, "runbook-dir", "", runbookDirUsage)
	return cmd
}

const runbookDirUsage = "`directory` of your team's own steps, Markdown files named by cause such as hot_key.md"

// mostRunbook bounds a team's file, in bytes.
const mostRunbook = 1 << 20

// loadRunbooks reads a team's own steps; none where there is no directory.
func loadRunbooks(dir string) (analysis.TeamRunbooks, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, usage("--runbook-dir: %v", err)
	}
	out := analysis.TeamRunbooks{}
	for _, x := range entries {
		name, ok := strings.CutSuffix(x.Name(), ".md")
		if !ok || x.IsDir() || strings.EqualFold(name, "readme") {
			continue
		}
		path := filepath.Join(dir, x.Name())
		if !slices.Contains(causeNames(), name) {
			return nil, usage("%s: %q is not a cause%s", path, name, didYouMean("", name, causeNames(), "causes are "+strings.Join(causeNames(), ", ")))
		}
		if info, err := x.Info(); err != nil || info.Size() > mostRunbook {
			return nil, usage("%s: a runbook is at most %d bytes", path, mostRunbook)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read runbook: %w", err)
		}
		if out[analysis.Cause(name)], err = analysis.ParseTeamRunbook(path, string(text)); err != nil {
			return nil, usage("%v", err)
		}
	}
	return out, nil
}

func (a app) causeRunbook(cause string, team analysis.TeamRunbooks) error {
	steps := analysis.Runbook(analysis.Cause(cause))
	if steps == nil {
		return usage("%q is not a cause%s", cause, didYouMean("hotpart runbook ", cause, causeNames(), "hotpart runbook hot_key"))
	}
	return report.Runbook(a.out, append(steps, team.Unbound(analysis.Cause(cause))...))
}

func causeNames() []string {
	var names []string
	for _, c := range analysis.Causes {
		names = append(names, string(c))
	}
	return names
}
