package collectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// swapped is a server of which one action's answers have another body.
type swapped struct {
	server http.RoundTripper
	action string
	body   func() io.Reader
	// keep is told the server's own bodies, from several goroutines; nil for none.
	keep func(action string, body []byte)
}

// actionOf is what a request asks for, in whichever of AWS's protocols.
func actionOf(r *http.Request) string {
	if target := r.Header.Get("X-Amz-Target"); target != "" {
		return target[strings.LastIndexByte(target, '.')+1:]
	}
	return path.Base(r.URL.Path)
}

func (s swapped) RoundTrip(r *http.Request) (*http.Response, error) {
	action := actionOf(r)
	response, err := s.server.RoundTrip(r)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	if s.keep != nil {
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		s.keep(action, body)
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
	if action == s.action {
		response.Body, response.ContentLength = io.NopCloser(s.body()), -1
	}
	return response, nil
}

func swappedFetch(t testing.TB, b telemetry.Batch, s swapped) (telemetry.Batch, error) {
	t.Helper()
	s.server = serve(b).Client().Transport
	now := func() time.Time { return b.Window.End.Add(time.Hour) }
	l, err := Open(t.Context(), Config{Tables: tableNames(b), Region: b.Tables[0].ID.Region, Now: now, HTTPClient: &http.Client{Transport: s}})
	if err != nil {
		t.Fatal(err)
	}
	l.streamPace.gap, l.reportPace.gap = 0, 0 // there is no AWS to be gentle to
	return l.Fetch(t.Context(), b.Window)
}

// endless is an answer that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestEndlessAnswerCostsAWarningAndNoMore(t *testing.T) {
	environment(t)
	b := shortIncident(t)
	got, err := swappedFetch(t, b, swapped{action: "DescribeLimits", body: func() io.Reader { return io.MultiReader(strings.NewReader("{"), endless{}) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tables) == 0 || len(got.Quotas) != 0 || len(got.Warnings) == 0 {
		t.Errorf("%d tables, %d quotas, warnings %v", len(got.Tables), len(got.Quotas), got.Warnings)
	}
}

func TestAnswerIsReadUpToABound(t *testing.T) {
	for _, c := range []struct {
		size int
		want error
	}{{9, nil}, {10, nil}, {11, errLongBody}} {
		b := &boundedBody{io.NopCloser(strings.NewReader(strings.Repeat("x", c.size))), 10}
		got, err := io.ReadAll(b)
		if !errors.Is(err, c.want) || len(got) != min(c.size, 10) {
			t.Errorf("of %d bytes %d are read: %v", c.size, len(got), err)
		}
	}
}

// shortIncident is ten minutes of a table with an index, a stream and rules.
func shortIncident(t testing.TB) telemetry.Batch {
	b := streamed(incident(t, "index-pressure"), 3)
	b.Window.End = b.Window.Start.Add(10 * time.Minute)
	return b
}

// FuzzAnswers puts any body in place of one action's answer, in CBOR or JSON as the
// action has it. Whatever it is: no panic, and a batch that can be written as JSON,
// with points in order.
func FuzzAnswers(f *testing.F) {
	environment(f)
	b := shortIncident(f)
	bodies := map[string][]byte{}
	var mu sync.Mutex
	keep := func(action string, body []byte) {
		mu.Lock()
		defer mu.Unlock()
		bodies[action] = body
	}
	if _, err := swappedFetch(f, b, swapped{keep: keep}); err != nil {
		f.Fatal(err)
	}
	var actions []string
	for action := range bodies {
		actions = append(actions, action)
	}
	slices.Sort(actions)
	for i, action := range actions {
		f.Add(uint(i), bodies[action])
	}
	f.Fuzz(func(t *testing.T, n uint, body []byte) {
		got, err := swappedFetch(t, b, swapped{action: actions[n%uint(len(actions))], body: func() io.Reader { return bytes.NewReader(body) }})
		if err != nil {
			return
		}
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("write the batch: %v", err)
		}
		for _, s := range got.Series {
			checkOrder(t, s.Points)
		}
		for _, r := range got.Rankings {
			for _, c := range r.Contributors {
				checkOrder(t, c.Points)
			}
		}
	})
}

func checkOrder(t *testing.T, points []telemetry.Point) {
	t.Helper()
	for i := 1; i < len(points); i++ {
		if !points[i-1].Time.Before(points[i].Time) {
			t.Errorf("points out of order at %d", i)
		}
	}
}
