package capture

import (
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

type answerDocument struct {
	MetricDataResults []resultDocument
	NextToken         text
	Messages          []struct{ Code, Value text }
}

type resultDocument struct {
	ID         text `json:"Id"`
	Label      text
	StatusCode text
	Timestamps []stamp
	Values     []number
}

// status takes a missing status for a complete answer: only answers cut by hand
// lack it.
func (r resultDocument) status() telemetry.Status {
	for _, known := range []telemetry.Status{telemetry.Complete, telemetry.PartialData, telemetry.InternalError, telemetry.Forbidden} {
		if strings.EqualFold(string(r.StatusCode), string(known)) {
			return known
		}
	}
	if r.StatusCode == "" {
		return telemetry.Complete
	}
	return telemetry.PartialData
}

// points pairs times with values; whole is false where some can't be read or
// have no partner.
func (r resultDocument) points() (points []telemetry.Point, whole bool) {
	n := min(len(r.Timestamps), len(r.Values))
	points = make([]telemetry.Point, 0, n)
	for i := range n {
		if at, value := r.Timestamps[i], r.Values[i]; !at.time.IsZero() && value.told {
			points = append(points, telemetry.Point{Time: at.time, Value: value.value})
		}
	}
	return points, len(points) == max(len(r.Timestamps), len(r.Values))
}

// request is a set of queries that were asked together, by what their answers
// carry. An ID or label of several different series leads to nil.
type request struct {
	suffix  string
	asked   []*asked
	byID    map[text]*asked
	byLabel map[text]*asked
}

func newRequest(suffix string, all []*asked) *request {
	q := &request{suffix: suffix, asked: all, byID: map[text]*asked{}, byLabel: map[text]*asked{}}
	put := func(m map[text]*asked, key text, a *asked) {
		if other, taken := m[key]; taken && (other == nil || other.id != a.id) {
			a = nil
		}
		m[key] = a
	}
	for _, a := range all {
		if a.query.ID != "" {
			put(q.byID, a.query.ID, a)
		}
		for _, label := range slices.Compact([]text{a.query.Label, text(a.id.Metric)}) {
			if label != "" {
				put(q.byLabel, label, a)
			}
		}
	}
	return q
}

// request is the queries of the same suffix; without such a file, all.
func (m *metrics) request(f file) *request {
	if m.requests == nil {
		m.requests = map[string]*request{}
		paired := map[string][]*asked{}
		for _, a := range m.asked {
			paired[a.file.suffix] = append(paired[a.file.suffix], a)
		}
		for suffix, all := range paired {
			m.requests[suffix] = newRequest(suffix, all)
		}
		m.all = newRequest("", m.asked)
		if len(m.asked) > 0 {
			m.all.suffix = m.asked[0].file.suffix
		}
	}
	if q := m.requests[f.suffix]; q != nil {
		return q
	}
	return m.all
}

// answer hands each result of one page to the query that it answers.
func (m *metrics) answer(page found[answerDocument]) {
	for _, msg := range page.value.Messages {
		code := telemetry.PartialDataCode
		if refused([]byte(msg.Code)) || msg.Code == "Forbidden" {
			code = telemetry.Denied
		}
		m.r.warn(code, telemetry.ResourceID{}, "%s:%d: CloudWatch says %s: %s", page.file.name, page.line, msg.Code, msg.Value)
	}
	request := m.request(page.file)
	inOrder := request.inOrder(page.value.MetricDataResults)
	strangers, nameless, zoneless := 0, 0, false
	for i, result := range page.value.MetricDataResults {
		var a *asked
		switch {
		case inOrder != nil:
			a = inOrder[i]
		case result.ID != "":
			if a = request.byID[result.ID]; a == nil {
				strangers++
			}
		default:
			nameless++
			a = request.byLabel[result.Label]
		}
		if a != nil {
			a.pages = append(a.pages, result)
		}
		zoneless = zoneless || slices.ContainsFunc(result.Timestamps, func(s stamp) bool { return s.zoneless })
	}
	if len(request.asked) == 0 {
		return
	}
	if strangers > 0 {
		m.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{},
			"%s:%d: left out results whose Id no query has, or several have: %d", page.file.name, page.line, strangers)
	}
	if nameless > 0 {
		m.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{},
			"%s:%d: results without an Id, used only where the Label names one query: %d", page.file.name, page.line, nameless)
	}
	if zoneless {
		m.r.warnOfZones(page.file)
	}
}

// inOrder pairs results without any Id with the queries, one by one. It is nil
// unless that is safe: as many results as queries that return data, and no label
// that names another metric.
func (q *request) inOrder(results []resultDocument) []*asked {
	var returning []*asked
	for _, a := range q.asked {
		if a.query.ReturnData == nil || *a.query.ReturnData {
			returning = append(returning, a)
		}
	}
	if len(results) != len(returning) {
		return nil
	}
	for i, r := range results {
		label := telemetry.Metric(r.Label)
		if r.ID != "" || (slices.Contains(telemetry.Metrics, label) && label != returning[i].id.Metric) {
			return nil
		}
	}
	return returning
}

// unfinished warns of requests whose last page says that there are more.
func (m *metrics) unfinished(pages []found[answerDocument]) {
	last := map[string]found[answerDocument]{}
	var order []string
	for _, page := range pages {
		request := m.request(page.file).suffix
		if _, seen := last[request]; !seen {
			order = append(order, request)
		}
		last[request] = page
	}
	for _, request := range order {
		if page := last[request]; page.value.NextToken != "" {
			m.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{},
				"%s:%d: ends with a NextToken: further pages were not saved; run the command without --no-paginate", page.file.name, page.line)
		}
	}
}
