package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
)

func newDoctorCommand(a app) *cobra.Command {
	var o awsOptions
	cmd := &cobra.Command{
		Use:   "doctor [TABLE...]",
		Short: "Check credentials, permissions and Contributor Insights",
		Long: `Tries every call that hotpart makes, once, and says which work, how keys are
watched, and what to type where something is missing. It changes nothing. Without
a TABLE it tries the account's first.`,
		Example: `  hotpart doctor orders --profile prod`,
		Args:    needs(0, 20, "tables"),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.connect(cmd.Context(), o, collectors.Config{Tables: args})
			if err != nil {
				return err
			}
			checks := l.Doctor(cmd.Context())
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			return printChecks(a.out, checks)
		},
	}
	o.flags(cmd)
	return cmd
}

// printChecks prints a line for each check, its hint below, and at the end the
// policy that allows everything.
func printChecks(out io.Writer, checks []collectors.Check) error {
	for _, c := range checks {
		if _, err := fmt.Fprintf(out, "%-8s %s: %s\n", c.State, telemetry.Clean(c.Name), telemetry.Clean(c.Text)); err != nil {
			return err
		}
		if c.Hint == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-8s   hint: %s\n", "", telemetry.Clean(c.Hint)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "\nThe least IAM policy that allows all of it:\n\n%s", collectors.Policy())
	return err
}
