package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/replay"
)

func newRedactCommand(a app) *cobra.Command {
	var r replay.Redactor
	var output string
	cmd := &cobra.Command{
		Use:   "redact FILE -o FILE",
		Short: "Make a recording that can be shown to others",
		Long: `Makes a recording in which the values of keys are replaced by key-1, key-2 …
With --names accounts and all names and texts are replaced too. Regions, times,
sizes and loads stay, so the diagnosis stays the same.`,
		Args: needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return usage("redact needs -o FILE for the new recording")
			}
			return a.redact(cmd.Context(), args[0], output, &r)
		},
	}
	cmd.Flags().BoolVar(&r.Names, "names", false, "replace accounts, names and texts too")
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new recording's `file`")
	return cmd
}

func (a app) redact(ctx context.Context, path, output string, redactor *replay.Redactor) error {
	r, closer, err := a.openRecording(path)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }()
	header := redactor.Header(r.Header())
	header.Tool = tool()
	return a.writeRecording(output, header, func(w *replay.Writer) error {
		for {
			b, err := r.Next(ctx)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := w.Write(redactor.Batch(b)); err != nil {
				return err
			}
		}
	})
}
