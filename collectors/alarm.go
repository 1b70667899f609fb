package collectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Alarm is what a CloudWatch alarm is about.
type Alarm struct {
	Name string
	// Table is never "". Index is "" for the table itself, and where the alarm is on
	// several of its parts.
	Table, Index string
	// Direction is "" where the metrics tell neither, or both.
	Direction telemetry.Direction
	// Metrics name what it watches, each once.
	Metrics []string
	// Since is when it last went to ALARM, zero where that isn't known. Until is when
	// it left ALARM after that, zero while it is there.
	Since, Until time.Time
}

// Alarm finds an alarm by its name or ARN: the table that its metrics are of, and when
// it last went to ALARM. A composite alarm is about what its children are about, those
// in ALARM where there are any. Its errors say in a line that begins with "hint:" what
// to type.
func (l *Live) Alarm(ctx context.Context, name string) (Alarm, error) {
	name, err := l.alarmName(name)
	if err != nil {
		return Alarm{}, err
	}
	found, err := l.alarms(ctx, &cloudwatch.DescribeAlarmsInput{AlarmNames: []string{name}})
	if err != nil {
		return Alarm{}, l.failure(err, describeAlarms, telemetry.ResourceID{})
	}
	var out Alarm
	switch {
	case len(found.MetricAlarms) > 0:
		out, err = l.alarmOn(name, found.MetricAlarms)
		m := found.MetricAlarms[0]
		out.since(m.StateValue, m.StateTransitionedTimestamp, m.StateUpdatedTimestamp)
	case len(found.CompositeAlarms) > 0:
		var children []types.MetricAlarm
		if children, err = l.children(ctx, name); err != nil {
			return Alarm{}, l.failure(err, describeAlarms, telemetry.ResourceID{})
		}
		out, err = l.alarmOn(name, children)
		c := found.CompositeAlarms[0]
		out.since(c.StateValue, c.StateTransitionedTimestamp, c.StateUpdatedTimestamp)
	default:
		return Alarm{}, l.unknownAlarm(ctx, name)
	}
	if err != nil {
		return Alarm{}, err
	}
	if since, until := l.alarmed(ctx, name); !since.IsZero() {
		out.Since, out.Until = since, until
	}
	return out, nil
}

// since takes the present state for the last change, where there is no history.
func (a *Alarm) since(state types.StateValue, changed, updated *time.Time) {
	if state == types.StateValueAlarm {
		a.Since = when(changed)
		if a.Since.IsZero() {
			a.Since = when(updated)
		}
	}
}

// alarmName takes the name out of arn:aws:cloudwatch:REGION:ACCOUNT:alarm:NAME.
func (l *Live) alarmName(name string) (string, error) {
	parts := strings.SplitN(name, ":", 7)
	if len(parts) != 7 || parts[0] != "arn" || parts[2] != "cloudwatch" || parts[5] != "alarm" {
		return name, nil
	}
	if region := parts[3]; region != l.region {
		return "", fmt.Errorf("alarm %q is in %s, not in %s\nhint: --region %s", telemetry.Clean(parts[6]), telemetry.Clean(region), l.region, telemetry.Clean(region))
	}
	return parts[6], nil
}

// alarms asks for alarms of both kinds, one page of at most 100.
func (l *Live) alarms(ctx context.Context, in *cloudwatch.DescribeAlarmsInput) (out *cloudwatch.DescribeAlarmsOutput, err error) {
	if in.ChildrenOfAlarmName == nil {
		in.AlarmTypes = []types.AlarmType{types.AlarmTypeMetricAlarm, types.AlarmTypeCompositeAlarm}
	}
	if in.MaxRecords == nil {
		in.MaxRecords = aws.Int32(100) // the most (DescribeAlarms, API reference)
	}
	err = l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.cloudwatch.DescribeAlarms(ctx, in)
		return err
	})
	return out, err
}

// mostComposites bounds how many composite alarms are opened to find the metrics behind
// one: they may be nested, and in circles.
const mostComposites = 20

// children are the metric alarms behind a composite one.
func (l *Live) children(ctx context.Context, name string) ([]types.MetricAlarm, error) {
	var out []types.MetricAlarm
	opened := []string{name}
	for i := 0; i < len(opened) && i < mostComposites; i++ {
		told, err := l.alarms(ctx, &cloudwatch.DescribeAlarmsInput{ChildrenOfAlarmName: &opened[i]})
		if err != nil {
			return nil, err
		}
		for _, c := range told.CompositeAlarms {
			if child := aws.ToString(c.AlarmName); !slices.Contains(opened, child) {
				opened = append(opened, child)
			}
		}
		var names []string
		for _, m := range told.MetricAlarms {
			names = append(names, aws.ToString(m.AlarmName))
		}
		if len(names) == 0 {
			continue
		}
		// Of children only names and states are told.
		full, err := l.alarms(ctx, &cloudwatch.DescribeAlarmsInput{AlarmNames: names})
		if err != nil {
			return nil, err
		}
		out = append(out, full.MetricAlarms...)
	}
	return out, nil
}

