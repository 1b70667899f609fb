package collectors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// insights asks for the state of Contributor Insights on one table or index.
func (l *Live) insights(id telemetry.ResourceID, into *telemetry.Insights) task {
	return func(ctx context.Context) []telemetry.Warning {
		in := &dynamodb.DescribeContributorInsightsInput{TableName: &id.Table}
		if id.Index != "" {
			in.IndexName = &id.Index
		}
		var out *dynamodb.DescribeContributorInsightsOutput
		err := l.call(ctx, 0, func(ctx context.Context) (err error) {
			out, err = l.dynamodb.DescribeContributorInsights(ctx, in)
			return err
		})
		into.Resource = id
		if err != nil {
			warnings := l.trouble(err, describeInsights, id)
			if warnings[0].Code == telemetry.Denied {
				into.Status = "DENIED"
			}
			return warnings
		}
		into.Status, into.Mode = string(out.ContributorInsightsStatus), string(out.ContributorInsightsMode)
		into.Rules, into.Updated = out.ContributorInsightsRuleList, when(out.LastUpdateDateTime)
		if f := out.FailureException; f != nil {
			into.Failure = strings.TrimPrefix(aws.ToString(f.ExceptionName)+": "+aws.ToString(f.ExceptionDescription), ": ")
		}
		return warnOfInsights(*into)
	}
}

// warnOfInsights says why a resource's keys can't be seen, or not all of them,
// and how to change that.
func warnOfInsights(in telemetry.Insights) []telemetry.Warning {
	enable := fmt.Sprintf("aws dynamodb update-contributor-insights --table-name %s", in.Resource.Table)
	if in.Resource.Index != "" {
		enable += " --index-name " + in.Resource.Index
	}
	enable += " --contributor-insights-action ENABLE --contributor-insights-mode ACCESSED_AND_THROTTLED_KEYS"
	var code, text string
	switch what := subject(in.Resource); {
	case in.Status == "DISABLED" || in.Status == "DISABLING":
		code, text = telemetry.InsightsDisabled, what+": Contributor Insights is disabled: its keys are not known; from now on with "+enable
	case in.Status == "ENABLING":
		code, text = telemetry.InsightsEnabling, what+": Contributor Insights is being enabled: keys usually come within a few minutes, and only from then on"
	case in.Status == "FAILED":
		code, text = telemetry.InsightsFailed, what+": Contributor Insights failed: "+in.Failure
	case in.Mode == "THROTTLED_KEYS":
		code, text = telemetry.InsightsThrottledOnly, what+": Contributor Insights ranks refused keys only: the keys' load is not known; from now on with "+enable
	default:
		return nil
	}
	return []telemetry.Warning{{Code: code, Text: text, Resource: in.Resource}}
}

// watchAgain asks once more for the states of those tables and indexes whose keys can't
// be seen, or not all: whoever turns Contributor Insights on waits for what it shows.
// Answers go where the tasks' ends find them.
func (l *Live) watchAgain(s *survey, fresh bool, tasks *[]task) []*telemetry.Insights {
	if fresh {
		return nil
	}
	var out []*telemetry.Insights
	for _, in := range s.insights {
		if in.Status == "DENIED" || in.Status == "ENABLED" && in.Mode != "THROTTLED_KEYS" {
			continue
		}
		into := new(telemetry.Insights)
		out = append(out, into)
		ask := l.insights(in.Resource, into)
		*tasks = append(*tasks, func(ctx context.Context) []telemetry.Warning {
			ask(ctx) // what it warns of, rewatch says
			return nil
		})
	}
	return out
}

// rewatch takes over states that have changed, and what is to be said of them. It
// returns those.
func (s *survey) rewatch(again []*telemetry.Insights) (changed []telemetry.Insights) {
	for _, now := range again {
		i := slices.IndexFunc(s.insights, func(in telemetry.Insights) bool { return in.Resource == now.Resource })
		if i < 0 || now.Status == "" || now.Status == "DENIED" || now.Status == s.insights[i].Status && now.Mode == s.insights[i].Mode {
			continue
		}
		s.insights[i] = *now
		changed = append(changed, *now)
		s.warnings = slices.DeleteFunc(s.warnings, func(w telemetry.Warning) bool {
			return w.Resource == now.Resource && slices.Contains(insightsCodes, w.Code)
		})
		s.warnings = append(s.warnings, warnOfInsights(*now)...)
	}
	return changed
}

// insightsCodes are those of warnOfInsights.
var insightsCodes = []string{telemetry.InsightsDisabled, telemetry.InsightsEnabling, telemetry.InsightsFailed, telemetry.InsightsThrottledOnly}

// rule is one rule of a table's or index's, and the attributes of that resource's
// partition key.
type rule struct {
	name      string
	kind      telemetry.RuleKind
	owner     telemetry.ResourceID
	hashParts int
}

