package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// happening is one line of the timeline.
type happening struct {
	at   time.Time
	text string
}

// timeline tells in order what happened: changes of tables, marks, and the events with the
// numbers they have in the report. A short report leaves it out where there are only events.
func (b *builder) timeline() section {
	s := section{heading: "Timeline"}
	var all []happening
	for _, t := range b.d.Tables {
		for _, c := range t.Changes {
			all = append(all, happening{c.At, b.about(c.Resource) + b.text(c.Text)})
		}
	}
	for _, m := range b.d.Marks {
		all = append(all, happening{m.At, b.about(m.Resource) + b.text(m.Text)})
	}
	if b.short && len(all) == 0 {
		return s
	}
	for i, e := range b.ranked() {
		if !e.Note() {
			all = append(all, b.course(i+1, e)...)
		}
	}
	slices.SortStableFunc(all, func(x, y happening) int { return x.at.Compare(y.at) })
	g := group{label: "what happened when"}
	for _, x := range all {
		g.items = append(g.items, item{text: x.at.In(b.zone).Format("2006-01-02 15:04 MST") + " " + x.text})
	}
	if len(g.items) > 0 {
		s.groups = append(s.groups, g)
	}
	return s
}

// about is "orders: "; "" for what is about no table.
func (b *builder) about(id telemetry.ResourceID) string {
	if id.Table == "" {
		return ""
	}
	return b.name(id) + ": "
}

// course is how an event began, was at its worst and ended.
func (b *builder) course(n int, e *analysis.Event) []happening {
	out := []happening{{e.Start, fmt.Sprintf("event %d begins: %s on %s, %ss", n, telemetry.Words(e.Cause), b.name(e.Resource), e.Direction)}}
	if worst := worstMinute(b.d.LoadOf(e), e); worst != nil {
		out = append(out, happening{worst.Start, fmt.Sprintf("event %d at its worst: %s a minute", n, count(worst.Throttled, "refusal", "refusals"))})
	}
	end := "is over"
	if e.Ongoing {
		end = "still goes on"
	}
	return append(out, happening{e.End, fmt.Sprintf("event %d %s", n, end)})
}

// worstMinute is the minute of an event with the most refusals; nil where none is counted.
func worstMinute(l *analysis.Load, e *analysis.Event) *analysis.Minute {
	if l == nil {
		return nil
	}
	var worst *analysis.Minute
	for i := range l.Minutes {
		m := &l.Minutes[i]
		inside := !m.Start.Before(e.Start) && m.Start.Before(e.End)
		if inside && m.ThrottleState == telemetry.Known && m.Throttled > 0 && (worst == nil || m.Throttled > worst.Throttled) {
			worst = m
		}
	}
	return worst
}
