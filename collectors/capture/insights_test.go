package capture

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const rulePrefix = "DynamoDBContributorInsights-"

// state is a described state of Contributor Insights; index and mode may be "".
func state(table, index, status, mode, rules string) string {
	return `{"TableName":"` + table + `","IndexName":"` + index + `","ContributorInsightsStatus":"` + status +
		`","ContributorInsightsMode":"` + mode + `","ContributorInsightsRuleList":[` + rules + `],"LastUpdateDateTime":1576629654.78}`
}

// report is a report with one key, "k", and its value 1 in minute 10:04.
func report(labels, keys string) string {
	return `{"KeyLabels":[` + labels + `],"AggregationStatistic":"Sum","AggregateValue":5.0,"ApproximateUniqueCount":3,
"Contributors":[{"Keys":` + keys + `,"ApproximateAggregateValue":5.0,"Datapoints":[{"Timestamp":"2026-03-02T10:04:00Z","ApproximateValue":5.0}]}],"RuleAttributes":[]}`
}

const emptyReport = `{"KeyLabels":["PartitionKey"],"AggregationStatistic":"Sum","AggregateValue":0.0,"ApproximateUniqueCount":0,"Contributors":[]}`

func TestRankingHoldsWhatTheReportSays(t *testing.T) {
	got := decoded(t, map[string]string{
		"describe-contributor-insights.json":                           state("orders", "", "ENABLED", "ACCESSED_AND_THROTTLED_KEYS", `"DynamoDBContributorInsights-SKC-orders-1"`),
		"insight-report.DynamoDBContributorInsights-SKC-orders-1.json": report(`"pk","sk"`, `["a","b"]`),
	})
	aggregate, unique := 5.0, 3.0
	want := []telemetry.Ranking{{
		Resource: ordersID.Resource(), Kind: telemetry.AccessedItems, Rule: rulePrefix + "SKC-orders-1", KeyLabels: []string{"pk", "sk"},
		Start: at("10:04"), End: at("10:06"), Aggregate: &aggregate, Unique: &unique,
		Contributors: []telemetry.Contributor{{Key: telemetry.Key{Partition: "a", Sort: "b"}, Points: []telemetry.Point{{Time: at("10:04"), Value: 5}}}},
	}}
	if diff := cmp.Diff(want, got.Rankings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	states := []telemetry.Insights{{
		Resource: ordersID.Resource(), Status: "ENABLED", Mode: "ACCESSED_AND_THROTTLED_KEYS",
		Rules: []string{rulePrefix + "SKC-orders-1"}, Updated: time.Date(2019, 12, 18, 0, 40, 54, 780e6, time.UTC),
	}}
	if diff := cmp.Diff(states, got.Insights); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got)
}

func TestRulesBelongToTheResourceThatListsThem(t *testing.T) {
	index := ordersID.WithIndex("by-status")
	users := telemetry.TableID{Account: ordersID.Account, Region: ordersID.Region, Table: "orders-by"}
	listed := func(table, index, rule string) string {
		return state(table, index, "ENABLED", "", `"`+rulePrefix+rule+`"`)
	}
	tests := map[string]struct {
		rule     string
		states   map[string]string
		want     telemetry.ResourceID
		warnings []string
	}{
		"an index's rule under the table's name": {"PKC-orders-7", map[string]string{"x": listed("orders", "by-status", "PKC-orders-7")}, index, nil},
		"an index's rule under both names":       {"PKC-orders-by-status-7", map[string]string{"x": listed("orders", "by-status", "PKC-orders-by-status-7")}, index, nil},
		"a file name with a suffix of its own":   {"PKC-orders-7.page2", map[string]string{"x": listed("orders", "by-status", "PKC-orders-7")}, index, nil},
		"listed for the table and for the index": {
			"PKC-orders-7", map[string]string{"a": listed("orders", "by-status", "PKC-orders-7"), "b": listed("orders", "", "PKC-orders-7")}, index, nil,
		},
		"listed for the table, named after the index": {
			"PKC-orders-by-status-7",
			map[string]string{"x": listed("orders", "", "PKC-orders-by-status-7")},
			index,
			[]string{"rule_by_name: insight-report.DynamoDBContributorInsights-PKC-orders-by-status-7.json: listed for the table, but named after its index: taken for orders/by-status"},
		},
		"not listed, by the table's name": {"PKC-orders-7", nil, ordersID.Resource(), []string{"no list names this rule: taken for orders by its name"}},
		"not listed, by the names of the index's keys": {
			"PKC-orders-8", nil, index, []string{"rule_by_name: insight-report.DynamoDBContributorInsights-PKC-orders-8.json: no list names this rule: taken for orders/by-status by the names of its keys"},
		},
		"not listed, by the index's name": {"PKC-orders-by-status-7", nil, index, []string{"taken for orders/by-status by its name"}},
		"not listed, the longest table's name": {
			"PKC-orders-by-status-7",
			map[string]string{"x": state("orders-by", "status", "DISABLED", "", "")},
			users.WithIndex("status"),
			[]string{"taken for orders-by/status by its name", "insights_disabled"},
		},
		"not listed, no known name": {"PKC-users-7", nil, telemetry.ResourceID{}, []string{"no list names this rule, and its name fits no known table: left out"}},
		"another service's rule":    {"vpc-flow", nil, telemetry.ResourceID{}, []string{"unreadable_file: insight-report.DynamoDBContributorInsights-vpc-flow.json:1: holds no report of one of DynamoDB's rules; ignored"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			label := `"pk"`
			if tt.rule == "PKC-orders-8" {
				label = `"status"`
			}
			files := map[string]string{"insight-report." + rulePrefix + tt.rule + ".json": report(label, `["a"]`)}
			for suffix, document := range tt.states {
				files["describe-contributor-insights."+suffix+".json"] = document
			}
			got := decoded(t, files)
			var resource telemetry.ResourceID
			if len(got.Rankings) > 0 {
				resource = got.Rankings[0].Resource
			}
			if resource != tt.want {
				t.Errorf("of %+v, want %+v", resource, tt.want)
			}
			wantWarnings(t, got, tt.warnings...)
		})
	}
}

