package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
	"github.com/hotpart/hotpart/replay"
)

const canary = "CANARY#4711"

// withCanary puts the canary into each ranked key of half an hour of an incident.
func withCanary(t *testing.T) telemetry.Batch {
	t.Helper()
	b := whole(t, "hot-key-tenant")
	b.Window.End = b.Window.Start.Add(30 * time.Minute)
	for i := range b.Rankings {
		for j := range b.Rankings[i].Contributors {
			key := &b.Rankings[i].Contributors[j].Key
			key.Partition = canary + key.Partition
		}
	}
	return b
}

// Keys are in what a command was asked for, on stdout or in a file of its owner's, and
// nowhere else.
func TestKeysAreInResultsAloneAndForTheirOwner(t *testing.T) {
	b := withCanary(t)
	server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Truncate(time.Minute).Add(-30 * time.Minute)})
	onAWS(t, server, b.Tables[0].ID.Region)
	t.Chdir(t.TempDir())
	table := b.Tables[0].ID.Table
	if err := (app{}).writeRecording("whole", replay.Header{PeriodSeconds: 60}, func(w *replay.Writer) error { return w.Write(b) }); err != nil {
		t.Fatal(err)
	}
	damaged, err := os.ReadFile("whole")
	if err != nil {
		t.Fatal(err)
	}
	damaged[len(damaged)/2] ^= 0xff
	line := `{"kind":"header","format":"hotpart.recording","version":1}` + "\n" + `{"kind":"batch","rankings":[{"contributors":[{"p":"` + canary + "\n"
	if err := os.Mkdir("capture", 0o700); err != nil {
		t.Fatal(err)
	}
	writeCapture(t, "capture", 0, b)
	for name, content := range map[string]string{
		"damaged": string(damaged), "lines": line,
		"capture/insight-report.DynamoDBContributorInsights-PKC-" + table + "-1.json": `{"Contributors":[{"Keys":["` + canary + `"],"Datapoints":[{"Timestamp":"` + canary + `"`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := false
	for _, line := range []string{
		"diagnose " + table + " --last 30m", "record " + table + " -o recorded --for 1ms", "doctor " + table, "capture " + table, "watch " + table,
		"diagnose --from whole", "diagnose --from capture", "diagnose --from damaged", "diagnose --from lines", "replay whole", "frame --from whole",
		"whatif --from whole", "runbook --from whole", "info whole", "info damaged", "verify damaged", "verify lines", "cat whole", "cat damaged",
		"cut whole --start -10m -o cut", "redact whole -o redacted", "import capture -o imported", "simulate hot-write-key -o simulated",
	} {
		_, out, errs := hotpart(t, strings.Fields(line)...)
		shown = shown || strings.Contains(out, canary)
		if strings.Contains(errs, canary) {
			t.Errorf("hotpart %s: a key is on stderr: %s", line, errs)
		}
	}
	if !shown {
		t.Error("no result has the canary: it would not be seen on stderr either")
	}
	for _, name := range []string{"recorded", "cut", "redacted", "imported", "simulated"} {
		if info, err := os.Stat(name); err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v, want mode 0600", name, info.Mode())
		}
	}
	if left, _ := filepath.Glob(".hotpart-*"); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

// A proxy sees every request but those to this machine, so it sees what goes elsewhere
// than to the endpoint.
func TestNothingIsSentButToTheEndpoint(t *testing.T) {
	var elsewhere atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer proxy.Close()
	server, table := liveServer(t)
	for _, args := range [][]string{{"diagnose", table}, {"diagnose", "--from", "hot-key-tenant"}, {"doctor", table}, {"version"}} {
		cmd := exec.CommandContext(t.Context(), "hotpart", args...)
		cmd.Env = append(os.Environ(), "HTTP_PROXY="+proxy.URL, "HTTPS_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "https_proxy="+proxy.URL)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("hotpart %s: %v\n%s", strings.Join(args, " "), err, bytes.TrimSpace(out))
		}
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
	if server.Count("GetMetricData") == 0 {
		t.Error("the endpoint was not asked")
	}
}
