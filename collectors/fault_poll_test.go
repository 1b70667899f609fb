package collectors

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// known reports whether a batch has every series in full.
func known(b telemetry.Batch) bool {
	return len(b.Series) > 0 && !slices.ContainsFunc(b.Series, func(s telemetry.Series) bool { return s.Status != telemetry.Complete })
}

// failAll makes every action fail alike.
func failAll(server *awsserver.Server, kind awsserver.FaultKind) {
	for _, p := range Permissions() {
		_, action, _ := strings.Cut(p.Action, ":")
		server.Fail(action, awsserver.Fault{Kind: kind})
	}
}

func TestWhileWatchingEachFailureIsNamedAndGoesByWhenItEnds(t *testing.T) {
	tests := []struct {
		name string
		kind awsserver.FaultKind
		says []string // in the error at each poll, while it lasts
	}{
		{"credentials that expire in the middle name the way to renew them", awsserver.Expire, []string{"GetMetricData is refused: the credentials have expired", "hint: renew them"}},
		{"throttling by CloudWatch says that it is asked again", awsserver.Throttle, []string{"GetMetricData is throttled", "hint: it is asked for again"}},
		{"an error of AWS's is called one", awsserver.Break, []string{"GetMetricData failed in AWS (InternalServerError)", "hint: it is asked for again"}},
		{"a connection that is reset is a network's trouble", awsserver.Reset, []string{"cannot reach AWS", "hint: check the network"}},
		{"an answer that never comes is given up in time", awsserver.Hang, []string{"had no answer for 20 s"}},
		{"a proxy's page is not AWS's answer", awsserver.Garbage, []string{"had an answer that isn't AWS's", "hint: check --endpoint-url and proxies"}},
		{"a permission that is taken away is named", awsserver.Deny, []string{"cloudwatch:GetMetricData is denied", "hint: allow cloudwatch:GetMetricData"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
				next(t, l)
				last := next(t, l).Window.End
				failAll(server, test.kind)
				for range 8 {
					before := time.Now()
					_, err := l.Next(t.Context())
					if err == nil {
						t.Fatal("no error where every call fails")
					}
					wantWords(t, err.Error(), test.says...)
					if took := time.Since(before); took > 4*time.Minute {
						t.Errorf("the poll took %s", took)
					}
				}
				failAll(server, "")
				if b := next(t, l); !known(b) || b.Window.Start.After(last) {
					t.Errorf("after it ended, %v was asked for", b.Window)
				}
			})
		})
	}
}

func TestMetricsThatStayPartialAreUsedAskedForTwiceAndSaid(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Partial})
		for range 5 {
			before := server.Count("GetMetricData")
			b := next(t, l)
			wantWords(t, warned(b, telemetry.PartialDataCode), "of its metrics were answered in part")
			if n := server.Count("GetMetricData") - before; n != 2 {
				t.Errorf("asked %d times in one poll", n)
			}
			if b.Series[0].Status != telemetry.PartialData || len(b.Series[0].Points) == 0 {
				t.Errorf("the first series is %s with %d points", b.Series[0].Status, len(b.Series[0].Points))
			}
		}
	})
}

func TestPagesThatNeverEndAreGivenUpAndSaid(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.EndlessLoop})
		before := server.Count("GetMetricData")
		wantWords(t, warned(next(t, l), telemetry.PartialDataCode), "pages of metrics don't end", "what came so far is used")
		if n := server.Count("GetMetricData") - before; n > 4 {
			t.Errorf("asked for %d pages", n)
		}
	})
}

func TestOneMetricThatFailsInCloudWatchIsUnknownAndTheOthersAreTold(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		next(t, l)
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.InternalOne})
		b := next(t, l)
		wantWords(t, warned(b, telemetry.InternalErrorCode), "1 of its metrics failed in CloudWatch: they are not known")
		if b.Series[0].Status != telemetry.InternalError || len(b.Series[0].Points) > 0 || b.Series[1].Status != telemetry.Complete {
			t.Errorf("the first series is %s, the second %s", b.Series[0].Status, b.Series[1].Status)
		}
	})
}

func TestSlowAnswersDelayNoPollBeyondItsMinute(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute), Latency: 8 * time.Second})
		l := connect(t, server, Config{Tables: tableNames(b)})
		next(t, l)
		for range 10 {
			before := l.attempted
			if got := next(t, l); !known(got) {
				t.Errorf("warned of %v", got.Warnings)
			}
			if at := l.attempted.Sub(l.attempted.Truncate(time.Minute)); at != pollAt || l.attempted.Sub(before) > 2*time.Minute {
				t.Errorf("asked %s past the minute, %s after the last", at, l.attempted.Sub(before))
			}
		}
	})
}

func TestAClockThatIsWrongIsSaidAndPollsKeepAWSsTime(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	for _, off := range []time.Duration{-7 * time.Minute, 3*time.Hour + 10*time.Second} {
		synctest.Test(t, func(t *testing.T) {
			server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute)})
			l := connect(t, server, Config{Tables: tableNames(b), Now: func() time.Time { return time.Now().Add(off) }})
			next(t, l)
			for range 4 {
				got := next(t, l)
				wantWords(t, warned(got, telemetry.ClockSkew), "this machine's clock is", off.Abs().String(), "times are AWS's")
				if end := time.Now().Truncate(time.Minute).UTC(); !got.Window.End.Equal(end) {
					t.Errorf("asked up to %s at %s", got.Window.End, end)
				}
				if at := time.Since(time.Now().Truncate(time.Minute)); at < pollAt || at > pollAt+time.Second {
					t.Errorf("asked %s past AWS's minute", at)
				}
			}
		})
	}
}

func TestATableDroppedWhileItIsWatchedIsSaidAndWhatWasKnownStays(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute)})
		l := connect(t, server, Config{Tables: tableNames(b)})
		next(t, l)
		server.Fail("DescribeTable", awsserver.Fault{Kind: awsserver.Gone})
		for range 5 {
			next(t, l)
		}
		wantWords(t, warned(next(t, l), telemetry.StaleDescription), "there is no table", "what was known of the tables before is used")
	})
}
