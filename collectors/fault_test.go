package collectors

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// Any one action may fail in any way: that costs warnings, and the rest is told.
func TestOneFailingActionCostsAWarningAndNoMore(t *testing.T) {
	b := streamed(incident(t, "index-pressure"), 5)
	environment(t)
	tests := []struct {
		action string
		kind   awsserver.FaultKind
		code   string
		says   []string
		lost   func(telemetry.Batch) bool
	}{
		{"DescribeTable", awsserver.Deny, telemetry.Denied, []string{"dynamodb:DescribeTable is denied", "allow dynamodb:DescribeTable"}, func(b telemetry.Batch) bool { return len(b.Tables) == 0 && len(b.Series) > 0 }},
		{"DescribeLimits", awsserver.Deny, telemetry.Denied, []string{"dynamodb:DescribeLimits", "quotas are not known"}, func(b telemetry.Batch) bool { return len(b.Quotas) == 0 }},
		{"DescribeContributorInsights", awsserver.Deny, telemetry.Denied, []string{"keys are not known"}, func(b telemetry.Batch) bool { return len(b.Rankings) == 0 && b.Insights[0].Status == "DENIED" }},
		{"GetMetricData", awsserver.Deny, telemetry.Denied, []string{"cloudwatch:GetMetricData is denied", "there are no metrics"}, unknownSeries},
		{"GetMetricData", awsserver.Expire, telemetry.Denied, []string{"credentials have expired", "aws sso login"}, unknownSeries},
		{"GetMetricData", awsserver.Throttle, telemetry.Retrying, []string{"is throttled"}, unknownSeries},
		{"GetMetricData", awsserver.Break, telemetry.InternalErrorCode, []string{"failed in AWS"}, unknownSeries},
		{"GetMetricData", awsserver.Reset, telemetry.Retrying, []string{"cannot reach AWS"}, unknownSeries},
		{"GetMetricData", awsserver.Hang, telemetry.Retrying, []string{"had no answer"}, unknownSeries},
		{"GetMetricData", awsserver.Garbage, telemetry.InternalErrorCode, []string{"isn't AWS's"}, unknownSeries},
		{"GetMetricData", awsserver.Partial, telemetry.PartialDataCode, []string{"in part"}, func(b telemetry.Batch) bool { return b.Series[0].Status == telemetry.PartialData }},
		{"GetMetricData", awsserver.InternalOne, telemetry.InternalErrorCode, []string{"1 of its metrics failed"}, func(b telemetry.Batch) bool { return len(b.Series[0].Points) == 0 && len(b.Series[1].Points) > 0 }},
		{"GetMetricData", awsserver.EndlessLoop, telemetry.PartialDataCode, []string{"don't end"}, func(b telemetry.Batch) bool { return len(b.Series[0].Points) > 0 }},
		{"GetMetricData", awsserver.Message, telemetry.PartialDataCode, []string{"ArithmeticError"}, func(b telemetry.Batch) bool { return len(b.Series[0].Points) > 0 }},
		{"GetInsightRuleReport", awsserver.Deny, telemetry.Denied, []string{"cloudwatch:GetInsightRuleReport is denied"}, func(b telemetry.Batch) bool { return len(b.Rankings) == 0 && len(b.Insights) > 0 }},
		{"GetInsightRuleReport", awsserver.Garbage, telemetry.InternalErrorCode, []string{"isn't AWS's"}, func(b telemetry.Batch) bool { return len(b.Rankings) == 0 }},
		{"DescribeStream", awsserver.Deny, telemetry.Denied, []string{"without its stream"}, func(b telemetry.Batch) bool { return len(b.Shards) == 0 }},
		{"DescribeScalableTargets", awsserver.Deny, telemetry.Denied, []string{"what auto scaling may do"}, nil},
		{"DescribeScalingPolicies", awsserver.Deny, telemetry.Denied, []string{"target is not known"}, nil},
		{"LookupEvents", awsserver.Deny, telemetry.Denied, []string{"cloudtrail:LookupEvents is denied", "who changed the tables is not known", "allow cloudtrail:LookupEvents"}, nil},
		{"DescribeScalingActivities", awsserver.Break, telemetry.InternalErrorCode, []string{"did is not known"}, nil},
	}
	for _, test := range tests {
		t.Run(test.action+" "+string(test.kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-2 * time.Hour)})
				server.Fail(test.action, awsserver.Fault{Kind: test.kind})
				l := connect(t, server, Config{Tables: tableNames(b)})
				got, err := l.Fetch(t.Context(), telemetry.Window{Start: time.Now().Add(-2 * time.Hour), End: time.Now(), Period: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				wantWords(t, warned(got, test.code), test.says...)
				if test.lost != nil && !test.lost(got) {
					t.Error("what should be lost isn't, or more is")
				}
				for _, other := range codes(got) {
					if other != test.code && other != telemetry.InsightsEmpty && other != telemetry.InsightsDisabled && other != telemetry.Denied {
						t.Errorf("warned of %s too: %s", other, warned(got, other))
					}
				}
			})
		})
	}
}

