package collectors

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

func examine(t *testing.T, prepare func(*awsserver.Server), tables ...string) []Check {
	b := streamed(incident(t, "index-pressure"), 3)
	environment(t)
	var checks []Check
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-40 * time.Minute)})
		prepare(server)
		checks = connect(t, server, Config{Tables: tables}).Doctor(t.Context())
	})
	return checks
}

func TestDoctorTriesEveryPermission(t *testing.T) {
	checks := examine(t, func(*awsserver.Server) {})
	for _, p := range Permissions() {
		if p == getCallerIdentity {
			p.Action = "credentials"
		}
		i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == p.Action })
		if i < 0 || checks[i].State != Fine {
			t.Errorf("%s: %+v", p.Action, checks)
		}
	}
}

func TestDoctorNamesWhatIsDenied(t *testing.T) {
	checks := examine(t, func(s *awsserver.Server) {
		s.Fail("GetInsightRuleReport", awsserver.Fault{Kind: awsserver.Deny})
		s.Fail("DescribeScalingPolicies", awsserver.Fault{Kind: awsserver.Deny})
	})
	for _, action := range []string{"cloudwatch:GetInsightRuleReport", "application-autoscaling:DescribeScalingPolicies"} {
		i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == action && c.State == Failed })
		if i < 0 {
			t.Errorf("%s isn't among %+v", action, checks)
			continue
		}
		wantWords(t, checks[i].Text+checks[i].Hint, "denied", "allow "+action)
	}
}

func TestDoctorDoesNotKnowAMissingTable(t *testing.T) {
	checks := examine(t, func(*awsserver.Server) {}, "nosuch")
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == "table nosuch" && c.State == Failed })
	if i < 0 {
		t.Errorf("%+v", checks)
	}
}
