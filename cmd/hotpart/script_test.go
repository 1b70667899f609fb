package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hotpart": main})
}

// TestScripts runs the program as a shell would. The scripts in testdata/script
// read as the specification of stdout, stderr and exit status. $CAPTURES and
// $INCIDENTS are directories of captures and of built-in incidents.
func TestScripts(t *testing.T) {
	captures, err := filepath.Abs(filepath.Join("testdata", "captures"))
	if err != nil {
		t.Fatal(err)
	}
	incidents, err := filepath.Abs(filepath.Join("..", "..", "replay", "incidents"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("CAPTURES", captures)
			e.Setenv("INCIDENTS", incidents)
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status, "damage": damage},
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
	})
}
