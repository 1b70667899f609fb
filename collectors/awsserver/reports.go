package awsserver

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var mapType = reflect.TypeFor[map[string]any]()

// ruleReport ranks a rule's keys anew for the time asked for, by their largest
// minute, or by their sum.
func (s *Server) ruleReport(in document) (document, error) {
	start, err := in.moment("StartTime")
	if err != nil {
		return nil, err
	}
	end, err := in.moment("EndTime")
	if err != nil {
		return nil, err
	}
	most := int(in.number("MaxContributorCount"))
	if most == 0 {
		most = 10
	}
	if most > 100 || in.number("Period") < 1 || !end.After(start) {
		return nil, &refusal{code: "InvalidParameterValue", status: http.StatusBadRequest, message: "a count up to 100, a period and an end after the start are needed"}
	}
	since, ok := s.ranksFrom(in.text("RuleName"))
	if since.After(start) {
		start = since
	}
	if !ok {
		return nil, notFound("rule " + in.text("RuleName"))
	}
	var labels []string
	var all []telemetry.Contributor
	var aggregate, unique *float64
	for _, r := range s.cfg.Batch.Rankings {
		if r.Rule != in.text("RuleName") {
			continue
		}
		labels, aggregate, unique = r.KeyLabels, r.Aggregate, r.Unique
		for _, c := range r.Contributors {
			if c.Points = s.pointsOf(c, start, end); len(c.Points) > 0 {
				all = append(all, c)
			}
		}
	}
	rank := largest
	if in.text("OrderBy") == "Sum" {
		rank = total
	}
	slices.SortStableFunc(all, func(a, b telemetry.Contributor) int { return cmp.Compare(rank(b), rank(a)) })
	out := document{"AggregationStatistic": "SUM", "KeyLabels": texts(labels), "Contributors": contributors(all[:min(most, len(all))], len(labels))}
	out.with("AggregateValue", aggregate)
	if unique != nil {
		out["ApproximateUniqueCount"] = int64(*unique)
	}
	return out, nil
}

func (s *Server) pointsOf(c telemetry.Contributor, start, end time.Time) []telemetry.Point {
	var out []telemetry.Point
	for _, p := range c.Points {
		p.Time = s.moved(p.Time)
		if !p.Time.Before(start) && p.Time.Before(end) && s.published(p.Time, time.Minute) {
			out = append(out, p)
		}
	}
	return out
}

func largest(c telemetry.Contributor) float64 {
	most := 0.0
	for _, p := range c.Points {
		most = max(most, p.Value)
	}
	return most
}

func total(c telemetry.Contributor) float64 {
	sum := 0.0
	for _, p := range c.Points {
		sum += p.Value
	}
	return sum
}

func contributors(all []telemetry.Contributor, labels int) []any {
	out := []any{}
	for _, c := range all {
		points := make([]any, len(c.Points))
		for i, p := range c.Points {
			points[i] = document{"Timestamp": p.Time, "ApproximateValue": p.Value}
		}
		keys := []any{c.Key.Partition}
		if labels > 1 {
			keys = append(keys, c.Key.Sort)
		}
		out = append(out, document{"Keys": keys, "ApproximateAggregateValue": total(c), "Datapoints": points})
	}
	return out
}

func texts(all []string) []any {
	out := []any{}
	for _, s := range all {
		out = append(out, strings.Clone(s))
	}
	return out
}
