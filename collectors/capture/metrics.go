package capture

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const namespace = "AWS/DynamoDB"

// queryDocument is one MetricDataQuery, or the whole request around a list of
// them.
type queryDocument struct {
	ID         text `json:"Id"`
	Label      text
	AccountID  text `json:"AccountId"`
	ReturnData *bool
	MetricStat *struct {
		Metric struct {
			Namespace, MetricName text
			Dimensions            []struct{ Name, Value text }
		}
		Period number
		Stat   text
	}
	MetricDataQueries []queryDocument
}

// asked is one metric query that was made.
type asked struct {
	file  file
	query queryDocument
	id    telemetry.SeriesID
	// wanted is false for expressions, metrics of no use here and inputs of
	// expressions that return no data: nobody misses their answers.
	wanted bool
	pages  []resultDocument
}

// metrics joins the queries with their answers.
type metrics struct {
	r     *reader
	names *names
	asked []*asked
	// requests are the queries by file suffix, and all of them, once the first
	// answer needs them.
	requests map[string]*request
	all      *request
	foreign  map[string]bool // namespaces of other services
	wrong    map[string]bool // dimensions that DynamoDB doesn't have
}

func (m *metrics) ask(f file, q queryDocument) {
	for _, inner := range q.MetricDataQueries {
		m.ask(f, inner)
	}
	if q.ID == "" && q.MetricStat == nil {
		return
	}
	a := &asked{file: f, query: q}
	a.id, a.wanted = m.seriesID(q)
	a.wanted = a.wanted && (q.ReturnData == nil || *q.ReturnData)
	m.asked = append(m.asked, a)
}

// seriesID is the series that a query asks for; ok is false for those that have
// no place in the vocabulary.
func (m *metrics) seriesID(q queryDocument) (id telemetry.SeriesID, ok bool) {
	if q.MetricStat == nil {
		return id, false
	}
	metric := q.MetricStat.Metric
	if metric.Namespace != "" && metric.Namespace != namespace {
		m.foreign[string(metric.Namespace)] = true
		return id, false
	}
	id.Metric = telemetry.Metric(metric.MetricName)
	id.Stat, ok = statistic(string(q.MetricStat.Stat))
	if !ok || !slices.Contains(telemetry.Metrics, id.Metric) {
		return id, false
	}
	var table, index string
	for _, d := range metric.Dimensions {
		switch d.Name {
		case "TableName":
			table = string(d.Value)
		case "GlobalSecondaryIndexName":
			index = string(d.Value)
		case "Operation":
			id.Operation = string(d.Value)
		case "Source":
			id.Traffic = string(d.Value)
		default:
			// One dimension more is another, narrower series.
			if !slices.Contains(otherDimensions, string(d.Name)) {
				m.wrong[string(d.Name)] = true
			}
			return id, false
		}
	}
	if table == "" {
		id.Resource.TableID = m.names.home
		id.Resource.Account = firstNonEmpty(string(q.AccountID), m.names.home.Account)
		return id, index == "" && ofAccount(id.Metric)
	}
	id.Resource = m.names.resource(table, index, string(q.AccountID))
	return id, true
}

// otherDimensions are those of DynamoDB's metrics that this vocabulary leaves
// out (Developer Guide, "Dimensions for DynamoDB metrics").
var otherDimensions = []string{"StreamLabel", "ReceivingRegion", "OperationType", "Verb", "DelegatedOperation"}

func ofAccount(m telemetry.Metric) bool {
	switch m {
	case telemetry.AccountMaxReads, telemetry.AccountMaxWrites, telemetry.AccountMaxTableLevelReads,
		telemetry.AccountMaxTableLevelWrites, telemetry.UserErrors:
		return true
	}
	return false
}

func statistic(s string) (telemetry.Statistic, bool) {
	for _, known := range telemetry.Statistics {
		if strings.EqualFold(s, string(known)) {
			return known, true
		}
	}
	return "", false
}

