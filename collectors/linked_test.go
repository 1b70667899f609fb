package collectors

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

const (
	monitoring = "111111111111"
	source     = "222222222222"
)

// monitored runs a test on a monitoring account with quiet tables, with which the account
// of an incident is linked.
func monitored(t *testing.T, name string, test func(t *testing.T, own, linked *awsserver.Server, m *Many), tables ...string) {
	b := incident(t, name)
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		cfg := awsserver.Config{Batch: moved(b, source, "eu-west-1"), Begin: time.Now().Add(-40 * time.Minute), Delay: 90 * time.Second}
		linked := awsserver.New(cfg)
		quiet := quietFleet(t, 3, 1)
		cfg.Batch = moved(quiet, monitoring, "eu-west-1")
		cfg.Linked = []*awsserver.Server{linked}
		own := awsserver.New(cfg)
		m, err := OpenMany(t.Context(), Config{HTTPClient: own.Client(), Tables: tables}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		test(t, own, linked, m)
	})
}

func link(t *testing.T, m *Many, want ...string) {
	t.Helper()
	got, err := m.Link(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("linked with %q, want %q", got, want)
	}
}

func TestTablesOfLinkedAccountsAreSeenBesideOnesOwn(t *testing.T) {
	monitored(t, "index-pressure", func(t *testing.T, own, linked *awsserver.Server, m *Many) {
		link(t, m, source+" eu-west-1")
		b := nextOf(t, m)
		wantPlaces(t, b, source+" eu-west-1")
		indexes := slices.ContainsFunc(b.Series, func(s telemetry.Series) bool {
			return s.ID.Resource.Account == source && s.ID.Resource.Index != "" && s.ID.Metric == telemetry.ConsumedWriteCapacityUnits && len(s.Points) > 0
		})
		if !indexes {
			t.Error("the linked table's index isn't told of")
		}
		if !slices.ContainsFunc(b.Series, func(s telemetry.Series) bool { return s.ID.Resource.Account == monitoring }) {
			t.Error("the monitoring account's own tables aren't asked for")
		}
		wantWords(t, warned(b, telemetry.LinkedAccount), "account "+source+" is seen by its metrics alone", "keys", "are not known", "--profile")
		if calls := linked.Calls(); len(calls) > 0 {
			t.Errorf("the linked account was asked itself: %v", calls)
		}
		for range 15 {
			b = nextOf(t, m)
		}
		wantPlaces(t, b, source+" eu-west-1")
		wantWords(t, warned(b, telemetry.LinkedAccount), "are not known")
		if got := m.Meter(); got.Calls != int64(len(own.Calls())) || got.Metrics != asked(own) {
			t.Errorf("the meter counts %d calls and %d metrics, the server %d and %d", got.Calls, got.Metrics, len(own.Calls()), asked(own))
		}
	})
}

// asked is how many metrics a server was asked for.
func asked(s *awsserver.Server) (metrics int64) {
	for _, c := range s.Calls() {
		metrics += int64(c.Metrics)
	}
	return metrics
}

func TestALinkedTableIsJudgedByItsMetricsAndNothingUnknownIsMadeUp(t *testing.T) {
	name := incident(t, "hot-key-tenant").Tables[0].ID.Table
	monitored(t, "hot-key-tenant", func(t *testing.T, _, _ *awsserver.Server, m *Many) {
		link(t, m, source+" eu-west-1")
		a := analysis.New()
		d := a.Observe(nextOf(t, m))
		if len(d.Tables) != 1 || d.Tables[0].ID.Account != source || d.Tables[0].Mode != telemetry.UnknownMode {
			t.Fatalf("tables %+v", d.Tables)
		}
		i := slices.IndexFunc(d.Events, func(e *analysis.Event) bool { return e.Resource.Account == source && e.ThrottledEvents > 0 })
		if i < 0 {
			t.Fatalf("no event among %+v", d.Events)
		}
		e := d.Events[i]
		if e.Cause == analysis.HotKey || len(e.Keys) > 0 {
			t.Errorf("cause %s with keys %v, though no key is known", e.Cause, e.Keys)
		}
		if e.Limit != telemetry.KeyRangeLimit {
			t.Errorf("limit %s, though the metrics name it", e.Limit)
		}
	}, name)
}

func TestATableInTheOwnAccountAloneAsksNoLinkedOne(t *testing.T) {
	monitored(t, "hot-key-tenant", func(t *testing.T, _, _ *awsserver.Server, m *Many) {
		link(t, m)
		nextOf(t, m)
	}, "quiet-001")
}

func TestATableIsFoundByItsARNInALinkedAccount(t *testing.T) {
	name := incident(t, "hot-key-tenant").Tables[0].ID.Table
	monitored(t, "hot-key-tenant", func(t *testing.T, own, _ *awsserver.Server, m *Many) {
		link(t, m, source+" eu-west-1")
		wantPlaces(t, nextOf(t, m), source+" eu-west-1")
		if n := own.Count("DescribeTable"); n > 0 {
			t.Errorf("the monitoring account was asked for it %d times", n)
		}
	}, "arn:aws:dynamodb:eu-west-1:"+source+":table/"+name)
}

func TestADeniedListOfLinkedAccountsSaysWhatToAllow(t *testing.T) {
	monitored(t, "hot-key-tenant", func(t *testing.T, own, _ *awsserver.Server, m *Many) {
		own.Fail("ListMetrics", awsserver.Fault{Kind: awsserver.Deny})
		_, err := m.Link(t.Context())
		if err == nil || !strings.Contains(err.Error(), "cloudwatch:ListMetrics is denied\nhint: allow cloudwatch:ListMetrics") {
			t.Errorf("error %v", err)
		}
		own.Fail("ListMetrics", awsserver.Fault{})
		link(t, m, source+" eu-west-1")
		own.Fail("ListMetrics", awsserver.Fault{Kind: awsserver.Deny})
		if b := nextOf(t, m); !strings.Contains(warned(b, telemetry.Unanswered), source) {
			t.Errorf("warnings %v", b.Warnings)
		}
		own.Fail("ListMetrics", awsserver.Fault{})
		nextOf(t, m)
		wantPlaces(t, nextOf(t, m), source+" eu-west-1")
	})
}

func TestWithoutTheFlagNoListOfMetricsIsAskedFor(t *testing.T) {
	monitored(t, "hot-key-tenant", func(t *testing.T, own, _ *awsserver.Server, m *Many) {
		wantPlaces(t, nextOf(t, m))
		if n := own.Count("ListMetrics"); n > 0 {
			t.Errorf("asked %d times", n)
		}
	})
}
