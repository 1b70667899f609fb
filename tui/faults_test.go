package tui

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// polled gives the diagnoses of what AWS is asked.
type polled struct {
	live     *collectors.Live
	analyzer *analysis.Analyzer
}

func (p polled) Next(ctx context.Context) (*analysis.Diagnosis, error) {
	b, err := p.live.Next(ctx)
	if err != nil {
		return nil, err
	}
	return p.analyzer.Observe(b), nil
}

// deniedAlone are the policy's actions, denied one by one.
func deniedAlone() []outage {
	var out []outage
	for _, p := range collectors.Permissions() {
		_, action, _ := strings.Cut(p.Action, ":")
		out = append(out, outage{action + " is denied", awsserver.Deny, []string{action}})
	}
	return out
}

// outage is what an engineer meets while watching: so many actions that fail alike, all
// where none is named.
type outage struct {
	name    string
	kind    awsserver.FaultKind
	actions []string
}

var outages = []outage{
	{"CloudWatch throttles", awsserver.Throttle, []string{"GetMetricData"}},
	{"everything is throttled", awsserver.Throttle, nil},
	{"AWS answers with status 500", awsserver.Break, nil},
	{"connections are reset", awsserver.Reset, nil},
	{"nothing is answered", awsserver.Hang, nil},
	{"the credentials expire", awsserver.Expire, nil},
	{"a proxy answers", awsserver.Garbage, nil},
	{"answers are empty", awsserver.Hollow, []string{"GetMetricData"}},
	{"all is denied", awsserver.Deny, nil},
	{"metrics stay PartialData", awsserver.Partial, []string{"GetMetricData"}},
	{"one metric is InternalError", awsserver.InternalOne, []string{"GetMetricData"}},
	{"pages never end", awsserver.EndlessLoop, []string{"GetMetricData"}},
	{"the table is dropped", awsserver.Gone, []string{"DescribeTable"}},
}

func (o outage) set(server *awsserver.Server, kind awsserver.FaultKind) {
	actions := o.actions
	if actions == nil {
		for _, p := range collectors.Permissions() {
			_, action, _ := strings.Cut(p.Action, ":")
			actions = append(actions, action)
		}
	}
	for _, action := range actions {
		server.Fail(action, awsserver.Fault{Kind: kind})
	}
}

// watcher is a live dashboard of 80 columns and 24 rows on the tests' AWS, with a clock
// that may be wrong by off.
func watcher(t *testing.T, cfg awsserver.Config, off time.Duration) (*awsserver.Server, *model, func()) {
	cfg.Batch = awsserver.Join(incident(t, "hot-key-tenant"))
	cfg.Begin, cfg.Delay = time.Now().Add(-40*time.Minute), 90*time.Second
	server := awsserver.New(cfg)
	now := func() time.Time { return time.Now().Add(off) }
	live, err := collectors.Open(t.Context(), collectors.Config{
		Tables: []string{cfg.Batch.Tables[0].ID.Table}, HTTPClient: server.Client(), Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	feed := polled{live, analysis.New()}
	m := newModel(t.Context(), feed, Options{Live: true, Now: now})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return server, m, func() {
		d, err := feed.Next(t.Context())
		m.Update(diagnosisMsg{d, err})
	}
}

// credentials are the SDK's, and nothing of the machine's own.
func credentials(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1", "AWS_PROFILE": "",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_ENDPOINT_URL": "", "AWS_CA_BUNDLE": "",
	} {
		t.Setenv(name, value)
		if value == "" {
			_ = os.Unsetenv(name) // what was there comes back when the test ends
		}
	}
}

// glimpse is a frame's title, its verdict's first line and its last line, and the
// warnings that the evidence pane has.
func glimpse(m *model) string {
	var b strings.Builder
	lines := strings.Split(m.plain(), "\n")
	for _, line := range []string{lines[0], lines[1], lines[len(lines)-1]} {
		fmt.Fprintf(&b, "  |%s|\n", line)
	}
	m.pane, m.height = evidencePane, 300
	_, about, _ := strings.Cut(m.plain(), "\n about the data")
	m.pane, m.height = heatPane, 24
	about, _, _ = strings.Cut(about, "\n what nobody can see")
	for line := range strings.Lines(about) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}

// stillWarned reports warnings beside that of the index that nobody ranks. CloudTrail is
// asked again after an hour only.
func stillWarned(m *model) bool {
	return slices.ContainsFunc(m.history.newest().Warnings, func(w telemetry.Warning) bool {
		return w.Code != telemetry.InsightsDisabled && !strings.Contains(w.Text, "cloudtrail:LookupEvents")
	})
}

// What is seen before, while and after each failure lasts; nothing waits by the clock.
func TestWhatTheScreenShowsWhileAWSFails(t *testing.T) {
	credentials(t)
	var all strings.Builder
	for _, o := range slices.Concat(outages, deniedAlone()) {
		synctest.Test(t, func(t *testing.T) {
			server, m, poll := watcher(t, awsserver.Config{}, 0)
			poll()
			poll()
			before := glimpse(m)
			if all.Len() == 0 {
				fmt.Fprintf(&all, "all is well\n%s", before)
			}
			last := m.history.newest().Window.End
			o.set(server, o.kind)
			for range 7 { // the tables are described anew within five minutes
				poll()
			}
			during := glimpse(m)
			fmt.Fprintf(&all, "\n%s\n%s", o.name, during)
			if m.err != nil && !m.history.newest().Window.End.Equal(last) {
				t.Errorf("%s: the last good data are gone", o.name)
			}
			if !strings.Contains(during, "HOT KEY") {
				t.Errorf("%s: the verdict is gone:\n%s", o.name, during)
			}
			o.set(server, "")
			for range 7 {
				poll()
			}
			if after := glimpse(m); m.err != nil || stillWarned(m) {
				t.Errorf("%s is over, and the screen shows\n%s", o.name, after)
			}
		})
	}
	golden(t, "faults", all.String())
}

func TestWhatTheScreenShowsOfSlowAnswersAndAWrongClock(t *testing.T) {
	credentials(t)
	var all strings.Builder
	for _, test := range []struct {
		name    string
		latency time.Duration
		off     time.Duration
	}{
		{"each answer takes eight seconds", 8 * time.Second, 0},
		{"this machine's clock is seven minutes late", 0, -7 * time.Minute},
		{"this machine's clock is three hours early", 0, 3 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, m, poll := watcher(t, awsserver.Config{Latency: test.latency}, test.off)
			for range 4 {
				poll()
			}
			fmt.Fprintf(&all, "%s\n%s\n", test.name, glimpse(m))
		})
	}
	golden(t, "slow-and-skewed", all.String())
}
