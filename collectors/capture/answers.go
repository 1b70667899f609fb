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

// answer hands each result of one page to the query that it answers.
func (m *metrics) answer(page found[answerDocument]) {
	for _, msg := range page.value.Messages {
		code := telemetry.PartialDataCode
		if refused([]byte(msg.Code)) || msg.Code == "Forbidden" {
			code = telemetry.Denied
		}
		m.r.warn(code, telemetry.ResourceID{}, "%s:%d: CloudWatch says %s: %s", page.file.name, page.line, msg.Code, msg.Value)
	}
	candidates := m.candidates(page.file)
	inOrder := m.matchesInOrder(page.value.MetricDataResults, candidates)
	strangers, unlabelled := 0, 0
	for i, result := range page.value.MetricDataResults {
		var a *asked
		switch {
		case inOrder != nil:
			a = inOrder[i]
		case result.ID != "":
			if a = byID(candidates, result.ID); a == nil {
				strangers++
			}
		default:
			unlabelled++
			a = byLabel(candidates, result.Label)
		}
		if a != nil {
			a.pages = append(a.pages, result)
		}
	}
	if strangers > 0 && len(candidates) > 0 {
		m.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{},
			"%s:%d: left out %d results whose Id is in no metric-data-queries file", page.file.name, page.line, strangers)
	}
	if unlabelled > 0 && len(candidates) > 0 {
		m.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{},
			"%s:%d: %d results without an Id, used only where the Label names one query", page.file.name, page.line, unlabelled)
	}
}

// candidates are the queries of the same suffix; without such a file, of all.
func (m *metrics) candidates(f file) []*asked {
	var paired []*asked
	for _, a := range m.asked {
		if a.file.suffix == f.suffix {
			paired = append(paired, a)
		}
	}
	if paired == nil {
		return m.asked
	}
	return paired
}

// byID is nil where no query has that ID, or several of different series have.
func byID(candidates []*asked, id text) *asked {
	var match *asked
	for _, a := range candidates {
		switch {
		case a.query.ID != id:
		case match != nil && match.id != a.id:
			return nil
		default:
			match = a
		}
	}
	return match
}

// matchesInOrder pairs results without any Id with the queries, one by one. It is
// nil unless that is safe: as many results as queries that return data, and no
// label that names another metric.
func (m *metrics) matchesInOrder(results []resultDocument, candidates []*asked) []*asked {
	var returning []*asked
	for _, a := range candidates {
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

// byLabel finds the one query that has this label, or this metric.
func byLabel(candidates []*asked, label text) *asked {
	var match *asked
	for _, a := range candidates {
		if label == "" || (a.query.Label != label && a.id.Metric != telemetry.Metric(label)) {
			continue
		}
		if match != nil {
			return nil
		}
		match = a
	}
	return match
}

// unfinished warns of requests whose last page says that there are more.
func (m *metrics) unfinished(pages []found[answerDocument]) {
	last := map[string]found[answerDocument]{}
	var order []string
	for _, page := range pages {
		request := page.file.suffix
		if paired := m.candidates(page.file); len(paired) > 0 && paired[0].file.suffix != page.file.suffix {
			request = paired[0].file.suffix
		}
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
