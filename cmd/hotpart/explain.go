package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/report"
)

func newExplainCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [TERM]",
		Short: "Explain a term of the field",
		Long:  `Explains a term of the field, such as "hot partition". Without one it lists the terms.`,
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := fmt.Fprintln(a.out, strings.Join(report.Terms(), "\n"))
				return err
			}
			term := strings.Join(args, " ")
			text, ok := report.Explain(term)
			if !ok {
				return usage("the term %q isn't known%s", term, didYouMean("hotpart explain ", term, report.Terms(), "hotpart explain lists the terms"))
			}
			_, err := fmt.Fprint(a.out, text+"\n"+report.Details(term))
			return err
		},
	}
}