func TestSecondRuleOfATablesNameIsTakenOnlyByItsKeys(t *testing.T) {
	tests := map[string]struct {
		states   string
		labels   [2]string
		want     []telemetry.ResourceID
		warnings []string
	}{
		"keys tell both": {
			"",
			[2]string{`"pk"`, `"status"`},
			[]telemetry.ResourceID{ordersID.Resource(), ordersID.WithIndex("by-status")},
			[]string{"taken for orders by its name", "taken for orders/by-status by the names"},
		},
		"keys tell none": {
			"",
			[2]string{`"PartitionKey"`, `"PartitionKey"`},
			nil,
			[]string{"which may be that of orders or of its index: left out", "which may be that of orders or of its index: left out"},
		},
		"the table lists its own": {
			state("orders", "", "ENABLED", "", `"DynamoDBContributorInsights-PKC-orders-1"`),
			[2]string{`"PartitionKey"`, `"PartitionKey"`},
			[]telemetry.ResourceID{ordersID.Resource()},
			[]string{"which may be that of orders or of its index: left out"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{
				"insight-report.DynamoDBContributorInsights-PKC-orders-1.json": report(tt.labels[0], `["a"]`),
				"insight-report.DynamoDBContributorInsights-PKC-orders-2.json": report(tt.labels[1], `["b"]`),
			}
			if tt.states != "" {
				files["describe-contributor-insights.json"] = tt.states
			}
			got := decoded(t, files)
			var owners []telemetry.ResourceID
			for _, r := range got.Rankings {
				owners = append(owners, r.Resource)
			}
			if diff := cmp.Diff(tt.want, owners); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			wantWarnings(t, got, tt.warnings...)
		})
	}
}

func TestRuleNamesMayHoldDots(t *testing.T) {
	got := decoded(t, map[string]string{
		"describe-table.json": `{"Table":{"TableName":"prod.orders.v2"}}`,
		"insight-report.DynamoDBContributorInsights-PKT-prod.orders.v2-1756743576155.json": report(`"pk"`, `["a"]`),
	})
	if r := got.Rankings[0]; r.Resource.Table != "prod.orders.v2" || r.Rule != rulePrefix+"PKT-prod.orders.v2-1756743576155" {
		t.Errorf("ranking %q of %q", r.Rule, r.Resource)
	}
}

