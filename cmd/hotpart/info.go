package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

func newInfoCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "info FILE",
		Short: "Say what a recording holds",
		Args:  needs(1, 1, "a recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.summarize(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.printSummary(s)
		},
	}
}

func (a app) summarize(ctx context.Context, path string) (replay.Summary, error) {
	r, closer, err := a.openRecording(path)
	if err != nil {
		return replay.Summary{}, err
	}
	defer func() { _ = closer.Close() }()
	s, err := replay.Summarize(ctx, r)
	if err != nil {
		return s, fmt.Errorf("read %q: %w", path, err)
	}
	return s, nil
}

func (a app) printSummary(s replay.Summary) error {
	out := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(out, "%s\t%s\n", name, telemetry.Clean(fmt.Sprintf(format, args...)))
	}
	row("format", "%s version %d", s.Header.Format, s.Header.Version)
	row("made by", "%s", cmp.Or(s.Header.Tool, "unknown"))
	if s.Header.Account != "" || s.Header.Region != "" {
		row("account", "%s %s", s.Header.Account, s.Header.Region)
	}
	for _, source := range s.Sources {
		row("source", "%s %s", source.Kind, source.Name)
	}
	if s.Batches > 0 {
		row("from", "%s", s.Start.UTC().Format(time.RFC3339))
		row("to", "%s (%s)", s.End.UTC().Format(time.RFC3339), lasting(s.End.Sub(s.Start)))
	}
	row("batches", "%d", s.Batches)
	for _, id := range s.Resources {
		what := "table"
		if id.Index != "" {
			what = "index"
		}
		row(what, "%s", id)
	}
	row("values", "%d of metrics, %d of key rankings", s.Points, s.Ranked)
	if s.Marks > 0 {
		row("marks", "%d", s.Marks)
	}
	if s.Header.Truth != nil {
		row("truth", "inside: the recording is synthetic")
	}
	for _, damage := range s.Damage {
		row("damage", "%v", damage)
	}
	return out.Flush()
}

// lasting is a duration without the parts that are zero: "1h40m".
func lasting(d time.Duration) string {
	text := d.Round(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = text[:len(text)-2]
	}
	if strings.HasSuffix(text, "h0m") {
		text = text[:len(text)-2]
	}
	return text
}
