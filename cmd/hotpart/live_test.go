package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/collectors/awsserver"
	"github.com/hotpart/hotpart/replay"
)

// whole is what a path or a built-in name holds, as one batch.
func whole(t testing.TB, path string) telemetry.Batch {
	t.Helper()
	in, err := app{in: strings.NewReader(""), env: os.Getenv}.load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return awsserver.Join(in.batches)
}

// onAWS makes the program's calls go to a server of a batch.
func onAWS(t *testing.T, server http.Handler, region string) {
	t.Helper()
	loopback := httptest.NewServer(server)
	t.Cleanup(loopback.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": region, "AWS_CONFIG_FILE": os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": loopback.URL,
	} {
		t.Setenv(name, value)
	}
}

// hotpart runs a command line.
func hotpart(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, app{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }})
	return status, out.String(), errs.String()
}

// Live, a table has the same events as the capture of it.
func TestLiveTablesAreDiagnosedLikeTheirCaptures(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(*captures, "*", "expected.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no captures", err)
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b, err := decodeCapture(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tables) == 0 {
				t.Skip("the capture has no table to ask for")
			}
			now := b.Window.End.Add(time.Hour)
			onAWS(t, awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return now }}), b.Tables[0].ID.Region)
			args := []string{"diagnose", "--format", "json", "--start", b.Window.Start.Format(time.RFC3339), "--end", b.Window.End.Format(time.RFC3339)}
			for _, table := range b.Tables {
				args = append(args, table.ID.Table)
			}
			status, out, errs := hotpart(t, args...)
			if status != statusDone {
				t.Fatalf("exit status %d: %s", status, errs)
			}
			var got struct{ Events []reportedEvent }
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			same := cmpopts.IgnoreFields(reportedEvent{}, "Confidence")
			if diff := cmp.Diff(diagnoseJSON(t, dir), got.Events, same, cmpopts.EquateApprox(0.001, 0)); diff != "" {
				t.Errorf("events differ (-capture +live):\n%s", diff)
			}
		})
	}
}

// simulated is the recording of a scenario of the library.
func simulated(t *testing.T, name string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name+".hotpart")
	if status, _, errs := hotpart(t, "simulate", name, "--seed", "7", "-o", path); status != statusDone {
		t.Fatal(status, errs)
	}
	return path
}

// What callers felt is asked for: counts, latency and AWS's own errors, by operation.
func TestLiveUsersAreThoseOfTheRecording(t *testing.T) {
	path := simulated(t, "hot-write-key")
	b := whole(t, path)
	now := b.Window.End.Add(time.Hour)
	onAWS(t, awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return now }}), b.Tables[0].ID.Region)
	users := func(args ...string) any {
		events := reported(t, append([]string{"diagnose"}, args...)...)["events"].([]any)
		return events[0].(map[string]any)["users"]
	}
	live := users(b.Tables[0].ID.Table, "--start", b.Window.Start.Format(time.RFC3339), "--end", b.Window.End.Format(time.RFC3339))
	if diff := cmp.Diff(users("--from", path), live); diff != "" {
		t.Errorf("users differ (-recorded +live):\n%s", diff)
	}
	for _, o := range live.(map[string]any)["operations"].([]any) {
		if operation := o.(map[string]any); operation["p99_latency_ms_slowest_minute"] == nil {
			t.Errorf("no percentile of %v", operation)
		}
	}
	if live.(map[string]any)["system_errors"] != 0.0 {
		t.Errorf("system errors of %v", live)
	}
}

var captures = flag.String("captures", filepath.Join("testdata", "captures"), "the `directory` of the captures to compare")

func liveServer(t *testing.T) (server *awsserver.Server, table string) {
	t.Helper()
	b := whole(t, "hot-key-tenant")
	server = awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Truncate(time.Minute).Add(-40 * time.Minute)})
	onAWS(t, server, b.Tables[0].ID.Region)
	return server, b.Tables[0].ID.Table
}

