package collectors

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

var soakFor = flag.Duration("soak", 0, "watch the tests' AWS by the real clock for this long (with -timeout 0)")

// By the real clock, over real connections, polls keep to their second and nothing
// grows: go test ./collectors -run TestSoakByTheClock -soak 10m -v -timeout 0
func TestSoakByTheClock(t *testing.T) {
	if *soakFor < 3*time.Minute {
		t.Skip("takes real minutes: give -soak 10m -v -timeout 0")
	}
	environment(t)
	b := incident(t, "hot-key-tenant")
	aws := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute), Delay: 90 * time.Second})
	loopback := httptest.NewServer(aws)
	defer loopback.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}
	l, err := Open(t.Context(), Config{Tables: tableNames(b), EndpointURL: loopback.URL, HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	marks := []time.Duration{time.Minute, *soakFor / 2, *soakFor}
	var goroutines, polls int
	var held int64
	var latest time.Duration
	t.Log("after    polls  goroutines  heap kB  most late")
	for len(marks) > 0 {
		if got := next(t, l); !known(got) {
			t.Errorf("a poll told in part: %v", got.Warnings)
		}
		if polls++; polls > 1 {
			latest = max(latest, l.attempted.Sub(l.attempted.Truncate(time.Minute).Add(pollAt)).Abs())
		}
		if time.Since(began) < marks[0] {
			continue
		}
		marks = marks[1:]
		aws.Forget()
		client.CloseIdleConnections()
		loopback.CloseClientConnections()
		time.Sleep(time.Second) // real, as all here: closed connections end their goroutines
		n, size := runtime.NumGoroutine(), heap()
		t.Logf("%-8s %5d  %10d  %7d  %9s", time.Since(began).Round(time.Second), polls, n, size>>10, latest.Round(time.Millisecond))
		if held == 0 {
			goroutines, held = n, size
		}
		if n > goroutines || size > held+1<<20 {
			t.Errorf("%d goroutines and %d kB at first, now %d and %d", goroutines, held>>10, n, size>>10)
		}
	}
	if latest > time.Second {
		t.Errorf("a poll was %s beside its second", latest)
	}
	if least := int(*soakFor/pollEvery) - 1; polls < least {
		t.Errorf("%d polls, %d were due", polls, least)
	}
}
