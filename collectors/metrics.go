package collectors

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// queriesACall is how many metrics one call may ask for (GetMetricData, API
// reference).
const queriesACall = 500

// maxMetricPages bounds one answer: 500 queries of 15 days by the minute are 107
// pages of 100,800 points.
const maxMetricPages = 120

// answers holds the series of all questions. Each call writes to its own.
type answers struct {
	live      *Live
	window    telemetry.Window
	questions []question
	series    []telemetry.Series
	failures  []error // one a group of questions
}

func (l *Live) answers(questions []question, w telemetry.Window) *answers {
	a := &answers{live: l, window: w, questions: questions}
	a.series = make([]telemetry.Series, len(a.questions))
	for i, q := range a.questions {
		a.series[i] = telemetry.Series{ID: q.id, Period: q.period, Status: telemetry.InternalError, Points: []telemetry.Point{}}
	}
	a.failures = make([]error, (len(a.questions)+queriesACall-1)/queriesACall)
	return a
}

func (a *answers) tasks() []task {
	var tasks []task
	for group := range a.failures {
		first := group * queriesACall
		last := min(first+queriesACall, len(a.questions))
		tasks = append(tasks, func(ctx context.Context) []telemetry.Warning {
			asked := make([]int, 0, last-first)
			for i := first; i < last; i++ {
				asked = append(asked, i)
			}
			warnings, err := a.ask(ctx, asked)
			a.failures[group] = err
			// What failed inside CloudWatch, or was left in part, may succeed when
			// asked for again by itself.
			if again := a.incomplete(asked); err == nil && len(again) > 0 {
				more, _ := a.ask(ctx, again)
				warnings = append(warnings, more...)
			}
			return append(warnings, a.warnings(asked, err)...)
		})
	}
	return tasks
}

func (a *answers) incomplete(asked []int) []int {
	var out []int
	for _, i := range asked {
		if s := a.series[i].Status; s == telemetry.InternalError || s == telemetry.PartialData {
			out = append(out, i)
		}
	}
	return out
}

// ask makes one call with all its pages. When a page fails, the pages before it
// are kept, as partial answers.
func (a *answers) ask(ctx context.Context, asked []int) ([]telemetry.Warning, error) {
	in := &cloudwatch.GetMetricDataInput{StartTime: &a.window.Start, EndTime: &a.window.End, ScanBy: types.ScanByTimestampAscending}
	for _, i := range asked {
		q := a.questions[i].query("m" + strconv.Itoa(i))
		if linked := a.live.cfg.linked; linked != "" {
			q.AccountId = &linked
		}
		in.MetricDataQueries = append(in.MetricDataQueries, q)
	}
	pages := newPages(len(a.questions))
	var warnings []telemetry.Warning
	var failure error
	for n := 0; ; n++ {
		counted := 0
		if n == 0 {
			counted = len(asked)
		}
		var out *cloudwatch.GetMetricDataOutput
		failure = a.live.call(ctx, counted, func(ctx context.Context) (err error) {
			out, err = a.live.cloudwatch.GetMetricData(ctx, in)
			return err
		})
		if failure != nil {
			break
		}
		for _, m := range out.Messages {
			warnings = append(warnings, telemetry.Warning{
				Code: telemetry.PartialDataCode,
				Text: fmt.Sprintf("CloudWatch says of the metrics: %s: %s", aws.ToString(m.Code), aws.ToString(m.Value)),
			})
		}
		for _, r := range out.MetricDataResults {
			pages.add(r)
		}
		next := aws.ToString(out.NextToken)
		if next == "" {
			break
		}
		if next == aws.ToString(in.NextToken) || n == maxMetricPages {
			warnings = append(warnings, telemetry.Warning{Code: telemetry.PartialDataCode, Text: "CloudWatch's pages of metrics don't end: what came so far is used"})
			break
		}
		in.NextToken = &next
	}
	for _, i := range asked {
		pages.settle(i, &a.series[i])
	}
	return warnings, failure
}

// warnings gathers the same trouble of many series into one warning a table or
// index.
func (a *answers) warnings(asked []int, failure error) []telemetry.Warning {
	type trouble struct {
		about  telemetry.ResourceID
		status telemetry.Status
	}
	var order []trouble
	count := map[trouble]int{}
	for _, i := range asked {
		s := a.series[i]
		if s.Status == telemetry.Complete {
			continue
		}
		t := trouble{s.ID.Resource, s.Status}
		if failure != nil {
			t = trouble{about: s.ID.Resource.TableID.Resource()}
		}
		if count[t] == 0 {
			order = append(order, t)
		}
		count[t]++
	}
	var out []telemetry.Warning
	for _, t := range order {
		if failure != nil {
			out = append(out, a.live.trouble(failure, getMetricData, t.about)...)
			continue
		}
		w := telemetry.Warning{Resource: t.about}
		switch t.status {
		case telemetry.Forbidden:
			w.Code, w.Text = telemetry.Denied, fmt.Sprintf("%s: CloudWatch forbids %d of its metrics: they are not known", subject(t.about), count[t])
		case telemetry.PartialData:
			w.Code, w.Text = telemetry.PartialDataCode, fmt.Sprintf("%s: %d of its metrics were answered in part", subject(t.about), count[t])
		default:
			w.Code, w.Text = telemetry.InternalErrorCode, fmt.Sprintf("%s: %d of its metrics failed in CloudWatch: they are not known", subject(t.about), count[t])
		}
		out = append(out, w)
	}
	return out
}

// answered reports whether any series was told, be it nothing.
func (a *answers) answered() bool {
	for _, s := range a.series {
		if s.Status == telemetry.Complete || s.Status == telemetry.PartialData {
			return true
		}
	}
	return false
}

// errNoMetric is for calls that succeed and answer nothing that can be used.
var errNoMetric = errors.New("not one metric was answered")

// failure is why nothing was told: the first call's failure, if one failed.
func (a *answers) failure() error {
	for _, err := range a.failures {
		if err != nil {
			return err
		}
	}
	return errNoMetric
}
