package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// refusing lets the minutes of a bound event refuse so many by a partition's limit.
func refusing(refusals float64) func(*Table, *Resource, *Event) {
	return func(_ *Table, r *Resource, e *Event) {
		for i, m := range r.Write.Minutes {
			r.Write.Minutes[i].ThrottleState = telemetry.Known
			if !m.Start.Before(e.Start) && m.Start.Before(e.End) {
				r.Write.Minutes[i].ByLimit.KeyRange = refusals
			}
		}
		e.ThrottledEvents = refusals * e.End.Sub(e.Start).Minutes()
	}
}

func TestAlarmWouldHaveTold(t *testing.T) {
	d, e := bound(refusing(500))
	s := d.Afterwards(e)[0]
	want := "set an alarm on 50 refusals a minute in 3 of 5 minutes: it would have gone off at " + clock(e.Start.Add(3*time.Minute)) + " UTC"
	if !strings.HasPrefix(s.Text, want) {
		t.Errorf("%q, want %q", s.Text, want)
	}
	for _, part := range []string{"--metric-name WriteKeyRangeThroughputThrottleEvents", "Name=TableName,Value=orders", "--threshold 50 ", "--treat-missing-data notBreaching"} {
		if !strings.Contains(s.Commands[0], part) {
			t.Errorf("%q is missing in %s", part, s.Commands[0])
		}
	}
	d, e = bound(func(tb *Table, r *Resource, e *Event) {
		refusing(500)(tb, r, e)
		e.End = e.Start.Add(2 * time.Minute)
		refusing(0)(tb, r, &Event{Start: e.End, End: d.Window.End})
	})
	if s := d.Afterwards(e)[0]; strings.Contains(s.Text, "gone off") {
		t.Errorf("two minutes set off %q", s.Text)
	}
}

func TestTextForAWSNamesWhatAndWhen(t *testing.T) {
	tests := map[Cause]string{
		AccountQuota: "for the quota request: please raise L-AB614373 to 45,000 for orders in account 111122223333, Region eu-west-1, ",
		Undetermined: "for a support case: orders in account 111122223333, Region eu-west-1, ",
		HotKey:       "",
	}
	for cause, want := range tests {
		d, e := bound(func(_ *Table, _ *Resource, e *Event) {
			e.Cause = cause
			if cause == AccountQuota {
				e.Limit = telemetry.AccountLimit
			}
		})
		text := ""
		if steps := d.Afterwards(e); len(steps) > 1 {
			text = steps[1].Text
		}
		if !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("%s: %q, want %q", cause, text, want)
		}
	}
}

func TestOtherRegionsOfAGlobalTableAreLookedAt(t *testing.T) {
	d, e := bound(func(tb *Table, _ *Resource, _ *Event) { tb.Description.Replicas = []string{"eu-west-1", "us-east-1"} })
	steps := d.Afterwards(e)
	if len(steps) != 2 || !strings.HasPrefix(steps[1].Commands[0], "hotpart diagnose orders --region us-east-1 --start ") {
		t.Errorf("steps %+v", steps)
	}
}

func TestCallersAreSearchedByTheKeyWhereItReadsTheSameInJSON(t *testing.T) {
	tests := map[string]string{
		"TENANT#123": `and @message like "\"TENANT#123\"" |`,
		`a"b`:        `requestParameters.tableName = "orders" |`,
	}
	for key, want := range tests {
		d, e := bound(func(_ *Table, _ *Resource, e *Event) { e.Keys[0].Key.Partition = key })
		s := stepWith(t, d.Runbook(e), "find who calls")
		if !strings.Contains(s.Commands[0], want) {
			t.Errorf("%s: %q is missing in %s", key, want, s.Commands[0])
		}
	}
}
