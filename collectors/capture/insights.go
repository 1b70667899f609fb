package capture

import (
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

type insightsDocument struct {
	TableName, IndexName        text
	ContributorInsightsRuleList []text
	ContributorInsightsStatus   text
	ContributorInsightsMode     text
	LastUpdateDateTime          stamp
	FailureException            struct{ ExceptionName, ExceptionDescription text }
}

// throttledKeysMode is the mode in which only refused keys are ranked.
const throttledKeysMode = "THROTTLED_KEYS"

// insights reads the states, and which table or index each rule belongs to. A
// later answer for the same resource replaces the earlier one.
func (d *decoder) insights(docs []found[insightsDocument]) {
	at := map[telemetry.ResourceID]int{}
	for _, doc := range docs {
		v := doc.value
		if v.TableName == "" || v.ContributorInsightsStatus == "" {
			d.useless(doc.file, doc.line, "no state of Contributor Insights")
			continue
		}
		in := telemetry.Insights{
			Resource: d.names.resource(string(v.TableName), string(v.IndexName), ""),
			Status:   string(v.ContributorInsightsStatus), Mode: string(v.ContributorInsightsMode),
			Updated: v.LastUpdateDateTime.time,
			Failure: joined(": ", v.FailureException.ExceptionName, v.FailureException.ExceptionDescription),
		}
		for _, rule := range v.ContributorInsightsRuleList {
			in.Rules = append(in.Rules, string(rule))
		}
		if i, again := at[in.Resource]; again {
			d.batch.Insights[i] = in
			continue
		}
		at[in.Resource] = len(d.batch.Insights)
		d.batch.Insights = append(d.batch.Insights, in)
	}
	d.owners = owners(d.batch.Insights)
}

// owners maps each rule to the resource whose list names it. Some answers for a
// table list its indexes' rules too, so an index's own answer comes first.
func owners(all []telemetry.Insights) map[string]telemetry.ResourceID {
	out := map[string]telemetry.ResourceID{}
	for _, in := range all {
		for _, rule := range in.Rules {
			if owner, listed := out[rule]; !listed || owner.Index == "" {
				out[rule] = in.Resource
			}
		}
	}
	return out
}

func joined(separator string, parts ...text) string {
	var told []string
	for _, p := range parts {
		if p != "" {
			told = append(told, string(p))
		}
	}
	return strings.Join(told, separator)
}

// warnOfInsights says which resources' keys can't be seen, and why.
func (d *decoder) warnOfInsights() {
	accessed := d.accessedKeys()
	for _, in := range d.batch.Insights {
		what := subject(in.Resource)
		switch in.Status {
		case "DISABLED", "DISABLING":
			d.r.warn(telemetry.InsightsDisabled, in.Resource, "%s: Contributor Insights is disabled: its keys are not known", what)
		case "ENABLING":
			d.r.warn(telemetry.InsightsEnabling, in.Resource, "%s: Contributor Insights was being enabled: its keys may not be known yet", what)
		case "FAILED":
			reason := in.Failure
			if reason == "" {
				reason = "no reason given"
			}
			d.r.warn(telemetry.InsightsFailed, in.Resource, "%s: Contributor Insights failed: %s", what, reason)
		case "ENABLED":
			if in.Mode == throttledKeysMode {
				d.r.warn(telemetry.InsightsThrottledOnly, in.Resource, "%s: Contributor Insights ranks refused keys only: the keys' load is not known", what)
			}
			d.warnOfReports(in, accessed)
		}
	}
}

// accessedKeys counts the keys in all rankings of accessed keys of a resource,
// zero where the reports are empty.
func (d *decoder) accessedKeys() map[telemetry.ResourceID]int {
	out := map[telemetry.ResourceID]int{}
	for _, ranking := range d.batch.Rankings {
		if ranking.Kind == telemetry.AccessedPartitionKeys {
			out[ranking.Resource] += len(ranking.Contributors)
		}
	}
	return out
}

// warnOfReports tells reports that weren't saved from reports without content.
// Only an empty ranking of accessed keys says that data are missing: with nothing
// refused, a ranking of refused keys is rightly empty.
func (d *decoder) warnOfReports(in telemetry.Insights, accessed map[telemetry.ResourceID]int) {
	if ranked, reported := accessed[in.Resource]; reported && ranked == 0 {
		d.r.warn(telemetry.InsightsEmpty, in.Resource, "%s: Contributor Insights is enabled but has no data for this time: its keys are not known", subject(in.Resource))
	}
	for _, rule := range in.Rules {
		if _, known := telemetry.RuleKindOf(rule); known && d.owners[rule] == in.Resource && !d.reported[rule] {
			d.r.warn(telemetry.MissingFile, in.Resource, "%s: no such file: the report of this rule of %s was not saved", fileName(kindReport, rule), subject(in.Resource))
		}
	}
}
