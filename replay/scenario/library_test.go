package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLibraryHappensAsWritten holds what each built-in scenario expects against
// what its simulation did.
func TestLibraryHappensAsWritten(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s, err := Library(name)
			if err != nil {
				t.Fatal(err)
			}
			truth := Generate(s, 1).Truth
			if s.ExpectNil == (len(s.Expect) > 0) {
				t.Fatal("want either events or nothing expected")
			}
			var got, want []string
			for _, e := range truth.Events {
				got = append(got, e.Index+"/"+string(e.Operation)+" "+e.Causes[0]+" "+string(e.Limit))
			}
			for _, e := range s.Expect {
				want = append(want, e.Index+"/"+string(e.Direction)+" "+e.Cause+" "+string(e.Limit))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("expected and simulated events differ (-want +got):\n%s", diff)
			}
			for i, e := range s.Expect {
				for _, factor := range e.Contributing {
					if !slices.Contains(truth.Events[i].Contributing, factor) {
						t.Errorf("event %d: contributing %v lack %s", i, truth.Events[i].Contributing, factor)
					}
				}
			}
		})
	}
}

func TestLibraryTeaches(t *testing.T) {
	if n := len(Names()); n < 24 {
		t.Errorf("%d built-in scenarios, want at least 24", n)
	}
	titles := map[string]string{}
	for _, name := range Names() {
		s, err := Library(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(strings.Fields(s.About)) < 25 {
			t.Errorf("%s: what it teaches is told in %d words", name, len(strings.Fields(s.About)))
		}
		if other := titles[s.Title]; other != "" || s.Title == "" {
			t.Errorf("%s: title %q, as %q", name, s.Title, other)
		}
		titles[s.Title] = name
	}
}

func TestLibraryCoversCausesAndLimits(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Names() {
		s, err := Library(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Expect {
			seen[e.Cause], seen[string(e.Limit)] = true, true
			for _, factor := range e.Contributing {
				seen[factor] = true
			}
		}
	}
	for _, word := range []string{
		"hot_key", "hot_partition", "table_capacity", "gsi_pressure", "large_item", "account_quota",
		"key_range", "provisioned", "max_on_demand", "account",
		"retry_amplification", "sub_minute_burst", "auto_scaling_lag", "auto_scaling_at_maximum", "scaled_in",
		"on_demand_new_peak", "too_few_partitions", "rolling_key", "split_in_progress", "unsplittable", "scan",
		"replicated_writes", "gsi_back_pressure",
	} {
		if !seen[word] {
			t.Errorf("no built-in scenario shows %s", word)
		}
	}
}