// rules are those of all resources. Some answers for a table list its indexes'
// rules too, so an index's own answer comes first.
func (s *survey) rules() []rule {
	at := map[string]int{}
	var out []rule
	for _, in := range s.insights {
		for _, name := range in.Rules {
			kind, ok := telemetry.RuleKindOf(name)
			if !ok {
				continue
			}
			r := rule{name: name, kind: kind, owner: in.Resource, hashParts: s.hashParts(in.Resource)}
			if i, again := at[name]; !again {
				at[name] = len(out)
				out = append(out, r)
			} else if out[i].owner.Index == "" {
				out[i] = r
			}
		}
	}
	return out
}

// hashParts counts the attributes of a resource's partition key, at least one.
func (s *survey) hashParts(id telemetry.ResourceID) int {
	count := func(keys []telemetry.KeyAttribute) int {
		n := 0
		for _, k := range keys {
			if k.Role == "HASH" {
				n++
			}
		}
		return max(1, n)
	}
	for _, t := range s.tables {
		if t.ID != id.TableID {
			continue
		}
		for _, index := range t.Indexes {
			if index.Name == id.Index {
				return count(index.Keys)
			}
		}
		return count(t.Keys)
	}
	return 1
}

// report asks for one rule's ranking over a window. A window's reports are by the
// minute whatever its period: rules have no coarser points.
func (l *Live) report(r rule, w telemetry.Window, into *telemetry.Ranking) task {
	return func(ctx context.Context) []telemetry.Warning {
		if err := l.reportPace.wait(ctx, time.Now()); err != nil {
			return l.trouble(err, getInsightReport, r.owner)
		}
		var out *cloudwatch.GetInsightRuleReportOutput
		err := l.call(ctx, 1, func(ctx context.Context) (err error) {
			out, err = l.cloudwatch.GetInsightRuleReport(ctx, &cloudwatch.GetInsightRuleReportInput{
				RuleName: &r.name, StartTime: &w.Start, EndTime: &w.End, Period: aws.Int32(60),
				MaxContributorCount: aws.Int32(telemetry.MaxContributors), OrderBy: aws.String("Maximum"),
			})
			return err
		})
		if err != nil {
			return l.trouble(err, getInsightReport, r.owner)
		}
		*into = telemetry.Ranking{
			Resource: r.owner, Kind: r.kind, Rule: r.name, KeyLabels: out.KeyLabels,
			Start: w.Start, End: w.End, Aggregate: out.AggregateValue, Contributors: contributors(r, out),
		}
		if n := out.ApproximateUniqueCount; n != nil {
			into.Unique = aws.Float64(float64(*n))
		}
		return nil
	}
}

func contributors(r rule, out *cloudwatch.GetInsightRuleReportOutput) []telemetry.Contributor {
	all := make([]telemetry.Contributor, 0, len(out.Contributors))
	for _, c := range out.Contributors {
		if len(c.Keys) == 0 {
			continue
		}
		key := r.key(c.Keys, len(out.KeyLabels))
		i := slices.IndexFunc(all, func(known telemetry.Contributor) bool { return known.Key == key })
		if i < 0 {
			i = len(all)
			all = append(all, telemetry.Contributor{Key: key, Points: make([]telemetry.Point, 0, len(c.Datapoints))})
		}
		all[i].Points = append(all[i].Points, ranked(c.Datapoints)...)
	}
	for i := range all {
		all[i].Points = telemetry.SortPoints(all[i].Points)
	}
	return all
}

// ranked leaves out values without a time.
func ranked(points []types.InsightRuleContributorDatapoint) []telemetry.Point {
	var out []telemetry.Point
	for _, p := range points {
		if at := when(p.Timestamp); !at.IsZero() && p.ApproximateValue != nil {
			out = append(out, telemetry.Point{Time: at, Value: *p.ApproximateValue})
		}
	}
	return out
}

// key parts the strings of a contributor into partition and sort key. Several
// attributes of one key are shown joined by commas; so is, in some answers, the
// sort key with the partition key.
func (r rule) key(parts []string, labels int) telemetry.Key {
	switch {
	case !r.kind.WithSortKey():
		return telemetry.Key{Partition: strings.Join(parts, ",")}
	case len(parts) == 1 && labels == 2:
		partition, sort, _ := strings.Cut(parts[0], ",")
		return telemetry.Key{Partition: partition, Sort: sort}
	}
	n := min(r.hashParts, len(parts))
	return telemetry.Key{Partition: strings.Join(parts[:n], ","), Sort: strings.Join(parts[n:], ",")}
}

// warnOfEmptyReports says where rules are enabled and have nothing to tell. Only
// an empty ranking of accessed keys says so: with nothing refused, a ranking of
// refused keys is rightly empty.
func (s *survey) warnOfEmptyReports(rankings []telemetry.Ranking) []telemetry.Warning {
	var out []telemetry.Warning
	for _, r := range rankings {
		enabling := slices.ContainsFunc(s.insights, func(in telemetry.Insights) bool { return in.Resource == r.Resource && in.Status == "ENABLING" })
		if !enabling && r.Kind == telemetry.AccessedPartitionKeys && len(r.Contributors) == 0 {
			out = append(out, telemetry.Warning{
				Code: telemetry.InsightsEmpty, Resource: r.Resource,
				Text: subject(r.Resource) + ": Contributor Insights is enabled but has no data for this time: its keys are not known",
			})
		}
	}
	return out
}
