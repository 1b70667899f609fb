package collectors

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

// heap is how much memory is held on to.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A day of polls, with an outage, a throttled hour and two incidents in it.
func TestADayOfPollsNeitherDriftsNorGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("a day takes a few seconds")
	}
	named := incident(t, "hot-key-tenant")
	all := quietFleet(t, 10, 0)
	refusing(all, "quiet-003", 30, 200, 201, 230)
	refusing(all, "quiet-007", 30, 900, 901, 902)
	environment(t)
	tests := []struct {
		name   string
		server awsserver.Config
		cfg    Config
	}{
		{"tables that are named", awsserver.Config{Batch: named}, Config{Tables: tableNames(named)}},
		{"a fleet", awsserver.Config{Batch: all}, Config{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.server.Begin, test.server.Delay = time.Now().Add(-time.Hour), 90*time.Second
				server := awsserver.New(test.server)
				l := connect(t, server, test.cfg)
				began := time.Now()
				var goroutines, polls int
				var held int64
				for time.Since(began) < 24*time.Hour {
					switch since := time.Since(began); {
					case since > 10*time.Hour && since < 10*time.Hour+30*time.Minute:
						server.Stop()
					case since > 14*time.Hour && since < 15*time.Hour:
						server.Resume()
						server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Throttle, Times: 1})
					default:
						server.Resume()
					}
					_, err := l.Next(t.Context())
					if err == nil {
						polls++
					}
					if at := l.attempted.Sub(l.attempted.Truncate(time.Minute)); polls > 1 && at != pollAt {
						t.Fatalf("after %s asked %s past the minute", time.Since(began), at)
					}
					if held == 0 && time.Since(began) > 2*time.Hour {
						server.Forget()
						goroutines, held = runtime.NumGoroutine(), heap()
					}
				}
				if polls < 24*60-45 {
					t.Errorf("%d polls in a day", polls)
				}
				synctest.Wait()
				if n := runtime.NumGoroutine(); n > goroutines+2 {
					t.Errorf("%d goroutines after two hours, %d after a day", goroutines, n)
				}
				server.Forget()
				if grown := heap() - held; grown > 1<<20 {
					t.Errorf("%d kB more after a day than after two hours", grown>>10)
				}
			})
		})
	}
}
