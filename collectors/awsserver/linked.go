package awsserver

import (
	"slices"
	"strconv"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// metricsAPage is how many metrics one call lists (ListMetrics, API reference).
const metricsAPage = 500

// listMetrics lists what has points within three hours, of this account and where that
// is asked for of those linked with it.
func (s *Server) listMetrics(in document) (document, error) {
	owners := []*Server{s}
	if in.truth("IncludeLinkedAccounts") {
		owners = append(owners, s.cfg.Linked...)
	}
	metrics, accounts := []any{}, []any{}
	for _, owner := range owners {
		account := owner.home().Account
		if only := in.text("OwningAccount"); only != "" && only != account {
			continue
		}
		for _, series := range owner.cfg.Batch.Series {
			if telemetry.Metric(in.text("MetricName")) != series.ID.Metric || !owner.recent(series) {
				continue
			}
			metrics = append(metrics, document{"Namespace": in.text("Namespace"), "MetricName": string(series.ID.Metric), "Dimensions": dimensions(series.ID)})
			accounts = append(accounts, account)
		}
	}
	from, _ := strconv.Atoi(in.text("NextToken"))
	from = min(from, len(metrics))
	to := min(from+metricsAPage, len(metrics))
	out := document{"Metrics": metrics[from:to], "OwningAccounts": accounts[from:to]}
	if to < len(metrics) {
		out["NextToken"] = strconv.Itoa(to)
	}
	return out, nil
}

// recent reports whether a point was published within three hours.
func (s *Server) recent(series telemetry.Series) bool {
	return slices.ContainsFunc(series.Points, func(p telemetry.Point) bool {
		at := s.moved(p.Time)
		return s.published(at, series.Period) && s.cfg.Now().Sub(at) < 3*time.Hour
	})
}

func dimensions(id telemetry.SeriesID) []any {
	out := []any{}
	for _, d := range [][2]string{
		{"TableName", id.Resource.Table}, {"GlobalSecondaryIndexName", id.Resource.Index}, {"Operation", id.Operation}, {"Source", id.Traffic},
	} {
		if d[1] != "" {
			out = append(out, document{"Name": d[0], "Value": d[1]})
		}
	}
	return out
}

// of is the server of the account that a query names; nil where that isn't linked.
func (s *Server) of(account string) *Server {
	if account == "" || account == s.home().Account {
		return s
	}
	i := slices.IndexFunc(s.cfg.Linked, func(l *Server) bool { return l.home().Account == account })
	if i < 0 {
		return nil
	}
	return s.cfg.Linked[i]
}