func TestDiagnoseTellsWhatItAskedOnStderrAlone(t *testing.T) {
	_, table := liveServer(t)
	status, out, errs := hotpart(t, "diagnose", table, "--last", "40m")
	if status != statusDone || !strings.Contains(out, table) || !strings.Contains(errs, "metrics in") {
		t.Errorf("status %d\n%s\n%s", status, out, errs)
	}
}

func TestDeniedCallsAreWarnedOfInTheReport(t *testing.T) {
	server, table := liveServer(t)
	server.Fail("GetInsightRuleReport", awsserver.Fault{Kind: awsserver.Deny})
	status, out, _ := hotpart(t, "diagnose", table, "--format", "json")
	if status != statusDone || !strings.Contains(out, "allow cloudwatch:GetInsightRuleReport") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestLiveErrorsSayWhatToType(t *testing.T) {
	server, table := liveServer(t)
	status, _, errs := hotpart(t, "diagnose", table+"x")
	if status != statusFailed || !strings.Contains(errs, "hint: there is "+table) {
		t.Errorf("status %d: %s", status, errs)
	}
	server.Fail("DescribeTable", awsserver.Fault{Kind: awsserver.Expire})
	server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Expire})
	status, _, errs = hotpart(t, "diagnose", table)
	if status != statusFailed || !strings.Contains(errs, "expired") || !strings.Contains(errs, "hint: ") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, _, errs = hotpart(t, "watch", table); status != statusUsage || !strings.Contains(errs, "hint: hotpart diagnose "+table) {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestRecordWritesWhatItIsToldForItsOwnerAlone(t *testing.T) {
	_, table := liveServer(t)
	path := filepath.Join(t.TempDir(), "now.hotpart")
	status, out, errs := hotpart(t, "record", table, "-o", path, "--for", "1ms")
	if status != statusDone || out != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if status, out, errs := hotpart(t, "diagnose", "--from", path); status != statusDone || !strings.Contains(out, table) {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if status, _, errs := hotpart(t, "record", table, "-o", path); status != statusFailed || !strings.Contains(errs, "the file exists") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestABudgetMakesPollsRarerAndTheScreenSaysSo(t *testing.T) {
	_, table := liveServer(t)
	path := filepath.Join(t.TempDir(), "now.hotpart")
	status, _, errs := hotpart(t, "record", table, "-o", path, "--for", "1ms", "--budget", "0.02")
	if status != statusDone || !strings.Contains(errs, "/h, every 3 min; Ctrl-C ends it") || !strings.Contains(errs, "to stay within the budget") {
		t.Errorf("status %d: %s", status, errs)
	}
	if got := polling(collectors.Meter{MetricsAPoll: 100, Every: time.Minute}); got != "$0.06/h" {
		t.Errorf("the screen says %q of polls each minute", got)
	}
	if status, _, errs := hotpart(t, "record", table, "-o", path, "--budget", "-1"); status != statusUsage || !strings.Contains(errs, "--budget -1") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestRecordStopsWhereTheBudgetDoes(t *testing.T) {
	_, table := liveServer(t)
	path := filepath.Join(t.TempDir(), "now.hotpart")
	status, _, errs := hotpart(t, "record", table, "-o", path, "--budget", "0.0001")
	if status != statusUsage || !strings.Contains(errs, "--budget") {
		t.Errorf("status %d: %s", status, errs)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty recording is left behind")
	}
}

func TestARecordingIsReadableWhileItIsWritten(t *testing.T) {
	b := whole(t, "hot-key-tenant")
	path := filepath.Join(t.TempDir(), "now.hotpart")
	r, err := newRecorder(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.record(b); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader, err := replay.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if _, err := reader.Next(t.Context()); errors.Is(err, io.EOF) {
			if n < int(b.Window.End.Sub(b.Window.Start)/time.Minute) {
				t.Errorf("read %d minutes", n)
			}
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDoctorPrintsChecksAndPolicy(t *testing.T) {
	_, table := liveServer(t)
	status, out, errs := hotpart(t, "doctor", table)
	if status != statusDone || !strings.Contains(out, "ok       cloudwatch:GetMetricData") || !strings.Contains(out, `"Version": "2012-10-17"`) {
		t.Errorf("status %d\n%s\n%s", status, out, errs)
	}
}
