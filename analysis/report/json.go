package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Schema names the JSON report's format.
const Schema = "hotpart.report/v1"

// JSON writes a diagnosis in the schema hotpart.report/v1, indented, with a final line
// break. What isn't known is null.
func JSON(w io.Writer, d *analysis.Diagnosis, o Options) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(newDocument(d, o)); err != nil {
		return fmt.Errorf("write report as JSON: %w", err)
	}
	return nil
}

func newDocument(d *analysis.Diagnosis, o Options) jsonReport {
	m := o.mask(d)
	v := d.Verdict()
	out := jsonReport{
		Schema: Schema,
		Source: jsonSource{Kind: string(d.Source.Kind), Name: d.Source.Name},
		Window: jsonWindow{Start: moment(d.Window.Start), End: moment(d.Window.End), PeriodSeconds: number(d.Window.Period.Seconds(), 0)},
		Tables: []jsonTable{}, Events: []jsonEvent{}, Warnings: []jsonWarning{}, Marks: []jsonMark{},
		Verdict: jsonVerdict{v.Title, m.Text(v.Summary), v.Sure, m.Text(v.DoNow), v.WontHelp},
	}
	for _, t := range d.Tables {
		out.Tables = append(out.Tables, newTable(t))
	}
	for _, e := range d.Events {
		x := newEvent(e, m)
		for _, r := range e.Recommendations {
			x.Recommendations = append(x.Recommendations, newRecommendation(d, e, r, o.prices(), m))
		}
		out.Events = append(out.Events, x)
	}
	for _, x := range d.Marks {
		out.Marks = append(out.Marks, jsonMark{moment(x.At), string(x.Kind), m.Text(x.Text), x.Resource.Table, x.Resource.Index})
	}
	for _, w := range d.Warnings {
		out.Warnings = append(out.Warnings, jsonWarning{w.Code, m.Text(w.Text), w.Resource.Table, w.Resource.Index})
	}
	return out
}

func newTable(t *analysis.Table) jsonTable {
	out := jsonTable{Account: t.ID.Account, Region: t.ID.Region, Table: t.ID.Table, Mode: string(t.Mode), Resources: []jsonResource{}}
	if out.Mode == "" {
		out.Mode = string(telemetry.UnknownMode)
	}
	for _, r := range t.Resources {
		p := r.Partitions
		out.Resources = append(out.Resources, jsonResource{
			Index:      r.ID.Index,
			Partitions: jsonPartitions{p.Low, p.Likely, p.High, string(p.Source)},
			Read:       newLoad(r.Read), Write: newLoad(r.Write),
		})
	}
	return out
}

// newLoad leaves refusals unknown where no minute's are known.
func newLoad(l *analysis.Load) jsonLoad {
	var out jsonLoad
	if l == nil {
		return out
	}
	if l.Peak != nil {
		out.Peak = number(float64(*l.Peak), 1)
	}
	for _, m := range l.Minutes {
		if m.ThrottleState == telemetry.Known {
			out.Throttled = number(l.Throttled, 0)
			break
		}
	}
	return out
}

func newEvent(e *analysis.Event, m *analysis.Mask) jsonEvent {
	r := e.Resource
	out := jsonEvent{
		ID: e.ID, Account: r.Account, Region: r.Region, Table: r.Table, Index: r.Index, Operation: string(e.Direction),
		Start: moment(e.Start), End: moment(e.End), Ongoing: e.Ongoing,
		Cause: string(e.Cause), Limit: string(e.Limit), Confidence: number(e.Confidence, 2),
		Contributing: []string{}, Keys: []jsonKey{}, Evidence: []jsonEvidence{}, Recommendations: []jsonRecommendation{},
		Throttled: number(e.ThrottledEvents, 0), Note: e.Note(), LimitInferred: e.LimitInferred,
		Missing: []string{}, WontHelp: []jsonWontHelp{}, Context: []string{},
	}
	for _, f := range e.Contributing {
		out.Contributing = append(out.Contributing, string(f))
	}
	for _, k := range e.Keys {
		out.Keys = append(out.Keys, newKey(k, m))
	}
	for _, v := range e.Evidence {
		out.Evidence = append(out.Evidence, jsonEvidence{v.Supports, m.Text(v.Text)})
	}
	for _, text := range e.Missing {
		out.Missing = append(out.Missing, m.Text(text))
	}
	for _, text := range e.Context {
		out.Context = append(out.Context, m.Text(text))
	}
	for _, x := range e.WontHelp {
		out.WontHelp = append(out.WontHelp, jsonWontHelp{m.Text(x.Fix), m.Text(x.Why)})
	}
	out.Users = newUsers(e.Users)
	out.quantify(e)
	return out
}

