package collectors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// State is how a check came out.
type State string

// The states. Skipped says that there was nothing to try a call on.
const (
	Fine    State = "ok"
	Failed  State = "failed"
	Weak    State = "weak"
	Skipped State = "skipped"
)

// Check is one line of a doctor's findings. Hint is what to type, or "".
type Check struct {
	Name  string
	State State
	Text  string
	Hint  string
}

// doctor gathers checks.
type doctor struct {
	live   *Live
	checks []Check
}

// Doctor tries every call that is used once, on the configured tables or on the
// first that there is, and says what works. It costs two metrics a table.
func (l *Live) Doctor(ctx context.Context) []Check {
	d := &doctor{live: l}
	d.caller(ctx)
	d.add("Region", Fine, l.region, "")
	names := l.cfg.Tables
	all, err := l.allTables(ctx)
	d.tried(listTables, err, fmt.Sprintf("tables in %s: %d", l.region, len(all)))
	if len(names) == 0 && len(all) > 0 {
		names = all[:1]
	}
	var quotas []telemetry.Quotas
	d.warned(describeLimits, "the account's quotas are told", l.limits(&quotas)(ctx))
	d.alarms(ctx)
	d.links(ctx)
	d.changes(ctx)
	if len(names) == 0 {
		for _, p := range []Permission{describeTable, describeInsights, describeStream, getMetricData, getInsightReport, describeTargets, describePolicies, describeActivities} {
			d.add(p.Action, Skipped, "no table to try it on", "hotpart doctor TABLE")
		}
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		d.table(ctx, name)
	}
	return d.checks
}

// Doctor tries every call once in each place. What it finds names the place where
// there are several.
func (m *Many) Doctor(ctx context.Context) []Check {
	var all []Check
	for _, p := range m.places {
		var checks []Check
		if p.live == nil {
			what, hint, _ := strings.Cut(p.err.Error(), "\nhint: ")
			checks = []Check{{Name: "credentials", State: Failed, Text: what, Hint: hint}}
		} else {
			checks = p.live.Doctor(ctx)
		}
		for _, c := range checks {
			if len(m.places) > 1 {
				c.Name = p.label + " " + c.Name
			}
			all = append(all, c)
		}
	}
	return all
}

func (d *doctor) add(name string, state State, text, hint string) {
	d.checks = append(d.checks, Check{Name: name, State: state, Text: text, Hint: hint})
}

// tried adds the outcome of a call.
func (d *doctor) tried(p Permission, err error, fine string) {
	if err == nil {
		d.add(p.Action, Fine, fine, "")
		return
	}
	_, reason, remedy := d.live.reason(err, p)
	d.add(p.Action, Failed, reason+": "+p.Lost, remedy)
}

// warned adds the outcome of a call that warns.
func (d *doctor) warned(p Permission, fine string, warnings []telemetry.Warning) {
	for _, w := range warnings {
		d.add(p.Action, Failed, w.Text, "")
	}
	if len(warnings) == 0 {
		d.add(p.Action, Fine, fine, "")
	}
}

func (d *doctor) caller(ctx context.Context) {
	l := d.live
	out, err := l.caller(ctx)
	if err != nil {
		_, reason, remedy := l.reason(err, getCallerIdentity)
		d.add("credentials", Failed, getCallerIdentity.Action+" "+reason, remedy)
		return
	}
	l.account = aws.ToString(out.Account)
	d.add("credentials", Fine, fmt.Sprintf("%s in account %s", aws.ToString(out.Arn), l.account), "")
	if skew := l.ahead(out.ResultMetadata); skew.Abs() >= maxSkew {
		d.add("clock", Weak, fmt.Sprintf("this machine's clock differs by %s from AWS's", skew.Abs()), "set it, for example with chrony or timedatectl")
		return
	}
	d.add("clock", Fine, "agrees with AWS's", "")
}

// alarms tries what --alarm needs.
func (d *doctor) alarms(ctx context.Context) {
	_, err := d.live.alarms(ctx, &cloudwatch.DescribeAlarmsInput{MaxRecords: aws.Int32(1)})
	d.tried(describeAlarms, err, "alarms can be found by name")
	_, err = d.live.alarmHistory(ctx, &cloudwatch.DescribeAlarmHistoryInput{MaxRecords: aws.Int32(1)})
	d.tried(describeAlarmPast, err, "when they went off is told")
}