// period is what the query asked for, zero where it doesn't say.
func (a *asked) period() time.Duration {
	const longest = 24 * 60 * 60
	if s := a.query.MetricStat; s != nil && s.Period.value >= 1 && s.Period.value <= longest {
		return time.Duration(s.Period.value) * time.Second
	}
	return 0
}

// series makes one series a distinct ID, in the order they were asked for.
// Queries that ask for the same again, such as for the next hours, add to it.
func (m *metrics) series() []telemetry.Series {
	var out []telemetry.Series
	at := map[telemetry.SeriesID]int{}
	notes := newNotes()
	unanswered := map[string]int{}
	for _, a := range m.asked {
		if !a.wanted {
			continue
		}
		if len(a.pages) == 0 {
			if m.r.hasFile(kindAnswer, a.file.suffix) {
				notes.add(telemetry.PartialDataCode, a.id, "not in the answer")
			} else {
				unanswered[a.file.suffix]++
			}
			continue
		}
		s := a.series(notes)
		i, again := at[s.ID]
		switch {
		case !again:
			at[s.ID] = len(out)
			out = append(out, s)
		case s.Period == out[i].Period:
			out[i].Status = worse(out[i].Status, s.Status, len(out[i].Points)+len(s.Points) > 0)
			out[i].Points = append(out[i].Points, s.Points...)
		case s.Period < out[i].Period:
			out[i] = s
		}
	}
	for i := range out {
		out[i].Points = telemetry.SortPoints(out[i].Points)
	}
	notes.warn(m.r)
	for _, suffix := range slices.Sorted(maps.Keys(unanswered)) {
		m.r.warn(telemetry.MissingFile, telemetry.ResourceID{}, "%s: no such file: unanswered queries: %d", fileName(kindAnswer, suffix), unanswered[suffix])
	}
	return out
}

// worse joins the completeness of two answers to the same question.
func worse(a, b telemetry.Status, hasPoints bool) telemetry.Status {
	switch {
	case a == b:
		return a
	case hasPoints || a == telemetry.PartialData || b == telemetry.PartialData:
		return telemetry.PartialData
	case a == telemetry.Complete:
		return b
	}
	return a
}

// series reads all pages of one answer. What the last page says of completeness
// holds for all, for a page that isn't the last is always partial; but a page
// that failed leaves a hole whatever follows.
func (a *asked) series(notes *notes) telemetry.Series {
	s := telemetry.Series{ID: a.id, Period: a.period(), Points: []telemetry.Point{}}
	var failed telemetry.Status
	damaged := false
	for _, page := range a.pages {
		s.Status = page.status()
		if s.Status == telemetry.InternalError || s.Status == telemetry.Forbidden {
			failed = s.Status
			continue
		}
		points, whole := page.points()
		s.Points = append(s.Points, points...)
		damaged = damaged || !whole
	}
	s.Points = telemetry.SortPoints(s.Points)
	if s.Period == 0 {
		s.Period = smallestGap(s.Points)
	}
	switch {
	case failed != "":
		code := telemetry.InternalErrorCode
		if failed == telemetry.Forbidden {
			code = telemetry.Denied
		}
		notes.add(code, a.id, "failed in CloudWatch ("+string(failed)+"), its values are not used")
		s.Status = failed
		if len(s.Points) > 0 {
			s.Status = telemetry.PartialData
		}
	case damaged:
		notes.add(telemetry.PartialDataCode, a.id, "partly unreadable")
		s.Status = telemetry.PartialData
	case s.Status == telemetry.PartialData:
		notes.add(telemetry.PartialDataCode, a.id, "answered in part")
	}
	return s
}

// smallestGap is the spacing of points where the request isn't told: a minute
// where there are too few to tell.
func smallestGap(points []telemetry.Point) time.Duration {
	gap := time.Duration(0)
	for i := 1; i < len(points); i++ {
		if d := points[i].Time.Sub(points[i-1].Time); gap == 0 || d < gap {
			gap = d
		}
	}
	if gap < time.Minute || gap > 24*time.Hour {
		return time.Minute
	}
	return gap
}