func (out *jsonEvent) quantify(e *analysis.Event) {
	if h := e.Hottest; h != nil {
		out.Hottest = &jsonHottest{number(float64(h.Rate), 1), number(float64(h.Low), 1), number(float64(h.High), 1), number(float64(h.Ceiling), 1)}
	}
	out.Seconds = newRange(e.SecondsAtCeiling, 0)
	out.Refused = newRange(e.Refused, 6)
	if x := e.Demand; x != nil {
		out.Demand = &jsonEstimate{number(x.Likely, 1), number(x.Low, 1), number(x.High, 1)}
	}
	if s := e.Splitting; s != nil {
		out.Splitting = &jsonSplitting{Cures: s.Cures, Minutes: newRange(s.Minutes, 1), Why: s.Why}
	}
}

func newUsers(u *analysis.Users) *jsonUsers {
	if u == nil {
		return nil
	}
	out := &jsonUsers{[]jsonOperation{}, maybe(u.Conflicts, 0), maybe(u.FailedConditions, 0), maybe(u.SystemErrors, 0)}
	for _, x := range u.Operations {
		out.Operations = append(out.Operations, jsonOperation{
			x.Operation, maybe(x.Refused, 0), number(x.Succeeded, 0), number(x.PerMinute, 1), maybe(x.PerMinuteBefore, 1),
			maybe(x.Latency, 2), maybe(x.LatencyBefore, 2), maybe(x.Slowest, 2), maybe(x.SlowestBefore, 2),
		})
	}
	return out
}

// maybe rounds a number that may be unknown.
func maybe(x *float64, decimals int) *float64 {
	if x == nil {
		return nil
	}
	return number(*x, decimals)
}

func newRange(r *analysis.Range, decimals int) *jsonRange {
	if r == nil {
		return nil
	}
	return &jsonRange{number(r.Low, decimals), number(r.High, decimals)}
}

func newKey(k analysis.EventKey, m *analysis.Mask) jsonKey {
	out := jsonKey{PartitionKey: m.Value(k.Key.Partition), SortKey: m.Value(k.Key.Sort), Pattern: k.Pattern}
	if k.Rate != nil {
		out.Peak, out.Low, out.High = number(k.Rate.Likely, 1), number(k.Rate.Low, 1), number(k.Rate.High, 1)
	}
	if k.ThrottledEvents != nil {
		out.Throttled = number(*k.ThrottledEvents, 0)
	}
	return out
}

func newRecommendation(d *analysis.Diagnosis, e *analysis.Event, r analysis.Recommendation, prices analysis.Prices, m *analysis.Mask) jsonRecommendation {
	out := jsonRecommendation{
		Action: string(r.Action), Summary: m.Text(r.Summary), Parameters: map[string]any{}, Commands: []string{},
		Stage: string(r.Stage), Why: m.Text(r.Why), Tradeoff: m.Text(r.Tradeoff), Undo: m.Text(r.Undo), Verify: m.Text(r.Verify),
	}
	for name, value := range r.Parameters {
		if x, ok := value.(float64); ok {
			value = number(x, 4)
		}
		out.Parameters[name] = value
	}
	for _, c := range r.Commands {
		out.Commands = append(out.Commands, m.Command(c))
	}
	f, _ := d.Forecast(e, r)
	out.Forecast = newForecast(f, m)
	if c := d.Cost(e, r, prices); c != nil {
		out.Cost = &jsonCost{number(c.Dollars, 2), string(c.Bound), c.Of, c.For}
	}
	return out
}

// moment writes a time in UTC; null where it is zero.
func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339)
	return &s
}

// number rounds to so many decimals; null for what is no number.
func number(x float64, decimals int) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	scale := math.Pow10(decimals)
	if r := math.Round(x*scale) / scale; !math.IsInf(r, 0) {
		x = r
	}
	if x == 0 {
		x = 0 // not -0
	}
	return &x
}