// unknownAlarm says where an alarm was looked for and which names come near.
func (l *Live) unknownAlarm(ctx context.Context, name string) error {
	text := fmt.Sprintf("there is no alarm %q in %s", telemetry.Clean(name), l.place())
	names := l.alarmNames(ctx, name[:min(3, len(name))])
	if len(names) == 0 {
		names = l.alarmNames(ctx, "")
	}
	near := nearest(name, names)
	if len(near) == 0 {
		return errors.New(text + "\nhint: check --region and --profile; aws cloudwatch describe-alarms shows the names")
	}
	for i := range near {
		near[i] = telemetry.Clean(near[i])
	}
	return errors.New(text + "\nhint: there is " + strings.Join(near, ", ") + "; else check --region and --profile")
}

// alarmNames are alarms that begin with a prefix; nil where nothing is told.
func (l *Live) alarmNames(ctx context.Context, prefix string) []string {
	in := &cloudwatch.DescribeAlarmsInput{}
	if prefix != "" {
		in.AlarmNamePrefix = aws.String(strings.ToValidUTF8(prefix, ""))
	}
	told, err := l.alarms(ctx, in)
	if err != nil {
		return nil
	}
	var names []string
	for _, m := range told.MetricAlarms {
		names = append(names, aws.ToString(m.AlarmName))
	}
	for _, c := range told.CompositeAlarms {
		names = append(names, aws.ToString(c.AlarmName))
	}
	return names
}

// alarmOn joins what some metric alarms are about into one.
func (l *Live) alarmOn(name string, alarms []types.MetricAlarm) (Alarm, error) {
	var targets []target
	var others []string
	firing := slices.ContainsFunc(alarms, func(m types.MetricAlarm) bool {
		return m.StateValue == types.StateValueAlarm && len(targetsOf(m).on) > 0
	})
	for _, m := range alarms {
		if firing && m.StateValue != types.StateValueAlarm {
			continue
		}
		told := targetsOf(m)
		targets = append(targets, told.on...)
		others = append(others, told.others...)
	}
	if len(targets) == 0 {
		return Alarm{}, notOnTable(name, others)
	}
	out := Alarm{Name: name, Table: targets[0].table, Index: targets[0].index, Direction: targets[0].direction}
	tables := []string{}
	for _, t := range targets {
		if !slices.Contains(tables, t.table) {
			tables = append(tables, t.table)
		}
		if !slices.Contains(out.Metrics, t.metric) {
			out.Metrics = append(out.Metrics, t.metric)
		}
		if t.index != out.Index {
			out.Index = ""
		}
		if t.direction != out.Direction {
			out.Direction = ""
		}
	}
	if len(tables) > 1 {
		slices.Sort(tables)
		return Alarm{}, fmt.Errorf("alarm %q is on several tables: %s\nhint: hotpart watch %s, or hotpart diagnose with one of them",
			telemetry.Clean(name), telemetry.Clean(strings.Join(tables, ", ")), telemetry.Clean(strings.Join(tables, " ")))
	}
	return out, nil
}

// notOnTable says what an alarm is on instead.
func notOnTable(name string, others []string) error {
	what := "no metric of a table"
	if len(others) > 0 {
		what = cmp.Or(telemetry.Clean(others[0]), what)
	}
	return fmt.Errorf("alarm %q is on %s, which names no table of DynamoDB\nhint: hotpart watch looks at every table", telemetry.Clean(name), what)
}

// target is a table or index that an alarm has a metric of.
type target struct {
	table, index, metric string
	direction            telemetry.Direction
}

// targets are an alarm's, and in words what else it is on.
type targets struct {
	on     []target
	others []string
}

// targetsOf reads an alarm on one metric, or on several in an expression (metric math,
// anomaly detection).
func targetsOf(m types.MetricAlarm) targets {
	var out targets
	if m.MetricName != nil {
		out.add(aws.ToString(m.Namespace), aws.ToString(m.MetricName), m.Dimensions)
	}
	for _, q := range m.Metrics {
		if stat := q.MetricStat; stat != nil && stat.Metric != nil {
			out.add(aws.ToString(stat.Metric.Namespace), aws.ToString(stat.Metric.MetricName), stat.Metric.Dimensions)
		}
	}
	for _, q := range m.Metrics {
		// A query or search finds its metrics anew each time.
		if text := aws.ToString(q.Expression); len(out.on) == 0 && strings.Contains(text, namespace) {
			out.others = append([]string{"the expression " + text}, out.others...)
		}
	}
	return out
}

func (t *targets) add(space, metric string, dimensions []types.Dimension) {
	on := target{metric: metric}
	switch {
	case strings.Contains(metric, "Read"):
		on.direction = telemetry.Read
	case strings.Contains(metric, "Write"):
		on.direction = telemetry.Write
	}
	for _, d := range dimensions {
		switch value := aws.ToString(d.Value); aws.ToString(d.Name) {
		case "TableName":
			on.table = value
		case "GlobalSecondaryIndexName":
			on.index = value
		case "Operation":
			if direction, ok := telemetry.OperationDirection(value); ok {
				on.direction = direction
			}
			on.metric += " of " + value
		}
	}
	if space != namespace || on.table == "" {
		t.others = append(t.others, space+" "+metric)
		return
	}
	t.on = append(t.on, on)
}
