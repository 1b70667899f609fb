package collectors

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// watched runs a test in a bubble, an hour after an incident began.
func watched(t *testing.T, test func(t *testing.T, server *awsserver.Server, l *Live)) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute), Delay: 90 * time.Second})
		test(t, server, connect(t, server, Config{Tables: tableNames(b)}))
	})
}

func next(t *testing.T, l *Live) telemetry.Batch {
	t.Helper()
	b, err := l.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheFirstPollReachesBack(t *testing.T) {
	watched(t, func(t *testing.T, _ *awsserver.Server, l *Live) {
		began := time.Now()
		b := next(t, l)
		if span := b.Window.End.Sub(b.Window.Start); span != time.Hour || time.Since(began) > time.Second {
			t.Errorf("spans %s after %s", span, time.Since(began))
		}
		if len(b.Tables) == 0 || len(b.Series) == 0 {
			t.Error("something is missing")
		}
	})
}

func TestPollsComeTwentySecondsPastTheMinuteAndReachBackAQuarter(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		described := server.Count("DescribeTable")
		for range 12 {
			b := next(t, l)
			if at := time.Since(time.Now().Truncate(time.Minute)); at < pollAt || at > pollAt+time.Second {
				t.Errorf("asked %s past the minute", at)
			}
			if b.Window.End != time.Now().Truncate(time.Minute).UTC() || b.Window.End.Sub(b.Window.Start) > trailing+2*time.Minute {
				t.Errorf("asked for %v", b.Window)
			}
		}
		if n := server.Count("DescribeTable") - described; n < 2 || n > 3 {
			t.Errorf("described %d times in 12 minutes", n)
		}
	})
}

func TestPointsArriveAsTheyArePublished(t *testing.T) {
	watched(t, func(t *testing.T, _ *awsserver.Server, l *Live) {
		newest := func(b telemetry.Batch) time.Time {
			for _, s := range b.Series {
				if s.ID.Metric == telemetry.ConsumedWriteCapacityUnits && s.ID.Stat == telemetry.Sum && len(s.Points) > 0 {
					return s.Points[len(s.Points)-1].Time
				}
			}
			return time.Time{}
		}
		next(t, l)
		before := newest(next(t, l))
		after := newest(next(t, l))
		if after.Sub(before) != time.Minute {
			t.Errorf("the newest point moved from %s to %s", before, after)
		}
	})
}

func TestAnOutageIsSurvivedAndCaughtUp(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		last := next(t, l).Window.End
		server.Stop()
		tries := 0
		for stopped := time.Now(); time.Since(stopped) < 30*time.Minute; tries++ {
			_, err := l.Next(t.Context())
			if err == nil {
				t.Fatal("an answer from a stopped server")
			}
			wantWords(t, err.Error(), "cannot reach AWS", "hint: check the network")
		}
		if tries < 10 || tries > 20 {
			t.Errorf("tried %d times in half an hour", tries)
		}
		server.Resume()
		if b := next(t, l); b.Window.Start.After(last) {
			t.Errorf("the outage from %s on is not caught up: %v", last, b.Window)
		}
	})
}

func TestTroubleThatLastsIsSaidInEachBatch(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		server.Fail("DescribeLimits", awsserver.Fault{Kind: awsserver.Deny})
		for range 8 {
			wantWords(t, warned(next(t, l), telemetry.Denied), "dynamodb:DescribeLimits")
		}
		server.Fail("DescribeLimits", awsserver.Fault{})
		for range 5 {
			next(t, l)
		}
		if text := warned(next(t, l), telemetry.Denied); text != "" {
			t.Error("still warned of what is allowed again:", text)
		}
	})
}

func TestADescriptionThatFailsLaterLeavesWhatWasKnown(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		indexed := len(next(t, l).Series)
		server.Fail("DescribeTable", awsserver.Fault{Kind: awsserver.Deny})
		for range 7 {
			b := next(t, l)
			if len(b.Series) != indexed || len(b.Rankings) == 0 {
				t.Fatalf("asked for %d series, %d before", len(b.Series), indexed)
			}
		}
		wantWords(t, warned(next(t, l), telemetry.Denied), "dynamodb:DescribeTable")
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	watched(t, func(t *testing.T, _ *awsserver.Server, l *Live) {
		next(t, l)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := l.Next(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Error(err, time.Since(began))
		}
	})
}

func TestTheMeterCountsWhatCosts(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		metrics := 0
		for _, c := range server.Calls() {
			metrics += c.Metrics
		}
		m := l.Meter()
		if m.Metrics != int64(metrics) || m.MetricsAPoll != m.Metrics || m.Calls != int64(len(server.Calls())) {
			t.Errorf("got %+v, want %d metrics in %d calls", m, metrics, len(server.Calls()))
		}
		if d := m.DollarsAnHour(); d <= 0 || d > 0.2 {
			t.Errorf("an hour costs $%.3f", d)
		}
	})
}

func TestStreamsAreReadAtMostTenTimesASecond(t *testing.T) {
	b := streamed(incident(t, "hot-key-tenant"), 40)
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, ShardsAPage: 1})
		l := connect(t, server, Config{Tables: tableNames(b)})
		if _, err := l.Fetch(t.Context(), telemetry.Window{Start: time.Now().Add(-time.Hour), End: time.Now()}); err != nil {
			t.Fatal(err)
		}
		var times []time.Time
		for _, c := range server.Calls() {
			if c.Action == "DescribeStream" {
				times = append(times, c.At)
			}
		}
		for i := 10; i < len(times); i++ {
			if times[i].Sub(times[i-10]) < time.Second {
				t.Errorf("calls %d to %d came within %s", i-10, i, times[i].Sub(times[i-10]))
			}
		}
		if len(times) < 40 {
			t.Errorf("read %d pages", len(times))
		}
	})
}
