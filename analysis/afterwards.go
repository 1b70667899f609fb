package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Afterwards are what is left to do once an event is over: an alarm that would have told,
// the text of a request or case, and the table's other Regions. None where the event's
// table isn't known.
func (d *Diagnosis) Afterwards(e *Event) []Step {
	t, r := d.place(e)
	if r == nil {
		return nil
	}
	a := &adviser{table: t, res: r, event: e, load: r.Load(e.Direction)}
	out := []Step{a.alarmStep()}
	if text := a.caseText(); text != "" {
		out = append(out, Step{Phase: HandOverPhase, Text: text})
	}
	return append(out, a.replicaSteps()...)
}

// callersStep finds who sends the requests for the foremost key, or for the table where
// none is known.
func (a *adviser) callersStep() Step {
	filter := []string{`eventSource = "dynamodb.amazonaws.com"`, "requestParameters.tableName = " + insightsQuote(a.res.ID.Table)}
	whose := a.place()
	if key := a.key(); len(a.event.Keys) > 0 && !a.onIndex() && asItIs(key) {
		filter, whose = append(filter, "@message like "+insightsQuote(`"`+key+`"`)), key
	}
	query := "filter " + strings.Join(filter, " and ") +
		" | stats count(*) as requests, count(errorCode) as failed by userIdentity.arn, userAgent, eventName | sort requests desc | limit 20"
	return Step{
		Phase: CheckPhase,
		Text:  "find who calls " + whose + ": where CloudTrail logs data events of the table into a log group, put its name in place of LOG_GROUP; index reads and batches show in it by their table",
		Commands: []string{
			a.aws("logs", "start-query", "--log-group-name", "LOG_GROUP",
				"--start-time", strconv.FormatInt(a.event.Start.Unix(), 10), "--end-time", strconv.FormatInt(a.event.End.Unix(), 10), "--query-string", query),
			a.aws("logs", "get-query-results", "--query-id", "QUERY_ID"),
		},
	}
}

// asItIs reports whether a key stands in JSON as it is, so that a text search finds it.
func asItIs(key string) bool {
	text, err := json.Marshal(key)
	return err == nil && string(text) == `"`+key+`"`
}

// insightsQuote writes a string of CloudWatch Logs Insights, in double quotes.
func insightsQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// An alarm looks at alarmOf minutes and goes off when alarmMinutes of them are above its
// threshold.
const alarmMinutes, alarmOf = 3, 5

// alarmStep defines an alarm on the metric that told of the event.
func (a *adviser) alarmStep() Step {
	e := a.event
	metric := telemetry.ThrottleEvents(e.Direction, e.Limit)
	threshold := a.alarmThreshold()
	words := []string{
		"--alarm-name", "hotpart-" + e.Resource.Table + "-" + string(metric), "--namespace", "AWS/DynamoDB", "--metric-name", string(metric),
		"--dimensions", "Name=TableName,Value=" + e.Resource.Table,
	}
	if e.Resource.Index != "" {
		words[1] += "-" + e.Resource.Index
		words = append(words, "Name=GlobalSecondaryIndexName,Value="+e.Resource.Index)
	}
	words = append(words, "--statistic", "Sum", "--period", "60", "--evaluation-periods", strconv.Itoa(alarmOf), "--datapoints-to-alarm", strconv.Itoa(alarmMinutes),
		"--threshold", digits(threshold), "--comparison-operator", "GreaterThanOrEqualToThreshold", "--treat-missing-data", "notBreaching")
	text := fmt.Sprintf("set an alarm on %s a minute in %d of %d minutes", aMinute(threshold), alarmMinutes, alarmOf)
	if at := a.alarmAt(threshold); !at.IsZero() {
		text += fmt.Sprintf(": it would have gone off at %s UTC, besides what CloudWatch takes to publish", clock(at))
	}
	return Step{Phase: HandOverPhase, Text: text + "; add --alarm-actions with your topic", Commands: []string{a.aws("cloudwatch", "put-metric-alarm", words...)}}
}

func aMinute(n float64) string {
	if n == 1 {
		return "1 refusal"
	}
	return telemetry.Thousands(n) + " refusals"
}

// alarmThreshold is a tenth of the event's mean refusals a minute, so that it tells of a
// smaller one too: at least 1 and at most 10 a second.
func (a *adviser) alarmThreshold() float64 {
	minutes := a.event.End.Sub(a.event.Start).Minutes()
	return math.Min(600, math.Max(1, friendly(a.event.ThrottledEvents/math.Max(1, minutes)/10)))
}

// alarmAt is when the alarm goes off for the first time in the event; zero for never.
func (a *adviser) alarmAt(threshold float64) time.Time {
	var above []time.Time
	for i, m := range a.load.Minutes {
		refused := m.ByLimit.Of(a.event.Limit)
		if a.event.Limit == telemetry.UnknownLimit {
			refused = m.Throttled
		}
		if m.ThrottleState != telemetry.Known || refused < threshold || i+1 >= len(a.load.Minutes) || a.load.Minutes[i+1].Start.Sub(m.Start) > time.Minute {
			continue
		}
		above = append(above, m.Start.Add(time.Minute))
		if n := len(above); n >= alarmMinutes && m.Start.Add(time.Minute).Sub(above[n-alarmMinutes]) < alarmOf*time.Minute && !m.Start.Before(a.event.Start) {
			return m.Start.Add(time.Minute)
		}
	}
	return time.Time{}
}

// caseText is what to write to AWS; "" where nothing of AWS's needs changing.
func (a *adviser) caseText() string {
	e := a.event
	about := fmt.Sprintf("%s in account %s, Region %s, %s to %s UTC", a.place(), orUnknown(a.res.ID.Account), orUnknown(a.res.ID.Region), e.Start.UTC().Format("2006-01-02 15:04"), clock(e.End))
	counted := fmt.Sprintf("%s %s", telemetry.Thousands(e.ThrottledEvents), telemetry.ThrottleEvents(e.Direction, e.Limit))
	switch e.Cause {
	case AccountQuota:
		for _, r := range e.Recommendations {
			if r.Action == RequestQuota {
				return fmt.Sprintf("for the quota request: please raise %v to %s for %s. %s there: %s. The traffic is [what, until when].",
					r.Parameters["quota_code"], telemetry.Thousands(float64(r.rate("units"))), about, counted, a.wantedText("were"))
			}
		}
	case HotPartition, Undetermined:
		return fmt.Sprintf("for a support case: %s was refused: %s, limit: %s. Has a partition been split in this time, how many are there, and which limit refused? Ids of refused requests: [from your logs].", about, counted, limitPhrase(e.Limit))
	}
	return ""
}

func orUnknown(s string) string {
	if s == "" {
		return "[unknown]"
	}
	return s
}

// replicaSteps look at the table's other Regions, where a global table has any: each has
// partitions and limits of its own, and takes all writes.
func (a *adviser) replicaSteps() []Step {
	d := a.table.Description
	if d == nil {
		return nil
	}
	var out []Step
	for _, region := range d.Replicas {
		if region == "" || region == a.res.ID.Region {
			continue
		}
		line := "hotpart diagnose " + shellQuote(a.res.ID.Table) + " --region " + shellQuote(region) + " --start " + a.event.Start.UTC().Format(time.RFC3339)
		out = append(out, Step{Phase: HandOverPhase, Text: "look at the table's replica in " + region + ": writes come there too, and its partitions and capacity are its own", Commands: []string{line}})
	}
	return out
}
