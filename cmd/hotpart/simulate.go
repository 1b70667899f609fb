package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
	"github.com/hotpart/hotpart/replay/scenario"
)

// simulation is what the command line asks for.
type simulation struct {
	output             string
	seed               uint64
	live, list, syntax bool
	score, detail      bool
	number             int
}

func newSimulateCommand(a app) *cobra.Command {
	var s simulation
	cmd := &cobra.Command{
		Use:   "simulate [SCENARIO] [-o FILE]",
		Short: "Make a synthetic recording whose truth is known, or score the analysis",
		Long: `Plays a scenario (a file, or a built-in one's name) second by second and writes
what AWS would have reported as a recording, with the truth in its header.

With --score it draws many scenarios at random instead, diagnoses each, and
prints how often the diagnosis is right.`,
		Example: `  hotpart simulate --list
  hotpart simulate hot-write-key -o incident.hotpart
  hotpart simulate --score -n 500`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case s.list:
				return a.listScenarios()
			case s.syntax:
				_, err := fmt.Fprint(a.out, scenario.Language)
				return err
			case s.score:
				return a.score(cmd.Context(), s)
			case len(args) == 0:
				return usage("simulate needs a scenario\nhint: hotpart simulate --list names the built-in ones")
			case s.output == "":
				return usage("simulate needs -o FILE for the recording")
			}
			return a.simulate(args[0], s)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&s.output, "output", "o", "", "the recording's `file`")
	flags.Uint64Var(&s.seed, "seed", 1, "what all chance depends on, a `number`")
	flags.BoolVar(&s.live, "live", false, "record, or score, polls as they would come live, late and revised")
	flags.BoolVar(&s.list, "list", false, "list the built-in scenarios")
	flags.BoolVar(&s.syntax, "syntax", false, "print the reference of the scenario language")
	flags.BoolVar(&s.score, "score", false, "score the analysis on random scenarios")
	flags.BoolVar(&s.detail, "detail", false, "with --score, list what was got wrong")
	flags.IntVarP(&s.number, "n", "n", 500, "with --score, how `many` scenarios")
	return cmd
}

func (a app) listScenarios() error {
	for _, name := range scenario.Names() {
		s, err := scenario.Library(name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(a.out, "%-28s %s\n", name, s.Title); err != nil {
			return err
		}
	}
	return nil
}

// readScenario reads a scenario file, or a built-in one by its name.
func readScenario(name string) (*scenario.Scenario, error) {
	text, err := os.ReadFile(name)
	switch {
	case err == nil:
		s, err := scenario.Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("scenario %q: %w\nhint: hotpart simulate --syntax", name, err)
		}
		s.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		return s, nil
	case !errors.Is(err, fs.ErrNotExist) || strings.ContainsRune(name, filepath.Separator):
		return nil, pathError("open", name, err)
	case !slices.Contains(scenario.Names(), name):
		return nil, fmt.Errorf("no file or built-in scenario is named %q%s", name,
			didYouMean("", name, scenario.Names(), "hotpart simulate --list"))
	}
	return scenario.Library(name)
}

func (a app) simulate(name string, how simulation) error {
	s, err := readScenario(name)
	if err != nil {
		return err
	}
	in := scenario.Generate(s, how.seed)
	h := captureHeader(in.Batch())
	h.PeriodSeconds = 60
	if h.Truth, err = in.TruthJSON(); err != nil {
		return err
	}
	return a.writeRecording(how.output, h, func(w *replay.Writer) error {
		if how.live {
			for _, poll := range in.Polls() {
				if err := w.Write(poll); err != nil {
					return err
				}
			}
			return nil
		}
		for step := range telemetry.Minutes(in.Batch()) {
			if err := w.Write(step); err != nil {
				return err
			}
		}
		return nil
	})
}
