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

// moved is a batch of another account and Region.
func moved(b telemetry.Batch, account, region string) telemetry.Batch {
	at := func(id *telemetry.TableID) { id.Account, id.Region = account, region }
	b.Tables = slices.Clone(b.Tables)
	for i := range b.Tables {
		at(&b.Tables[i].ID)
	}
	b.Insights = slices.Clone(b.Insights)
	for i := range b.Insights {
		at(&b.Insights[i].Resource.TableID)
	}
	b.Series = slices.Clone(b.Series)
	for i := range b.Series {
		at(&b.Series[i].ID.Resource.TableID)
	}
	b.Rankings = slices.Clone(b.Rankings)
	for i := range b.Rankings {
		at(&b.Rankings[i].Resource.TableID)
	}
	return b
}

// sideBySide runs a test on an incident in two Regions of each of two accounts, by the
// profiles a and b.
func sideBySide(t *testing.T, test func(t *testing.T, at awsserver.Places, open func(cfg Config, profiles, regions []string) (*Many, error))) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SHARED_CREDENTIALS_FILE": "testdata/profiles"} {
		t.Setenv(name, value)
	}
	synctest.Test(t, func(t *testing.T) {
		at := awsserver.Places{}
		for key, account := range map[string]string{"AKIAA": "111111111111", "AKIAB": "222222222222"} {
			for _, region := range []string{"eu-west-1", "us-east-1"} {
				at[key+"/"+region] = awsserver.New(awsserver.Config{
					Batch: moved(b, account, region), Begin: time.Now().Add(-40 * time.Minute), Delay: 90 * time.Second,
				})
			}
		}
		test(t, at, func(cfg Config, profiles, regions []string) (*Many, error) {
			cfg.HTTPClient = at.Client()
			if cfg.Tables == nil {
				cfg.Tables = []string{b.Tables[0].ID.Table}
			}
			return OpenMany(t.Context(), cfg, profiles, regions)
		})
	})
}

