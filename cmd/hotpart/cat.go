package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/replay"
)

func newCatCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "cat FILE",
		Short: "Print a recording as JSON Lines",
		Long: `Prints a recording as JSON Lines, one batch a line, for grep and jq. What it
prints is a recording too. FILE may be - for stdin.`,
		Args: needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, closer, err := a.openRecording(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = closer.Close() }()
			out := bufio.NewWriter(a.out)
			w := replay.NewTextWriter(out, r.Header())
			_, err = replay.Copy(cmd.Context(), w, r, &replay.Cutter{})
			a.warnOfDamage(args[0], r)
			return errors.Join(err, w.Close(), out.Flush())
		},
	}
}
