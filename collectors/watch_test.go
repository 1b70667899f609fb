package collectors

import (
	"slices"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// Somebody turns Contributor Insights on while one watches: each state is told with the
// next poll, and keys are taken over as they come.
func TestKeysAreTakenOverAsSoonAsInsightsIsTurnedOn(t *testing.T) {
	watched(t, func(t *testing.T, server *awsserver.Server, l *Live) {
		b := incident(t, "hot-key-tenant")
		id := b.Tables[0].ID.Resource()
		state := func(b telemetry.Batch) string {
			for _, in := range b.Insights {
				if in.Resource == id {
					return in.Status + " " + in.Mode
				}
			}
			return ""
		}
		about := func(b telemetry.Batch) []string {
			var out []string
			for _, w := range b.Warnings {
				if w.Resource == id && (slices.Contains(insightsCodes, w.Code) || w.Code == telemetry.InsightsEmpty) {
					out = append(out, w.Code)
				}
			}
			return out
		}
		ranked := func(b telemetry.Batch) int {
			n := 0
			for _, r := range b.Rankings {
				if r.Resource == id && r.Kind == telemetry.AccessedPartitionKeys {
					n += len(r.Contributors)
				}
			}
			return n
		}
		const all = "ACCESSED_AND_THROTTLED_KEYS"
		server.Watch(id, "DISABLED", "")
		for _, step := range []struct {
			status, mode string
			want         string // of the state told anew; "" for none
			warned       string
			keys         bool
		}{
			{"", "", "DISABLED ", telemetry.InsightsDisabled, false},
			{"", "", "", telemetry.InsightsDisabled, false},
			{"FAILED", all, "FAILED " + all, telemetry.InsightsFailed, false},
			{"ENABLING", all, "ENABLING " + all, telemetry.InsightsEnabling, false},
			{"ENABLED", "THROTTLED_KEYS", "ENABLED THROTTLED_KEYS", telemetry.InsightsThrottledOnly, false},
			{"ENABLED", all, "ENABLED " + all, telemetry.InsightsEmpty, false},
		} {
			if step.status != "" {
				server.Watch(id, step.status, step.mode)
			}
			b := next(t, l)
			if len(b.Tables) > 0 && !l.last.End.IsZero() && step.want == "" {
				continue // a survey tells all states again
			}
			if got := state(b); got != step.want {
				t.Errorf("%s: told %q, want %q", step.status, got, step.want)
			}
			if got := about(b); !slices.Equal(got, []string{step.warned}) {
				t.Errorf("%s: warned of %q, want %s", step.status, got, step.warned)
			}
			if got := ranked(b) > 0; got != step.keys {
				t.Errorf("%s: keys are ranked: %v", step.status, got)
			}
		}
		for since := time.Now(); ; {
			b := next(t, l)
			if ranked(b) > 0 {
				if got := about(b); len(got) > 0 {
					t.Errorf("with keys, still warned of %q", got)
				}
				return
			}
			if time.Since(since) > 5*time.Minute {
				t.Fatal("no key is ranked five minutes after it was turned on")
			}
		}
	})
}