// placesOf are the accounts and Regions of which a batch has points.
func placesOf(b telemetry.Batch) []string {
	var out []string
	for _, s := range b.Series {
		if place := s.ID.Resource.Account + " " + s.ID.Resource.Region; len(s.Points) > 0 && !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	slices.Sort(out)
	return out
}

func wantPlaces(t *testing.T, b telemetry.Batch, want ...string) {
	t.Helper()
	if got := placesOf(b); !slices.Equal(got, want) {
		t.Errorf("told of %q, want %q", got, want)
	}
}

func nextOf(t *testing.T, m *Many) telemetry.Batch {
	t.Helper()
	b, err := m.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestProfilesAndRegionsAreAskedSideBySide(t *testing.T) {
	sideBySide(t, func(t *testing.T, at awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{}, []string{"a", "b"}, []string{"eu-west-1", "us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Places(); got != "a eu-west-1, a us-east-1, b eu-west-1, b us-east-1" {
			t.Errorf("asks %s", got)
		}
		for range 4 {
			b := nextOf(t, m)
			wantPlaces(t, b, "111111111111 eu-west-1", "111111111111 us-east-1", "222222222222 eu-west-1", "222222222222 us-east-1")
			if len(b.Rankings) == 0 {
				t.Error("no key is ranked")
			}
		}
		var calls int
		for _, s := range at {
			calls += len(s.Calls())
		}
		one := at["AKIAA/eu-west-1"]
		metrics, _ := metricsFrom(one, 0)
		if got := m.Meter(); got.Calls != int64(calls) || got.Metrics != int64(4*metrics) {
			t.Errorf("the meter says %+v of %d calls, with %d metrics for one", got, calls, metrics)
		}
		times := map[time.Time]int{}
		for _, s := range at {
			for _, c := range s.Calls() {
				if c.Action == "GetMetricData" {
					times[c.At]++
				}
			}
		}
		if len(times) != 4 {
			t.Errorf("four polls came at %d times", len(times))
		}
	})
}

func TestAPlaceThatFailsCostsAWarningAndTheOthersGoOn(t *testing.T) {
	for _, test := range []struct {
		name  string
		kind  awsserver.FaultKind
		words []string
	}{
		{"denied", awsserver.Deny, []string{"a us-east-1: nothing is told since 00:0", "is denied", "allow "}},
		{"expired", awsserver.Expire, []string{"a us-east-1: nothing is told since 00:0", "credentials have expired", "aws sso login --profile a"}},
		{"hanging", awsserver.Hang, []string{"a us-east-1: nothing is told since 00:0", "had no answer"}},
		{"broken", awsserver.Break, []string{"a us-east-1: nothing is told since 00:0", "failed in AWS"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sideBySide(t, func(t *testing.T, at awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
				m, err := open(Config{}, []string{"a", "b"}, []string{"us-east-1"})
				if err != nil {
					t.Fatal(err)
				}
				nextOf(t, m)
				failAll(at["AKIAA/us-east-1"], test.kind)
				for range 6 {
					before := time.Now()
					b := nextOf(t, m)
					wantPlaces(t, b, "222222222222 us-east-1")
					text := ""
					for _, w := range b.Warnings {
						if strings.HasPrefix(w.Text, "a us-east-1: nothing") {
							text = w.Text
						}
					}
					wantWords(t, text, test.words...)
					if time.Since(before) > 2*time.Minute {
						t.Errorf("the others waited for %s", time.Since(before))
					}
				}
				failAll(at["AKIAA/us-east-1"], "")
				b := nextOf(t, m)
				if len(placesOf(b)) < 2 {
					b = nextOf(t, m) // it is tried again every other minute
				}
				wantPlaces(t, b, "111111111111 us-east-1", "222222222222 us-east-1")
				failAll(at["AKIAA/us-east-1"], test.kind)
				failAll(at["AKIAB/us-east-1"], test.kind)
				if _, err := m.Next(t.Context()); err == nil {
					if _, err = m.Next(t.Context()); err == nil {
						t.Error("no error where all fail")
					}
				}
			})
		})
	}
}

func TestAProfileWithoutCredentialsIsTriedAgainWhileOthersAreAsked(t *testing.T) {
	sideBySide(t, func(t *testing.T, _ awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{}, []string{"a", "nobody"}, []string{"us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		b := nextOf(t, m)
		wantPlaces(t, b, "111111111111 us-east-1")
		wantWords(t, b.Warnings[0].Text, "nobody us-east-1: nothing is told", `there is no profile "nobody"`, "aws configure list-profiles")
		m.places[1].cfg.Profile = "b" // as if it had been made
		for range 7 {
			b = nextOf(t, m)
		}
		wantPlaces(t, b, "111111111111 us-east-1", "222222222222 us-east-1")
		if _, err := open(Config{}, []string{"nobody", "none"}, nil); err == nil {
			t.Error("no error where no profile has credentials")
		}
	})
}

func TestABudgetIsSharedByAllPlaces(t *testing.T) {
	sideBySide(t, func(t *testing.T, _ awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{Budget: 0.06}, []string{"a", "b"}, []string{"eu-west-1", "us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		b := nextOf(t, m)
		if got := m.Meter(); got.Every < 3*time.Minute || got.DollarsAnHour() > 0.06 {
			t.Errorf("the meter says %+v, $%.3f an hour", got, got.DollarsAnHour())
		}
		wantWords(t, warned(b, telemetry.Budget), "to stay within the budget of $0.06")
		before := time.Now()
		nextOf(t, m)
		if apart := time.Since(before); apart < 3*time.Minute-pollEvery/2 {
			t.Errorf("polls are %s apart", apart)
		}
	})
}

func TestARNsAreAskedForInTheirRegionAlone(t *testing.T) {
	sideBySide(t, func(t *testing.T, at awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		name := incident(t, "hot-key-tenant").Tables[0].ID.Table
		m, err := open(Config{Tables: []string{"arn:aws:dynamodb:us-east-1:111111111111:table/" + name}}, []string{"a"}, []string{"eu-west-1", "us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		wantPlaces(t, nextOf(t, m), "111111111111 us-east-1")
		if n := len(at["AKIAA/eu-west-1"].Calls()); n > 0 {
			t.Errorf("%d calls to the other Region", n)
		}
	})
}

func TestFleetsOfSeveralPlacesAreSweptForTheSameTime(t *testing.T) {
	sideBySide(t, func(t *testing.T, _ awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{Tables: []string{}}, []string{"a", "b"}, []string{"us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b := nextOf(t, m)
			wantPlaces(t, b, "111111111111 us-east-1", "222222222222 us-east-1")
			if b.Window.End.Sub(b.Window.Start) != closeReach {
				t.Errorf("asked for %v", b.Window)
			}
		}
	})
}

func TestDoctorNamesThePlaces(t *testing.T) {
	sideBySide(t, func(t *testing.T, _ awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{}, []string{"a", "nobody"}, []string{"us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		checks := m.Doctor(t.Context())
		last := checks[len(checks)-1]
		if !strings.HasPrefix(checks[0].Name, "a us-east-1 ") || last.Name != "nobody us-east-1 credentials" || last.State != Failed {
			t.Errorf("first %+v, last %+v", checks[0], last)
		}
		b, err := m.Fetch(t.Context(), telemetry.Window{Start: time.Now().Add(-time.Hour), End: time.Now(), Period: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		wantPlaces(t, b, "111111111111 us-east-1")
	})
}

func TestAnAlarmIsFoundInThePlaceThatHasIt(t *testing.T) {
	sideBySide(t, func(t *testing.T, at awsserver.Places, open func(Config, []string, []string) (*Many, error)) {
		m, err := open(Config{}, []string{"a"}, []string{"eu-west-1", "us-east-1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Alarm(t.Context(), "page-me"); err == nil {
			t.Error("no error for an alarm that no place has")
		}
		table := m.places[0].cfg.Tables[0]
		at["AKIAA/us-east-1"] = awsserver.New(awsserver.Config{
			Batch: moved(incident(t, "hot-key-tenant"), "111111111111", "us-east-1"), Begin: time.Now().Add(-40 * time.Minute),
			Alarms: []awsserver.Alarm{{Name: "page-me", Metrics: []awsserver.AlarmMetric{onTable(table, "WriteThrottleEvents")}}},
		})
		al, err := m.Alarm(t.Context(), "page-me")
		if err != nil || al.Table != table || m.Places() != "us-east-1" {
			t.Fatalf("%+v, %v, then asks %s", al, err, m.Places())
		}
		m.Focus([]string{al.Table}, time.Hour)
		wantPlaces(t, nextOf(t, m), "111111111111 us-east-1")
	})
}
