package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// status N COMMAND... runs a command that must end with exit status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// damage cut|flip FILE takes away the last third of a file, or inverts the byte
// in its middle.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage cut|flip FILE")
	}
	path := ts.MkAbs(args[1])
	content, err := os.ReadFile(path)
	ts.Check(err)
	switch args[0] {
	case "cut":
		content = content[:len(content)*2/3]
	case "flip":
		content[len(content)/2] ^= 0xff
	default:
		ts.Fatalf("unknown damage %q", args[0])
	}
	ts.Check(os.WriteFile(path, content, 0o644))
}
