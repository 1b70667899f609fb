package collectors

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// pages joins the pages of one GetMetricData. A series comes in parts over
// several pages, each but its last with the status PartialData.
type pages struct {
	of []part
}

// part is what the pages so far told of one series.
type part struct {
	seen   bool
	status telemetry.Status // of the last page
	failed telemetry.Status // InternalError or Forbidden on any page, else ""
	points []telemetry.Point
}

func newPages(questions int) *pages { return &pages{of: make([]part, questions)} }

func (p *pages) add(r types.MetricDataResult) {
	i, err := strconv.Atoi(strings.TrimPrefix(aws.ToString(r.Id), "m"))
	if err != nil || i < 0 || i >= len(p.of) {
		return
	}
	it := &p.of[i]
	it.seen = true
	it.status = telemetry.Status(r.StatusCode)
	switch it.status {
	case telemetry.Complete, telemetry.PartialData:
	case telemetry.Forbidden:
		it.failed = telemetry.Forbidden
		return
	default:
		// A page that failed may still carry values; they are not to be used.
		it.failed = telemetry.InternalError
		return
	}
	for j := range min(len(r.Timestamps), len(r.Values)) {
		if at := when(&r.Timestamps[j]); !at.IsZero() {
			it.points = append(it.points, telemetry.Point{Time: at, Value: r.Values[j]})
		}
	}
}

// settle makes a series of the parts, adding to what it holds already.
func (p *pages) settle(i int, s *telemetry.Series) {
	it := p.of[i]
	if !it.seen {
		return
	}
	s.Points = telemetry.SortPoints(append(s.Points, it.points...))
	switch {
	case it.failed == "":
		s.Status = it.status
	case len(s.Points) > 0:
		s.Status = telemetry.PartialData
	default:
		s.Status = it.failed
	}
}
