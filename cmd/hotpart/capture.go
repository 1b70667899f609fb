package main

import (
	_ "embed"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// captureScript is the script with marks for what differs.
//
//go:embed capture.sh
var captureScript string

// tableName is what DynamoDB allows as a table's name (API Reference,
// CreateTable, TableName), so that none needs quoting.
var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)

func newCaptureCommand(a app) *cobra.Command {
	var c captureOptions
	cmd := &cobra.Command{
		Use:   "capture TABLE...",
		Short: "Print a shell script that captures an incident with the AWS CLI",
		Long: `Prints a POSIX shell script for where hotpart can't run, or may not. It needs
only the AWS CLI, reads and changes nothing, and writes a capture directory.`,
		Example: `  hotpart capture orders --last 2h > capture.sh
  hotpart capture orders --start 2026-03-02T10:00:00Z --end 2026-03-02T12:00:00Z > capture.sh`,
		Args: needs(1, 100, "a table"),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.print(a.out, args, time.Now().UTC().Truncate(time.Minute))
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&c.last, "last", time.Hour, "how much to capture, up to now")
	flags.StringVar(&c.start, "start", "", "first `time` to capture (RFC 3339, or HH:MM in UTC, today)")
	flags.StringVar(&c.end, "end", "", "`time` to capture up to; now if left out")
	flags.StringVar(&c.profile, "profile", "", "the AWS CLI's `profile`")
	flags.StringVar(&c.region, "region", "", "the AWS `Region`")
	flags.StringVar(&c.endpoint, "endpoint-url", "", "the AWS CLI's `URL` for another endpoint")
	return cmd
}

// captureOptions say what a capture script asks for.
type captureOptions struct {
	last                      time.Duration
	start, end                string
	profile, region, endpoint string
}

// print fills the script in. now is the newest minute.
func (c captureOptions) print(out io.Writer, tables []string, now time.Time) error {
	today := telemetry.Window{Start: now.Truncate(24 * time.Hour), End: now}
	from, to, err := span(c.start, c.end, today)
	if err != nil {
		return err
	}
	if to.IsZero() {
		to = now
	}
	if from.IsZero() {
		from = to.Add(-c.last)
	}
	if !from.Before(to) {
		return usage("--last %v is not a span of time", c.last)
	}
	var calls strings.Builder
	for _, t := range tables {
		if !tableName.MatchString(t) {
			return usage("%q is not a table's name", t)
		}
		calls.WriteString("table " + t + "\n")
	}
	var options strings.Builder
	for _, o := range [][2]string{{"--profile", c.profile}, {"--region", c.region}, {"--endpoint-url", c.endpoint}} {
		if o[1] != "" {
			options.WriteString(o[0] + " " + quoted(o[1]) + " ")
		}
	}
	_, err = strings.NewReplacer(
		"@START@", minuteText(from), "@END@", minuteText(to), "@OPTIONS@", options.String(),
		"@TABLES@\n", calls.String(), "@DIR@", "capture-"+tables[0]+"-"+from.Format("20060102T1504Z"),
	).WriteString(out, captureScript)
	return err
}

// pasted is a word that a hint has one type: as it is where nothing in it is special to a
// shell, else quoted.
func pasted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return quoted(word)
}

// pastedAll are several such words.
func pastedAll(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, pasted(w))
	}
	return strings.Join(out, " ")
}

// quoted is a word for a POSIX shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
