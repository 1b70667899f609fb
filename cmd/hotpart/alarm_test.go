package main

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

func TestTheTimeAroundAnAlarmIsBoundedByNowAndItsEnd(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 30, 0, time.UTC)
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 2, hour, minute, 0, 0, time.UTC) }
	for _, c := range []struct {
		name       string
		alarm      collectors.Alarm
		start, end time.Time
	}{
		{"still on", collectors.Alarm{Since: at(11, 20)}, at(10, 20), at(12, 0)},
		{"over", collectors.Alarm{Since: at(9, 10), Until: at(9, 40)}, at(8, 10), at(9, 55)},
		{"just over", collectors.Alarm{Since: at(11, 30), Until: at(11, 50)}, at(10, 30), at(12, 0)},
		{"on for long", collectors.Alarm{Since: at(3, 0)}, at(2, 0), at(6, 0)},
		{"never seen on", collectors.Alarm{}, at(11, 0), at(12, 0)},
	} {
		w := around(c.alarm, now)
		if !w.Start.Equal(c.start) || !w.End.Equal(c.end) {
			t.Errorf("%s: %v to %v, want %v to %v", c.name, w.Start, w.End, c.start, c.end)
		}
	}
}

func TestWatchingForAnAlarmReachesBeforeIt(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	al := collectors.Alarm{Name: "a", Since: now.Add(-90 * time.Minute)}
	if since, err := sinceAlarm(al, time.Hour, now); err != nil || since != 150*time.Minute {
		t.Errorf("since %v, %v", since, err)
	}
	if since, err := sinceAlarm(al, 9*time.Hour, now); err != nil || since != 9*time.Hour {
		t.Errorf("since %v, %v: a longer --since counts", since, err)
	}
	al.Since = now.Add(-20 * 24 * time.Hour)
	if _, err := sinceAlarm(al, time.Hour, now); err == nil || !strings.Contains(err.Error(), "hint: hotpart diagnose --alarm a") {
		t.Errorf("an alarm of 20 days ago: %v", err)
	}
}

func TestAnAlarmLeadsToItsTable(t *testing.T) {
	b := whole(t, "hot-key-tenant")
	table, now := b.Tables[0].ID.Table, time.Now().Truncate(time.Minute)
	onAWS(t, awsserver.New(awsserver.Config{
		Batch: b, Begin: now.Add(-40 * time.Minute),
		Alarms: []awsserver.Alarm{{
			Name:    "tenant-writes",
			Metrics: []awsserver.AlarmMetric{{Namespace: "AWS/DynamoDB", Name: "WriteThrottleEvents", Dimensions: map[string]string{"TableName": table}}},
			States:  []awsserver.AlarmState{{At: now.Add(-20 * time.Minute), State: "ALARM"}},
		}},
	}), b.Tables[0].ID.Region)
	status, out, errs := hotpart(t, "diagnose", "--alarm", "tenant-writes")
	for _, says := range []string{
		`alarm "tenant-writes" is on ` + table + ", writes (WriteThrottleEvents); in ALARM since ",
		"looking at " + minuteText(now.Add(-80*time.Minute)) + " to ",
	} {
		if !strings.Contains(errs, says) {
			t.Errorf("stderr lacks %q:\n%s", says, errs)
		}
	}
	if status != statusDone || !strings.HasPrefix(out, "HOT KEY") || !strings.Contains(out, "alarm tenant-writes went off") {
		t.Errorf("status %d\n%s", status, out)
	}
	if status, _, errs = hotpart(t, "diagnose", "--alarm", "tenant-write"); status != statusFailed || !strings.Contains(errs, "hint: there is tenant-writes") {
		t.Errorf("status %d: %s", status, errs)
	}
	for _, args := range [][]string{{"diagnose", table, "--alarm", "a"}, {"diagnose", "--from", "x", "--alarm", "a"}, {"watch", table, "--alarm", "a"}} {
		if status, _, errs = hotpart(t, args...); status != statusUsage || !strings.Contains(errs, "--alarm") {
			t.Errorf("%v: status %d: %s", args, status, errs)
		}
	}
	if status, _, errs = hotpart(t, "watch", "--alarm", "a"); status != statusUsage || !strings.Contains(errs, "hint: hotpart diagnose --alarm a") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestHintsQuoteTheNamesOfAlarmsForAShell(t *testing.T) {
	for name, pasted := range map[string]string{
		"orders-writes":   "orders-writes",
		"orders; rm -rf ": "'orders; rm -rf '",
		"it's $(hot)":     `'it'\''s $(hot)'`,
	} {
		for _, command := range []string{"diagnose", "watch"} {
			if status, _, errs := hotpart(t, command, "orders", "--alarm", name); status != statusUsage || !strings.Contains(errs, "hint: hotpart "+command+" --alarm "+pasted+"\n") {
				t.Errorf("%s: status %d: %s", command, status, errs)
			}
		}
		al := collectors.Alarm{Name: name, Since: time.Unix(0, 0)}
		if _, err := sinceAlarm(al, time.Hour, time.Unix(1<<30, 0)); err == nil || !strings.Contains(err.Error(), "--alarm "+pasted+" looks there") {
			t.Errorf("an old alarm: %v", err)
		}
	}
}

func TestWatchBeginsWithTheIndexThatItsAlarmIsOn(t *testing.T) {
	b := whole(t, "hot-key-tenant")
	table, now := b.Tables[0].ID.Table, time.Now().Truncate(time.Minute)
	onAWS(t, awsserver.New(awsserver.Config{
		Batch: b, Begin: now.Add(-40 * time.Minute),
		Alarms: []awsserver.Alarm{{
			Name: "index", Metrics: []awsserver.AlarmMetric{{
				Namespace: "AWS/DynamoDB", Name: "WriteThrottleEvents", Dimensions: map[string]string{"TableName": table, "GlobalSecondaryIndexName": "by-status"},
			}},
			States: []awsserver.AlarmState{{At: now.Add(-20 * time.Minute), State: "ALARM"}},
		}},
	}), b.Tables[0].ID.Region)
	term := newTerminal(t, "hotpart watch --alarm index\n")
	title, _, _ := strings.Cut(term.shows("HOT KEY"), "\n")
	if !strings.Contains(title, "by-status") {
		t.Errorf("the title is %q", title)
	}
	term.command("send-keys q q")
}
