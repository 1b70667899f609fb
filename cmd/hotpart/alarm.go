package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
)

// alarmFlag adds --alarm to a command.
func alarmFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "alarm", "", "the `name` or ARN of a CloudWatch alarm: look at its table, around when it went off")
}

// How far around an alarm one looks: trouble begins before its alarm, and what follows
// an hour or two later seldom explains it.
const (
	beforeAlarm    = time.Hour
	afterAlarm     = 15 * time.Minute
	mostSinceAlarm = 3 * time.Hour
)

// errAlarmOfLinked is for what an alarm leaves no room for: it names one table, in one
// account.
var errAlarmOfLinked = usage("--alarm looks at one table of the account that is asked\nhint: give --alarm or --linked-accounts, not both")

// findAlarm finds an alarm and tells on stderr what it is about.
func (a app) findAlarm(ctx context.Context, l *collectors.Many, name string) (collectors.Alarm, error) {
	al, err := l.Alarm(ctx, name)
	if err != nil {
		return al, err
	}
	on := al.Table
	if al.Index != "" {
		on += "/" + al.Index
	}
	if al.Direction != "" {
		on += ", " + string(al.Direction) + "s"
	}
	state := "when it went to ALARM isn't known"
	switch {
	case !al.Until.IsZero():
		state = "in ALARM from " + minuteText(al.Since) + " to " + minuteText(al.Until)
	case !al.Since.IsZero():
		state = "in ALARM since " + minuteText(al.Since)
	}
	a.warn("alarm %q is on %s (%s); %s", al.Name, on, strings.Join(al.Metrics, ", "), state)
	return al, nil
}

// around is the time to look at for an alarm: from an hour before it went off to shortly
// after it was over, at most three hours after it went off. Where that isn't known it is
// the last hour.
func around(al collectors.Alarm, now time.Time) telemetry.Window {
	now = now.UTC().Truncate(time.Minute)
	w := telemetry.Window{Start: now.Add(-beforeAlarm), End: now, Period: time.Minute}
	if al.Since.IsZero() {
		return w
	}
	w.Start = al.Since.Add(-beforeAlarm).Truncate(time.Minute)
	end := al.Since.Add(mostSinceAlarm)
	if over := al.Until.Add(afterAlarm); !al.Until.IsZero() && over.Before(end) {
		end = over
	}
	if end.Before(now) {
		w.End = end.Truncate(time.Minute)
	}
	return w
}

// sinceAlarm is how far back watching begins for an alarm, at least as far as wished.
func sinceAlarm(al collectors.Alarm, wished time.Duration, now time.Time) (time.Duration, error) {
	if al.Since.IsZero() {
		return wished, nil
	}
	since := now.Sub(al.Since).Truncate(time.Minute) + beforeAlarm
	if since > longestSince {
		return 0, fmt.Errorf("alarm %q went off more than 15 days ago, at %s\nhint: hotpart diagnose --alarm %s looks there", al.Name, minuteText(al.Since), pasted(al.Name))
	}
	return max(since, wished), nil
}

// alarmMark is when an alarm went off; none where that isn't known.
func alarmMark(al collectors.Alarm) []telemetry.Mark {
	if al.Since.IsZero() {
		return nil
	}
	return []telemetry.Mark{{At: al.Since, Kind: telemetry.AlarmMark, Text: "alarm " + al.Name + " went off"}}
}