func TestKeysAreReadInEveryForm(t *testing.T) {
	tests := map[string]struct {
		kind, labels, keys string
		want               telemetry.Key
	}{
		"one":                             {"PKC", `"pk"`, `["TENANT#1"]`, telemetry.Key{Partition: "TENANT#1"}},
		"one, with commas and quotes":     {"PKC", `"pk"`, `["a,\"b\",{c}"]`, telemetry.Key{Partition: `a,"b",{c}`}},
		"two":                             {"SKC", `"pk","sk"`, `["a,b","c"]`, telemetry.Key{Partition: "a,b", Sort: "c"}},
		"joined by a comma":               {"SKT", `"pk","sk"`, `["a,b,c"]`, telemetry.Key{Partition: "a", Sort: "b,c"}},
		"joined by a comma, one label":    {"SKT", `"pk"`, `["a,b"]`, telemetry.Key{Partition: "a,b"}},
		"typed, as text":                  {"SKC", `"pk","sk"`, `["{\"S\":\"a,b\"}","{\"N\":\"7\"}"]`, telemetry.Key{Partition: "a,b", Sort: "7"}},
		"typed, as objects":               {"SKC", `"pk","sk"`, `[{"S":"a"},{"B":"AAEC"}]`, telemetry.Key{Partition: "a", Sort: "AAEC"}},
		"an object of the application":    {"PKC", `"pk"`, `["{\"id\":\"a\"}"]`, telemetry.Key{Partition: `{"id":"a"}`}},
		"a number":                        {"PKC", `"pk"`, `[12345678901234567890]`, telemetry.Key{Partition: "12345678901234567890"}},
		"a bare value":                    {"PKC", `"pk"`, `"a"`, telemetry.Key{Partition: "a"}},
		"control characters, kept":        {"PKC", `"pk"`, `["\u001b[2J"]`, telemetry.Key{Partition: "\x1b[2J"}},
		"a partition key of two":          {"PKC", `"a","b"`, `["x","y"]`, telemetry.Key{Partition: "x,y"}},
		"a partition key of two and sort": {"SKC", `"a","b","c"`, `["x","y","z"]`, telemetry.Key{Partition: "x,y", Sort: "z"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"insight-report." + rulePrefix + tt.kind + "-orders-7.json": report(tt.labels, tt.keys)}
			if tt.want.Partition == "x,y" {
				files["describe-table.json"] = `{"Table":{"TableName":"orders","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}]}}`
			}
			if got := decoded(t, files).Rankings[0].Contributors[0].Key; got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestSeveralReportsOfARuleKeepTheirOwnTimes(t *testing.T) {
	later := `{"Contributors":[{"Keys":["b"],"Datapoints":[{"Timestamp":"2026-03-02T11:05:00Z","ApproximateValue":1},{"Timestamp":"2026-03-02T11:00:00Z","ApproximateValue":2}]},
{"Keys":["b"],"Datapoints":[{"Timestamp":"2026-03-02T11:02:00Z","ApproximateValue":3},{"Timestamp":null,"ApproximateValue":3}]},{"Keys":[]}]}`
	got := decoded(t, map[string]string{"insight-report.DynamoDBContributorInsights-PKC-orders-7.json": report(`"pk"`, `["a"]`) + later})
	if len(got.Rankings) != 2 || !got.Rankings[0].End.Equal(at("10:05")) || !got.Rankings[1].Start.Equal(at("11:00")) || !got.Rankings[1].End.Equal(at("11:06")) {
		t.Errorf("rankings %+v", got.Rankings)
	}
	want := []telemetry.Point{{Time: at("11:00"), Value: 2}, {Time: at("11:02"), Value: 3}, {Time: at("11:05"), Value: 1}}
	if diff := cmp.Diff(want, got.Rankings[1].Contributors[0].Points); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got, "rule_by_name", "partial_data: insight-report.DynamoDBContributorInsights-PKC-orders-7.json:2: left out 2 contributors or points")
}

func TestStateOfInsightsIsToldWhereItHidesKeys(t *testing.T) {
	const rules = `"DynamoDBContributorInsights-PKC-orders-7","DynamoDBContributorInsights-PKT-orders-7"`
	accessed, throttled := "insight-report."+rulePrefix+"PKC-orders-7.json", "insight-report."+rulePrefix+"PKT-orders-7.json"
	full := map[string]string{accessed: report(`"pk"`, `["a"]`), throttled: emptyReport}
	tests := map[string]struct {
		state    string
		reports  map[string]string
		warnings []string
	}{
		"enabled, nothing refused": {state("orders", "", "ENABLED", "", rules), full, nil},
		"disabled":                 {state("orders", "", "DISABLED", "", ""), nil, []string{"insights_disabled: orders: Contributor Insights is disabled"}},
		"disabled on an index":     {state("orders", "by-status", "DISABLED", "", ""), nil, []string{"insights_disabled: orders/by-status: "}},
		"being enabled":            {state("orders", "", "ENABLING", "", rules), nil, []string{"insights_enabling: orders: "}},
		"failed": {
			`{"TableName":"orders","ContributorInsightsStatus":"FAILED","FailureException":{"ExceptionName":"LimitExceeded","ExceptionDescription":"too many rules"}}`,
			nil,
			[]string{"insights_failed: orders: Contributor Insights failed: LimitExceeded: too many rules"},
		},
		"failed, no reason": {state("orders", "", "FAILED", "", ""), nil, []string{"insights_failed: orders: Contributor Insights failed: no reason given"}},
		"refused keys only": {
			state("orders", "", "ENABLED", "THROTTLED_KEYS", `"DynamoDBContributorInsights-PKT-orders-7"`),
			map[string]string{throttled: emptyReport},
			[]string{"insights_throttled_keys_only: orders: "},
		},
		"enabled, no data": {
			state("orders", "", "ENABLED", "", rules),
			map[string]string{accessed: emptyReport, throttled: emptyReport},
			[]string{"insights_empty: orders: "},
		},
		"a report not saved": {
			state("orders", "", "ENABLED", "", rules),
			map[string]string{accessed: report(`"pk"`, `["a"]`)},
			[]string{"missing_file: insight-report.DynamoDBContributorInsights-PKT-orders-7.json: no such file: the report of this rule of orders was not saved"},
		},
		"no state": {`{"TableName":"orders"}`, nil, []string{"unreadable_file: describe-contributor-insights.json:1: holds no state of Contributor Insights; ignored"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(tt.reports)
			if files == nil {
				files = map[string]string{}
			}
			files["describe-contributor-insights.json"] = tt.state
			wantWarnings(t, decoded(t, files), tt.warnings...)
		})
	}
	t.Run("not described", func(t *testing.T) {
		if got := decoded(t, nil); len(got.Insights)+len(got.Warnings) != 0 {
			t.Errorf("states %v, warnings %q", got.Insights, warnings(got))
		}
	})
}
