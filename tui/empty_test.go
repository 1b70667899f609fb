package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestEveryStateWithoutDataSaysWhyAndWhatToDo(t *testing.T) {
	keys := func(watch analysis.KeyWatch) func(*analysis.Diagnosis) {
		return func(d *analysis.Diagnosis) {
			r := d.Tables[0].Resources[0]
			r.Watch, r.Insights = watch, &telemetry.Insights{Resource: r.ID, Failure: "role is gone"}
			r.Write.Keys = nil
		}
	}
	for name, c := range map[string]struct {
		change func(*analysis.Diagnosis)
		keys   string
		want   []string
	}{
		"no table":               {func(d *analysis.Diagnosis) { d.Tables = nil }, "", []string{"no table is known yet"}},
		"no table, keys":         {func(d *analysis.Diagnosis) { d.Tables = nil }, "2", []string{"no key is known: there is no table"}},
		"no load":                {func(d *analysis.Diagnosis) { d.Tables[0].Resources[0].Write.Rows = nil }, "", []string{"no load is known here", "5 evidence"}},
		"refusals only":          {func(d *analysis.Diagnosis) { w := d.Tables[0].Resources[0].Write; w.Rows, w.RefusalsOnly = nil, true }, "", []string{"hotpart watch orders"}},
		"a filter":               {func(*analysis.Diagnosis) {}, "/ n o p e enter", []string{"no line matches nope", "Esc ends it"}},
		"a filter over keys":     {func(*analysis.Diagnosis) {}, "/ n o p e enter 2", []string{"no key matches nope"}},
		"insights off":           {keys(analysis.KeysOff), "2", []string{"Contributor Insights on orders is off", "--contributor-insights-mode ACCESSED_AND_THROTTLED_KEYS", "plain text", "$0.50"}},
		"insights off, rows":     {keys(analysis.KeysOff), "K", []string{"Contributor Insights on orders is off", "update-contributor-insights"}},
		"insights on its way":    {keys(analysis.KeysEnabling), "2", []string{"keys usually come within a few minutes"}},
		"insights failed":        {keys(analysis.KeysFailed), "2", []string{"failed (role is gone)"}},
		"insights denied":        {keys(analysis.KeysDenied), "2", []string{"may not be asked", "allow dynamodb:DescribeContributorInsights"}},
		"insights unanswered":    {keys(analysis.KeysUnanswered), "2", []string{"its reports are not told", "cloudwatch:GetInsightRuleReport"}},
		"insights for throttled": {keys(analysis.KeysThrottledOnly), "2", []string{"ranks refused keys only", "ACCESSED_AND_THROTTLED_KEYS"}},
		"insights and no key":    {keys(analysis.KeysEmpty), "2", []string{"is on and ranks no key in this time"}},
		"insights unknown":       {keys(analysis.KeysUnknown), "2", []string{"is not known, and no key is ranked"}},
		"no event":               {func(*analysis.Diagnosis) {}, "3", []string{"no event up to now", "NO EVENT: none found, but refusals are unknown"}},
		"no event, advice":       {func(*analysis.Diagnosis) {}, "4", []string{"nothing to advise"}},
		"no event, evidence":     {func(*analysis.Diagnosis) {}, "5", []string{"nothing to weigh"}},
		"no event, runbook":      {func(*analysis.Diagnosis) {}, "6", []string{"hotpart runbook CAUSE"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := table(10, map[string][]telemetry.Rate{"a": steady(10, 100)})
			c.change(d)
			m := held(d, 80, 24)
			m.typed(strings.Fields(c.keys)...)
			text := strings.Join(strings.Fields(m.plain()), " ")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q isn't said:\n%s", want, m.plain())
				}
			}
			if wrong := exact(m.frame(), 80, 24); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

func TestBeforeTheFirstEventTheNextIsOffered(t *testing.T) {
	d := drawnCase()
	early := *d
	early.Events, early.Window.End = nil, begin.Add(10*time.Minute)
	m := held(&early, 80, 24)
	m.opts.Hindsight = d
	m.typed("3")
	wants(t, m, "] goes to the next one in the recording")
}
