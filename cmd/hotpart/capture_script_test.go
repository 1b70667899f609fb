package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

var toolchains = flag.Bool("toolchains", false, "also run the capture script with the AWS CLI")

// What the script captures with the AWS CLI is what a live report is made of: the two
// reports differ in their source and in what a warning says to type, which concerns live
// tables only.
func TestTheCaptureScriptSeesWhatIsSeenLive(t *testing.T) {
	if !*toolchains {
		t.Skip("the AWS CLI takes a second a call: -toolchains runs it")
	}
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("there is no AWS CLI here")
	}
	b := whole(t, simulated(t, "hot-write-key"))
	now := b.Window.End.Add(time.Hour)
	region := b.Tables[0].ID.Region
	onAWS(t, awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return now }}), region)
	t.Setenv("AWS_DEFAULT_REGION", region)
	t.Chdir(t.TempDir())
	window := []string{"--start", b.Window.Start.Format(time.RFC3339), "--end", b.Window.End.Format(time.RFC3339)}
	status, script, errs := hotpart(t, slices.Concat([]string{"capture", b.Tables[0].ID.Table}, window)...)
	if status != statusDone {
		t.Fatal(status, errs)
	}
	shell := exec.CommandContext(t.Context(), "sh")
	shell.Stdin = strings.NewReader(script)
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dirs, err := filepath.Glob("capture-*")
	if err != nil || len(dirs) != 1 {
		t.Fatal("no capture", dirs, err)
	}
	captured := reported(t, "diagnose", "--from", dirs[0])
	live := reported(t, slices.Concat([]string{"diagnose", b.Tables[0].ID.Table}, window)...)
	if diff := cmp.Diff(captured, live); diff != "" {
		t.Errorf("reports differ (-captured +live):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dirs[0], "capture.json")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the capture: %v %v", info, err)
	}
}

// reported is a report without its source, the texts of its warnings, and that of the
// served incident's clock, which is long past.
func reported(t *testing.T, args ...string) map[string]any {
	t.Helper()
	status, out, errs := hotpart(t, append(args, "--format", "json")...)
	if status != statusDone {
		t.Fatal(status, errs)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "source")
	warnings := slices.DeleteFunc(got["warnings"].([]any), func(w any) bool {
		return w.(map[string]any)["code"] == telemetry.ClockSkew
	})
	for _, w := range warnings {
		delete(w.(map[string]any), "text")
	}
	got["warnings"] = warnings
	return got
}
