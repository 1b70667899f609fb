package collectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// A linked account shares its metrics with a monitoring account and nothing else that
// is asked for here (CloudWatch user guide, "CloudWatch cross-account observability"):
// it is a place of its own, where tables are found by their metrics.

// listedBy are the metrics by which tables are found, those of use and of refusals.
var listedBy = []telemetry.Metric{
	telemetry.Consumed(telemetry.Read), telemetry.Consumed(telemetry.Write),
	telemetry.ThrottleEvents(telemetry.Read, telemetry.UnknownLimit), telemetry.ThrottleEvents(telemetry.Write, telemetry.UnknownLimit),
}

// maxMetricLists bounds the pages of one list, 500 metrics each (ListMetrics, API
// reference).
const maxMetricLists = 100

// seen are tables by account and name, each with its indexes by name.
type seen map[string]map[string][]string

// metricsSeen finds the tables with points in the last three hours by their metrics, in
// this account and in those linked with it, or in the owner alone where it isn't "". A call
// counts as one metric: it costs as much (Amazon CloudWatch pricing, "API requests").
func (l *Live) metricsSeen(ctx context.Context, owner string) (seen, error) {
	out := seen{}
	for _, metric := range listedBy {
		in := &cloudwatch.ListMetricsInput{
			Namespace: aws.String(namespace), MetricName: aws.String(string(metric)),
			IncludeLinkedAccounts: aws.Bool(true), RecentlyActive: types.RecentlyActivePt3h,
		}
		if owner != "" {
			in.OwningAccount = &owner
		}
		for range maxMetricLists {
			var page *cloudwatch.ListMetricsOutput
			err := l.call(ctx, 1, func(ctx context.Context) (err error) {
				page, err = l.cloudwatch.ListMetrics(ctx, in)
				return err
			})
			if err != nil {
				return nil, err
			}
			out.add(page, cmp.Or(owner, l.account))
			l.adjust([]time.Duration{l.ahead(page.ResultMetadata)})
			next := aws.ToString(page.NextToken)
			if next == "" || next == aws.ToString(in.NextToken) {
				break
			}
			in.NextToken = &next
		}
	}
	return out, nil
}

// add takes the tables and indexes of a page; the owner is that of metrics for which
// none is told.
func (s seen) add(page *cloudwatch.ListMetricsOutput, owner string) {
	for i, m := range page.Metrics {
		account := owner
		if i < len(page.OwningAccounts) {
			account = cmp.Or(page.OwningAccounts[i], owner)
		}
		var table, index string
		for _, d := range m.Dimensions {
			switch aws.ToString(d.Name) {
			case "TableName":
				table = aws.ToString(d.Value)
			case "GlobalSecondaryIndexName":
				index = aws.ToString(d.Value)
			}
		}
		if table == "" {
			continue
		}
		if s[account] == nil {
			s[account] = map[string][]string{}
		}
		indexes := s[account][table]
		if index != "" && !slices.Contains(indexes, index) {
			indexes = append(indexes, index)
			slices.Sort(indexes)
		}
		s[account][table] = indexes
	}
}

