package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/tui"
)

// The exit statuses.
const (
	statusDone        = 0
	statusFailed      = 1
	statusUsage       = 2
	statusEvents      = 3
	statusInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once what doesn't heed the first
	os.Exit(run(ctx, os.Args[1:], app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv}))
}

// app is what a command may use of the world around it.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
}

// warn tells something on stderr.
func (a app) warn(format string, args ...any) {
	_, _ = fmt.Fprintln(a.err, telemetry.Clean(fmt.Sprintf(format, args...)))
}

// usageError is an error in how the program was called.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errEvents is how a command asks for the status that tells of events.
var errEvents = errors.New("events found")

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, a app) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := unknownCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	switch {
	case err == nil:
		return statusDone
	case errors.Is(err, errEvents):
		return statusEvents
	case ctx.Err() != nil, errors.Is(err, tui.ErrInterrupted):
		return statusInterrupted
	}
	a.complain(err)
	if _, ok := errors.AsType[usageError](err); ok {
		return statusUsage
	}
	return statusFailed
}

// complain prints an error, and its hints on lines of their own.
func (a app) complain(err error) {
	for i, line := range strings.Split(err.Error(), "\n") {
		if line = telemetry.Clean(line); i == 0 {
			line = "hotpart: " + line
		}
		_, _ = fmt.Fprintln(a.err, line)
	}
}

func newRoot(a app) *cobra.Command {
	root := &cobra.Command{
		Use:   "hotpart",
		Short: "Diagnose hot partitions in Amazon DynamoDB",
		Long: `hotpart shows which partition, key or limit of an Amazon DynamoDB table
throttles, why, how sure that is, and what to do. It only reads.

Try it without an AWS account:  hotpart replay`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newCaptureCommand(a),
		newCatCommand(a),
		newCutCommand(a),
		newDiagnoseCommand(a),
		newDoctorCommand(a),
		newExplainCommand(a),
		newFrameCommand(a),
		newImportCommand(a),
		newInfoCommand(a),
		newManCommand(a),
		newRecordCommand(a),
		newRedactCommand(a),
		newReplayCommand(a),
		newRunbookCommand(a),
		newSimulateCommand(a),
		newVerifyCommand(a),
		newVersionCommand(a),
		newWatchCommand(a),
		newWhatIfCommand(a),
	)
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	complete(root)
	return root
}