func unknownSeries(b telemetry.Batch) bool {
	return len(b.Tables) > 0 && !slices.ContainsFunc(b.Series, func(s telemetry.Series) bool {
		return s.Status == telemetry.Complete || len(s.Points) > 0
	})
}

func TestPassingTroubleIsRetried(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-2 * time.Hour)})
		server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Throttle, Times: 2})
		server.Fail("DescribeTable", awsserver.Fault{Kind: awsserver.Break, Times: 1})
		l := connect(t, server, Config{Tables: tableNames(b)})
		got, err := l.Fetch(t.Context(), telemetry.Window{Start: time.Now().Add(-2 * time.Hour), End: time.Now(), Period: time.Minute})
		if err != nil || len(got.Tables) == 0 || got.Series[0].Status != telemetry.Complete {
			t.Error(err, codes(got))
		}
	})
}

func TestNothingAtAllIsAnError(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	server := serve(b)
	for _, action := range []string{"DescribeTable", "GetMetricData"} {
		server.Fail(action, awsserver.Fault{Kind: awsserver.Deny})
	}
	_, err := fetch(t, server, b)
	if err == nil {
		t.Fatal("no error")
	}
	wantWords(t, err.Error(), b.Tables[0].ID.Table+": dynamodb:DescribeTable is denied", "hint: allow dynamodb:DescribeTable")
}

func TestUnknownTableNamesThePlaceAndItsNeighbours(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	server := serve(b)
	environment(t)
	name := b.Tables[0].ID.Table
	l := connect(t, server, Config{Tables: []string{name + "s"}, Region: "eu-west-1"})
	_, err := l.Fetch(t.Context(), b.Window)
	if err == nil {
		t.Fatal("no error")
	}
	wantWords(t, err.Error(), "eu-west-1", b.Tables[0].ID.Account, "hint: there is "+name)
}

func TestATableOfAnotherRegionIsRefused(t *testing.T) {
	environment(t)
	l := connect(t, serve(incident(t, "hot-key-tenant")), Config{Tables: []string{"arn:aws:dynamodb:us-east-1:111122223333:table/orders"}})
	_, err := l.Fetch(t.Context(), telemetry.Window{})
	if err == nil || !strings.Contains(err.Error(), "hint: --region us-east-1") {
		t.Error(err)
	}
}

func TestNoNamedTableMeansAll(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	l := connect(t, serve(b), Config{Now: func() time.Time { return b.Window.End }})
	got, err := l.Fetch(t.Context(), b.Window)
	if err != nil || len(got.Tables) != len(b.Tables) {
		t.Error(len(got.Tables), err)
	}
}

func TestAClockThatIsWrongIsSaid(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	end := b.Window.End.Add(time.Hour)
	server := awsserver.New(awsserver.Config{Batch: b, Now: func() time.Time { return end }})
	l := connect(t, server, Config{Tables: tableNames(b), Now: func() time.Time { return end.Add(-7 * time.Minute) }})
	got, err := l.Fetch(t.Context(), b.Window)
	if err != nil {
		t.Fatal(err)
	}
	wantWords(t, warned(got, telemetry.ClockSkew), "7m0s behind AWS's")
	if d := got.FetchedAt.Sub(end).Abs(); d > time.Second {
		t.Errorf("fetched at a time %s off AWS's", d)
	}
}

func TestAnEndedContextEndsTheFetchAtOnce(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Latency: time.Minute})
		l := connect(t, server, Config{Tables: tableNames(b)})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := l.Fetch(ctx, b.Window); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second {
			t.Error(err, time.Since(began))
		}
	})
}

func TestHollowAnswersAreSurvived(t *testing.T) {
	b := streamed(incident(t, "index-pressure"), 3)
	actions := []string{
		"GetCallerIdentity", "DescribeTable", "DescribeLimits", "DescribeContributorInsights", "DescribeStream", "ListTables",
		"GetMetricData", "GetInsightRuleReport", "DescribeScalableTargets", "DescribeScalingPolicies", "DescribeScalingActivities",
	}
	for _, action := range actions {
		server := serve(b)
		server.Fail(action, awsserver.Fault{Kind: awsserver.Hollow})
		if _, err := fetch(t, server, b); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
	environment(t)
	server := serve(b)
	l := connect(t, server, Config{Tables: tableNames(b), Now: func() time.Time { return b.Window.End }})
	first, err := l.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server.Fail("GetMetricData", awsserver.Fault{Kind: awsserver.Hollow})
	if _, err := l.ask(t.Context(), l.known, first.Window, false); err == nil || !strings.Contains(err.Error(), errNoMetric.Error()) {
		t.Error(err)
	}
}
