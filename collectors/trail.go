package collectors

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudtrail"
	"github.com/aws/aws-sdk-go-v2/service/cloudtrail/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// trailEvents are the calls that CloudTrail is asked about: those that change how much a
// table may serve, who adds work to it, or how it is watched. The weightiest come first.
var trailEvents = [...]string{
	"UpdateTable", "RegisterScalableTarget",
	"PutScalingPolicy", "DeregisterScalableTarget",
	"UpdateTimeToLive", "UpdateContributorInsights",
}

const (
	// lookupsAPoll is how many calls of a kind are looked up with one poll. LookupEvents
	// allows two a second in an account (CloudTrail quotas), which others need too.
	lookupsAPoll = 2
	// trailReach is how long before the window changes are asked for: one shortly before
	// it may matter, and CloudTrail tells of calls up to 15 minutes late (CloudTrail user
	// guide, "Viewing event history").
	trailReach = 15 * time.Minute
	// trailKept is how long they can be looked up (the same).
	trailKept = 90 * 24 * time.Hour
	// trailLimit bounds the wait: a network may have no way to CloudTrail, and the polls
	// don't hang on it.
	trailLimit = 2 * time.Second
	// deniedFor is how long CloudTrail isn't asked after it was denied.
	deniedFor = time.Hour
)

// trail is when CloudTrail was asked.
type trail struct {
	asked  [len(trailEvents)]time.Time
	denied time.Time           // zero while it isn't
	said   []telemetry.Warning // that it is denied, for as long
}

// due are the calls to look up now, those first that were asked for longest ago.
func (t *trail) due(now time.Time) []int {
	if !t.denied.IsZero() && now.Sub(t.denied) < deniedFor {
		return nil
	}
	var out []int
	for i, at := range t.asked {
		if at.IsZero() || now.Sub(at) >= surveyEvery-pollEvery/2 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return t.asked[a].Compare(t.asked[b]) })
	return out[:min(lookupsAPoll, len(out))]
}

// withChanges makes a poll, and meanwhile asks CloudTrail who changed the tables, which
// goes with the poll's batch. Where CloudTrail doesn't answer, nothing is lost but that;
// that it is denied is said for as long as it is.
func (l *Live) withChanges(ctx context.Context, w telemetry.Window, poll func() (telemetry.Batch, error)) (telemetry.Batch, error) {
	now := l.now()
	due := l.trail.due(now)
	if w.Start.Before(now.Add(-trailKept)) || l.cfg.linked != "" {
		due = nil
	}
	var events []types.Event
	var failure error
	var asking sync.WaitGroup
	asking.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, trailLimit)
		defer cancel()
		for _, i := range due {
			var told []types.Event
			if told, failure = l.lookUp(ctx, trailEvents[i], w); failure != nil {
				return
			}
			events = append(events, told...)
		}
	})
	b, err := poll()
	asking.Wait()
	if err != nil {
		return b, err
	}
	for _, i := range due {
		l.trail.asked[i] = now
	}
	b.Marks = append(b.Marks, l.changes(events)...)
	warnings := l.trouble(failure, lookupEvents, telemetry.ResourceID{})
	switch {
	case failure != nil && warnings[0].Code == telemetry.Denied:
		l.trail.denied, l.trail.said = now, warnings
	case failure == nil && len(due) > 0:
		l.trail.denied, l.trail.said = time.Time{}, nil
	}
	b.Warnings = append(b.Warnings, l.trail.said...)
	return b, nil
}

// lookUp asks for one page of a call, the newest 50.
func (l *Live) lookUp(ctx context.Context, name string, w telemetry.Window) ([]types.Event, error) {
	in := &cloudtrail.LookupEventsInput{
		LookupAttributes: []types.LookupAttribute{{AttributeKey: types.LookupAttributeKeyEventName, AttributeValue: &name}},
		StartTime:        aws.Time(w.Start.Add(-trailReach)), EndTime: &w.End,
	}
	var out *cloudtrail.LookupEventsOutput
	err := l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.cloudtrail.LookupEvents(ctx, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out.Events, nil
}

// changes are the events that changed a watched table, as marks.
func (l *Live) changes(events []types.Event) []telemetry.Mark {
	var out []telemetry.Mark
	for _, e := range events {
		c, ok := readChange(e)
		if !ok {
			continue
		}
		id := l.named(c.table)
		watched := slices.ContainsFunc(l.cfg.Tables, func(name string) bool { return l.named(name).Table == id.Table })
		if id.Region != l.region || len(l.cfg.Tables) > 0 && !watched {
			continue
		}
		out = append(out, telemetry.Mark{At: when(e.EventTime), Kind: telemetry.UpdateMark, Text: c.text, Resource: id.WithIndex(c.index)})
	}
	return out
}

// tableOfScalable is the table and index of table/TABLE or table/TABLE/index/INDEX.
func tableOfScalable(id string) (table, index string) {
	parts := strings.Split(id, "/")
	if len(parts) < 2 || parts[0] != "table" {
		return "", ""
	}
	if len(parts) >= 4 && parts[2] == "index" {
		index = parts[3]
	}
	return parts[1], index
}
