package collectors

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
	"github.com/hotpart/hotpart/replay/incidents"
)

// incident is a built-in incident as one batch.
func incident(t testing.TB, name string) telemetry.Batch {
	t.Helper()
	r, err := incidents.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []telemetry.Batch
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return awsserver.Join(all)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
}

// streamed gives the first table a stream with so many open shards.
func streamed(b telemetry.Batch, shards int) telemetry.Batch {
	id := b.Tables[0].ID
	arn := "arn:aws:dynamodb:" + id.Region + ":" + id.Account + ":table/" + id.Table + "/stream/2026-01-02T03:04:05.678"
	b.Tables[0].StreamARN = arn
	s := telemetry.Shards{Table: id, Stream: arn}
	for i := range shards {
		at := time.UnixMilli(1_772_445_900_000 + int64(i))
		s.Shards = append(s.Shards, telemetry.Shard{ID: fmt.Sprintf("shardId-%020d-%08x", at.UnixMilli(), i), Open: i%3 != 0, Opened: at.UTC()})
	}
	b.Shards = []telemetry.Shards{s}
	return b
}

// environment gives the SDK credentials and a Region, and nothing of the
// machine's own.
func environment(t testing.TB) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "",
		"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CA_BUNDLE": "", "AWS_ENDPOINT_URL": "",
	} {
		switch t := t.(type) {
		case *testing.T:
			t.Setenv(name, value)
		case *testing.B:
			t.Setenv(name, value)
		case *testing.F:
			t.Setenv(name, value)
		}
		if value == "" {
			_ = os.Unsetenv(name) // what was there comes back when the test ends
		}
	}
}

// connect opens a Live on a server without a network.
func connect(t testing.TB, server *awsserver.Server, cfg Config) *Live {
	t.Helper()
	cfg.HTTPClient = server.Client()
	l, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// fetch asks a server of an incident for its whole window.
func fetch(t testing.TB, server *awsserver.Server, b telemetry.Batch) (telemetry.Batch, error) {
	t.Helper()
	environment(t)
	now := func() time.Time { return b.Window.End.Add(time.Hour) }
	l := connect(t, server, Config{Tables: tableNames(b), Region: b.Tables[0].ID.Region, Now: now})
	return l.Fetch(t.Context(), b.Window)
}

func serve(b telemetry.Batch) *awsserver.Server {
	return awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return b.Window.End.Add(time.Hour) }})
}

func tableNames(b telemetry.Batch) []string {
	var names []string
	for _, t := range b.Tables {
		names = append(names, t.ID.Table)
	}
	return names
}

func codes(b telemetry.Batch) []string {
	var out []string
	for _, w := range b.Warnings {
		if !slices.Contains(out, w.Code) {
			out = append(out, w.Code)
		}
	}
	slices.Sort(out)
	return out
}

// warned finds the text of the first warning of a code.
func warned(b telemetry.Batch, code string) string {
	for _, w := range b.Warnings {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

func wantWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q doesn't say %q", text, word)
		}
	}
}
