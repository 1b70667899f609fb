package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/replay"
)

func newRedactCommand(a app) *cobra.Command {
	var r replay.Redactor
	var output, secret string
	cmd := &cobra.Command{
		Use:   "redact FILE -o FILE",
		Short: "Make a recording that can be shown to others",
		Long: `Makes a recording in which the values of keys are replaced by key-1, key-2 …
With --names accounts and all names and texts are replaced too. Regions, times,
sizes and loads stay, so the diagnosis stays the same.

With --secret the stand-ins are tokens that are the same in every recording
redacted with that file, and tell nothing to who doesn't have it.`,
		Example: `  hotpart redact night.hotpart --names -o shown.hotpart
  head -c 32 /dev/urandom > redact.key
  hotpart redact night.hotpart --secret redact.key --prefixes -o shown.hotpart`,
		Args: needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return usage("redact needs -o FILE for the new recording")
			}
			if secret != "" {
				var err error
				if r.Secret, err = readSecret(secret); err != nil {
					return err
				}
			}
			return a.redact(cmd.Context(), args[0], output, &r)
		},
	}
	cmd.Flags().BoolVar(&r.Names, "names", false, "replace accounts, names and texts too")
	cmd.Flags().BoolVar(&r.Prefixes, "prefixes", false, "keep beginnings of keys that look like a type, such as TENANT#")
	cmd.Flags().StringVar(&secret, "secret", "", "a `file` of 16 bytes or more, for tokens that are the same in every recording")
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new recording's `file`")
	return cmd
}

// readSecret reads the secret that tokens are made with.
func readSecret(path string) ([]byte, error) {
	const least, most = 16, 4096
	file, err := os.Open(path)
	if err != nil {
		return nil, pathError("read secret", path, err)
	}
	defer func() { _ = file.Close() }() // only read: closing can lose nothing
	secret, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil, pathError("read secret", path, err)
	}
	if len(secret) < least {
		return nil, fmt.Errorf("read secret %q: %d bytes are too few to keep tokens from being guessed\nhint: head -c 32 /dev/urandom > %s makes one", path, len(secret), pasted(path))
	}
	return secret, nil
}

func (a app) redact(ctx context.Context, path, output string, redactor *replay.Redactor) error {
	r, closer, err := a.openRecording(path)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }()
	header := redactor.Header(r.Header())
	header.Tool = tool()
	err = a.writeRecording(output, header, func(w *replay.Writer) error {
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
	a.warnOfDamage(path, r)
	return err
}
