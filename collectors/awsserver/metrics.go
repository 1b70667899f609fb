package awsserver

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// request is what GetMetricData asks of all its series.
type request struct {
	start, end time.Time
	ascending  bool
	room       int // points left on this page
}

// metricData answers a page. The token of the next one is the number of the
// query and, after a dot, of the point with which it begins.
func (s *Server) metricData(in document) (document, error) {
	r := request{ascending: in.text("ScanBy") == "TimestampAscending", room: s.cfg.PointsAPage}
	var err error
	if r.start, err = in.moment("StartTime"); err != nil {
		return nil, err
	}
	if r.end, err = in.moment("EndTime"); err != nil {
		return nil, err
	}
	queries := in.list("MetricDataQueries")
	if len(queries) == 0 || len(queries) > 500 || !r.end.After(r.start) {
		return nil, &refusal{code: "ValidationError", status: http.StatusBadRequest, message: "1 to 500 queries are needed, and an end after the start"}
	}
	if most := int(in.number("MaxDatapoints")); most > 0 {
		r.room = min(r.room, most)
	}
	query, point := token(in.text("NextToken"))
	results := []any{}
	out := document{"Messages": []any{}}
	for ; query < len(queries); query, point = query+1, 0 {
		q := asDocument(queries[query])
		owner := s.of(q.text("AccountId"))
		if owner == nil {
			results = append(results, result(q, nil, telemetry.Forbidden))
			continue
		}
		points, status, err := owner.points(q, r)
		if err != nil {
			return nil, err
		}
		points = points[min(point, len(points)):]
		if len(points) > r.room {
			out["NextToken"] = strconv.Itoa(query) + "." + strconv.Itoa(point+r.room)
			results = append(results, result(q, points[:r.room], telemetry.PartialData))
			break
		}
		r.room -= len(points)
		results = append(results, result(q, points, status))
	}
	out["MetricDataResults"] = results
	return out, nil
}

func token(text string) (query, point int) {
	q, p, _ := strings.Cut(text, ".")
	query, _ = strconv.Atoi(q)
	point, _ = strconv.Atoi(p)
	return max(0, query), max(0, point)
}

func result(q document, points []telemetry.Point, status telemetry.Status) document {
	times, values := make([]any, len(points)), make([]any, len(points))
	for i, p := range points {
		times[i], values[i] = p.Time, p.Value
	}
	return document{
		"Id": q.text("Id"), "Label": q.inner("MetricStat").inner("Metric").text("MetricName"),
		"Timestamps": times, "Values": values, "StatusCode": string(status),
	}
}

// points are a query's, in the order it asked for. A series that the batch
// doesn't have is known to be empty where the batch has its metric for another
// operation or statistic, or it counts AWS's own errors, of which there were none;
// and else forbidden: nobody can say.
func (s *Server) points(q document, r request) ([]telemetry.Point, telemetry.Status, error) {
	id, err := seriesID(q)
	if err != nil {
		return nil, "", err
	}
	period := time.Duration(q.inner("MetricStat").number("Period")) * time.Second
	if period <= 0 || period%time.Minute != 0 {
		return nil, "", &refusal{code: "ValidationError", status: http.StatusBadRequest, message: "the period must be whole minutes"}
	}
	status := telemetry.Forbidden
	if id.Metric == telemetry.SystemErrors {
		status = telemetry.Complete
	}
	for _, i := range s.series[metricOf(id)] {
		have := s.cfg.Batch.Series[i]
		if have.ID.Stat != id.Stat || have.ID.Operation != id.Operation || have.ID.Traffic != id.Traffic {
			status = telemetry.Complete
			continue
		}
		if have.Status == telemetry.InternalError || have.Status == telemetry.Forbidden {
			return nil, have.Status, nil
		}
		points := combine(s.within(have, r), id.Stat, have.Period, period)
		if !r.ascending {
			slices.Reverse(points)
		}
		return points, have.Status, nil
	}
	return nil, status, nil
}

// measured is a metric of one table or index, whatever the operation.
type measured struct {
	table, index string
	metric       telemetry.Metric
}

func metricOf(id telemetry.SeriesID) measured {
	return measured{id.Resource.Table, id.Resource.Index, id.Metric}
}

func seriesID(q document) (telemetry.SeriesID, error) {
	stat := q.inner("MetricStat")
	metric := stat.inner("Metric")
	if metric.text("Namespace") != "AWS/DynamoDB" {
		return telemetry.SeriesID{}, errors.New("only metrics of AWS/DynamoDB are here")
	}
	id := telemetry.SeriesID{Metric: telemetry.Metric(metric.text("MetricName")), Stat: telemetry.Statistic(stat.text("Stat"))}
	for _, dimension := range metric.list("Dimensions") {
		d := asDocument(dimension)
		switch value := d.text("Value"); d.text("Name") {
		case "TableName":
			id.Resource.Table = value
		case "GlobalSecondaryIndexName":
			id.Resource.Index = value
		case "Operation":
			id.Operation = value
		case "Source":
			id.Traffic = value
		default:
			return id, errors.New("DynamoDB's metrics have no dimension " + d.text("Name"))
		}
	}
	return id, nil
}

// within are the points in the request's time that are published by now.
func (s *Server) within(series telemetry.Series, r request) []telemetry.Point {
	var out []telemetry.Point
	for _, p := range series.Points {
		p.Time = s.moved(p.Time)
		if !p.Time.Before(r.start) && p.Time.Before(r.end) && s.published(p.Time, series.Period) {
			out = append(out, p)
		}
	}
	return out
}

// combine makes points of a longer period; a shorter one than the series has
// changes nothing.
func combine(points []telemetry.Point, stat telemetry.Statistic, have, want time.Duration) []telemetry.Point {
	if want <= have || len(points) == 0 {
		return points
	}
	var out []telemetry.Point
	for i := 0; i < len(points); {
		at := points[i].Time.Truncate(want)
		first := i
		for i < len(points) && points[i].Time.Before(at.Add(want)) {
			i++
		}
		out = append(out, telemetry.Point{Time: at, Value: statistic(points[first:i], stat)})
	}
	return out
}

func statistic(points []telemetry.Point, stat telemetry.Statistic) float64 {
	sum, least, most := 0.0, points[0].Value, points[0].Value
	for _, p := range points {
		sum += p.Value
		least, most = min(least, p.Value), max(most, p.Value)
	}
	switch stat {
	case telemetry.Average:
		return sum / float64(len(points))
	case telemetry.Minimum:
		return least
	case telemetry.Maximum, telemetry.P99:
		// The percentile of the whole isn't told by those of its parts, but isn't above
		// the worst of them.
		return most
	}
	return sum
}