// Link finds the accounts that share their metrics with those that are asked, where
// they are monitoring accounts of CloudWatch's cross-account observability, and has them
// asked from then on, by their metrics alone. It names them. It is for before the first
// poll; tables that are named are asked for where they are.
func (m *Many) Link(ctx context.Context) ([]string, error) {
	var linked []*place
	var names []string
	for _, p := range m.live() {
		found, err := p.live.linked(ctx)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		for _, l := range found {
			label := l.cfg.linked + " " + l.region
			linked, names = append(linked, &place{label: label, cfg: l.cfg, live: l}), append(names, label)
		}
		if err := m.leaveToLinked(ctx, p, found); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.places = append(m.places, linked...)
	if len(m.places) > 1 {
		for _, p := range m.places {
			p.cfg.Budget, p.cfg.beside = 0, true
			if p.live != nil {
				p.live.cfg.Budget, p.live.cfg.beside = 0, true
			}
		}
	}
	return names, nil
}

// linked are the accounts linked with this one that have what is to be asked for.
func (l *Live) linked(ctx context.Context) ([]*Live, error) {
	if account, who := l.identity(ctx); account != "" {
		l.account, l.who = account, who
	} else {
		return nil, errors.New("which account is asked is not known, so that those linked with it can't be told from it\nhint: allow " + getCallerIdentity.Action)
	}
	all, err := l.metricsSeen(ctx, "")
	if err != nil {
		return nil, l.failure(err, listMetrics, telemetry.ResourceID{})
	}
	var out []*Live
	for account, tables := range all {
		if account == l.account {
			continue
		}
		cfg := l.cfg
		cfg.linked, cfg.alias = account, ""
		cfg.Tables = nil
		for _, name := range l.cfg.Tables {
			id, isARN := telemetry.ParseARN(name)
			if isARN && id.Account == account && id.Region == l.region {
				cfg.Tables = append(cfg.Tables, id.Table)
			}
			if _, there := tables[name]; there {
				cfg.Tables = append(cfg.Tables, name)
			}
		}
		if len(l.cfg.Tables) > 0 && len(cfg.Tables) == 0 {
			continue
		}
		other := newLive(cfg, l.loaded)
		other.account, other.shared, other.skew = account, tables, l.skew
		out = append(out, other)
	}
	slices.SortFunc(out, func(a, b *Live) int { return strings.Compare(a.account, b.account) })
	return out, nil
}

// leaveToLinked takes from an account that was named tables which only accounts linked
// with it have.
func (m *Many) leaveToLinked(ctx context.Context, p *place, found []*Live) error {
	if len(p.live.cfg.Tables) == 0 {
		return nil
	}
	own, err := p.live.allTables(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	kept := slices.DeleteFunc(slices.Clone(p.live.cfg.Tables), func(name string) bool {
		id, isARN := telemetry.ParseARN(name)
		table := name
		if isARN {
			table = id.Table
		}
		elsewhere := slices.ContainsFunc(found, func(l *Live) bool { return slices.Contains(l.cfg.Tables, table) })
		if isARN {
			return elsewhere && id.Account != p.live.account
		}
		return elsewhere && err == nil && !slices.Contains(own, name)
	})
	p.live.cfg.Tables, p.cfg.Tables = kept, kept
	if len(kept) == 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.places = slices.DeleteFunc(slices.Clone(m.places), func(other *place) bool { return other == p })
	}
	return nil
}

// sharedTables lists the tables of a linked account anew, by name.
func (l *Live) sharedTables(ctx context.Context) ([]string, error) {
	all, err := l.metricsSeen(ctx, l.cfg.linked)
	if err != nil {
		return nil, err
	}
	l.shared = all[l.cfg.linked]
	var names []string
	for name := range l.shared {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// undescribed is the survey of tables of a linked account: nothing but their metrics can
// be had, and it says so.
func (l *Live) undescribed(names []string) *survey {
	s := &survey{at: l.now(), shared: l.shared}
	for _, name := range names {
		s.watched = append(s.watched, l.named(name))
	}
	s.warnings = []telemetry.Warning{{
		Code: telemetry.LinkedAccount, Resource: telemetry.TableID{Account: l.cfg.linked, Region: l.region}.Resource(),
		Text: fmt.Sprintf("account %s is seen by its metrics alone: its tables' mode, keys, partitions, auto scaling and quotas are not known, nor whether Contributor Insights is on; --profile with a profile for that account tells them", telemetry.Clean(l.cfg.linked)),
	}}
	return s
}

// lists is the permission by which tables are listed.
func (l *Live) lists() Permission {
	if l.cfg.linked != "" {
		return listMetrics
	}
	return listTables
}
