package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVerifyCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check that a recording is whole",
		Long: `Reads a recording to its end. The exit status is 0 where it is whole, and 1
where something is damaged or missing; what can still be read is said.`,
		Args: needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.summarize(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if len(s.Damage) == 0 {
				_, err = fmt.Fprintf(a.out, "whole: %d batches\n", s.Batches)
				return err
			}
			for _, damage := range s.Damage {
				a.warn("%v", damage)
			}
			return fmt.Errorf("verify %q: damaged; %d batches can be read\nhint: diagnose takes it as it is", args[0], s.Batches)
		},
	}
}