// links tries what --linked-accounts needs, which the rest doesn't.
func (d *doctor) links(ctx context.Context) {
	all, err := d.live.metricsSeen(ctx, "")
	if err != nil {
		_, reason, remedy := d.live.reason(err, listMetrics)
		d.add(listMetrics.Action, Weak, reason+": "+listMetrics.Lost, remedy)
		return
	}
	delete(all, d.live.account)
	if len(all) == 0 {
		d.add(listMetrics.Action, Fine, "no linked account shares metrics of tables in use", "")
		return
	}
	d.add(listMetrics.Action, Fine, fmt.Sprintf("accounts linked for --linked-accounts: %s", strings.Join(slices.Sorted(maps.Keys(all)), ", ")), "")
}

// changes tries to look up who changed tables, which the rest doesn't need.
func (d *doctor) changes(ctx context.Context) {
	if _, err := d.live.lookUp(ctx, trailEvents[0], d.window()); err != nil {
		_, reason, remedy := d.live.reason(err, lookupEvents)
		d.add(lookupEvents.Action, Weak, reason+": "+lookupEvents.Lost, remedy)
		return
	}
	d.add(lookupEvents.Action, Fine, "who changed the tables is told", "")
}

// table tries the calls that need a table.
func (d *doctor) table(ctx context.Context, name string) {
	l := d.live
	table, _, err := l.table(ctx, name)
	if _, gone := errors.AsType[*types.ResourceNotFoundException](err); gone {
		d.add("table "+name, Failed, "there is none of this name in "+l.place(), "check the name, --region and --profile")
		return
	}
	s := &survey{watched: []telemetry.TableID{l.named(name)}}
	if err != nil {
		d.tried(describeTable, err, "")
	} else {
		s.watched, s.tables = []telemetry.TableID{table.ID}, []telemetry.Table{*table}
		d.add(describeTable.Action, Fine, fmt.Sprintf("%s: %s, indexes: %d", table.ID.Table, table.Mode, len(table.Indexes)), "")
	}
	d.insights(ctx, s)
	d.metrics(ctx, s)
	d.report(ctx, s)
	id := s.watched[0].Resource()
	_, err = l.scalableTargets(ctx, []telemetry.ResourceID{id})
	d.tried(describeTargets, err, id.Table)
	_, err = l.scalingPolicies(ctx, id)
	d.tried(describePolicies, err, id.Table)
	_, err = l.scalingActivities(ctx, id)
	d.tried(describeActivities, err, id.Table)
	if table == nil || table.StreamARN == "" {
		d.add(describeStream.Action, Skipped, id.Table+" has no stream; partitions are then estimated from throughput and size", "")
		return
	}
	var shards telemetry.Shards
	d.warned(describeStream, id.Table, l.stream(*table, &shards)(ctx))
}

// insights says of each resource how its keys are watched.
func (d *doctor) insights(ctx context.Context, s *survey) {
	for _, id := range s.resources(s.watched[0]) {
		var in telemetry.Insights
		warnings := d.live.insights(id, &in)(ctx)
		if in.Status == "" || in.Status == "DENIED" {
			d.warned(describeInsights, "", warnings)
			continue
		}
		s.insights = append(s.insights, in)
		name := "Contributor Insights of " + id.String()
		for _, w := range warnings {
			d.add(name, Weak, w.Text, "")
		}
		if len(warnings) == 0 {
			d.add(name, Fine, in.Status+", "+mode(in), "")
		}
	}
	if len(s.insights) > 0 {
		d.add(describeInsights.Action, Fine, s.watched[0].Table, "")
	}
}

func mode(in telemetry.Insights) string {
	if in.Mode == "" {
		return "ACCESSED_AND_THROTTLED_KEYS"
	}
	return in.Mode
}

// metrics asks for one series of the last quarter of an hour.
func (d *doctor) metrics(ctx context.Context, s *survey) {
	a := d.live.answers(s.questions(d.window().Period, nil), d.window())
	a.questions, a.series = a.questions[:1], a.series[:1]
	_, err := a.ask(ctx, []int{0})
	points := len(a.series[0].Points)
	text := fmt.Sprintf("%s: %d of the last 15 minutes have points", s.watched[0].Table, points)
	if err == nil && points == 0 {
		d.add(getMetricData.Action, Weak, text+": is the table in use?", "")
		return
	}
	d.tried(getMetricData, err, text)
}

func (d *doctor) report(ctx context.Context, s *survey) {
	rules := s.rules()
	if len(rules) == 0 {
		d.add(getInsightReport.Action, Skipped, s.watched[0].Table+" has no rules to ask for", "")
		return
	}
	var ranking telemetry.Ranking
	d.warned(getInsightReport, rules[0].owner.String(), d.live.report(rules[0], d.window(), &ranking)(ctx))
}

func (d *doctor) window() telemetry.Window {
	end := d.live.now().Truncate(time.Minute)
	return telemetry.Window{Start: end.Add(-15 * time.Minute), End: end, Period: time.Minute}
}
