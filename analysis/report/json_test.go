package report

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis"
)

// published are the fields of the schema hotpart.report/v1, in order, by object. Reports
// may hold more after them, never less.
var published = map[string][]string{
	"":                  {"schema", "source", "window", "tables", "events", "warnings"},
	"source":            {"kind", "name"},
	"window":            {"start", "end", "period_seconds"},
	"tables":            {"account", "region", "table", "mode", "resources"},
	"resources":         {"index", "partitions", "read", "write"},
	"partitions":        {"low", "likely", "high", "source"},
	"read":              {"peak_units_per_second", "throttled_events"},
	"write":             {"peak_units_per_second", "throttled_events"},
	"events":            {"id", "account", "region", "table", "index", "operation", "start", "end", "ongoing", "cause", "limit", "confidence", "contributing", "keys", "throttled_events", "hottest_partition", "seconds_at_ceiling", "evidence", "recommendations"},
	"keys":              {"partition_key", "sort_key", "peak_units_per_second", "low", "high", "throttled_events"},
	"hottest_partition": {"units_per_second", "low", "high", "ceiling_units_per_second"},
	"evidence":          {"supports", "text"},
	"recommendations":   {"action", "summary", "parameters", "commands"},
	"warnings":          {"code", "text"},
}

// fieldOrders walks a JSON document and calls found with each object's name (the field
// that holds it) and its fields in order.
func fieldOrders(t *testing.T, dec *json.Decoder, name string, found func(name string, fields []string)) {
	t.Helper()
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		var fields []string
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			fields = append(fields, key.(string))
			fieldOrders(t, dec, key.(string), found)
		}
		_, _ = dec.Token()
		found(name, fields)
	case json.Delim('['):
		for dec.More() {
			fieldOrders(t, dec, name, found)
		}
		_, _ = dec.Token()
	}
}

func TestJSONKeepsThePublishedFieldsInOrder(t *testing.T) {
	seen := map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(render(t, JSON, incident(), Options{})))
	fieldOrders(t, dec, "", func(name string, fields []string) {
		want, ok := published[name]
		if !ok {
			return
		}
		seen[name] = true
		if diff := cmp.Diff(want, fields[:min(len(want), len(fields))]); diff != "" {
			t.Errorf("fields of %q (-want +got):\n%s", name, diff)
		}
	})
	for name := range maps.Keys(published) {
		if !seen[name] {
			t.Errorf("the fixture shows no object %q", name)
		}
	}
}

// decode reads a report back as a stranger would.
func decode(t *testing.T, d *analysis.Diagnosis) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(render(t, JSON, d, Options{})), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestJSONSaysNullForWhatIsNotKnown(t *testing.T) {
	doc := decode(t, incident())
	event := doc["events"].([]any)[0].(map[string]any)
	key := event["keys"].([]any)[0].(map[string]any)
	index := doc["tables"].([]any)[0].(map[string]any)["resources"].([]any)[1].(map[string]any)["write"].(map[string]any)
	for name, value := range map[string]any{
		"hottest_partition": event["hottest_partition"], "seconds_at_ceiling": event["seconds_at_ceiling"],
		"demand": event["demand"], "refused_share": event["refused_share"], "splitting": event["splitting"],
		"key peak": key["peak_units_per_second"], "key low": key["low"], "key refusals": key["throttled_events"],
		"index peak": index["peak_units_per_second"], "index refusals": index["throttled_events"],
	} {
		if value != nil {
			t.Errorf("%s is %v, want null", name, value)
		}
	}
	lists := []string{"contributing", "keys", "evidence", "recommendations", "missing", "wont_help", "context"}
	for _, name := range lists {
		if _, ok := event[name].([]any); !ok {
			t.Errorf("%s is %v, want a list", name, event[name])
		}
	}
}

func TestJSONKeepsZeroApartFromUnknown(t *testing.T) {
	read := decode(t, incident())["tables"].([]any)[0].(map[string]any)["resources"].([]any)[0].(map[string]any)["read"].(map[string]any)
	if diff := cmp.Diff(map[string]any{"peak_units_per_second": 310.3, "throttled_events": 0.0}, read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestJSONListsAreEmptyWhereNothingWasFound(t *testing.T) {
	doc := decode(t, &analysis.Diagnosis{})
	for _, name := range []string{"tables", "events", "warnings"} {
		if list, ok := doc[name].([]any); !ok || len(list) != 0 {
			t.Errorf("%s is %v, want an empty list", name, doc[name])
		}
	}
}

func TestJSONHoldsKeysAsTheyCame(t *testing.T) {
	events := decode(t, incident())["events"].([]any)
	keys := events[0].(map[string]any)["keys"].([]any)
	if got := keys[1].(map[string]any)["partition_key"]; got != hostile {
		t.Errorf("key is %q", got)
	}
}

func TestJSONNumbersThatAreNoneAreNull(t *testing.T) {
	d := incident()
	d.Events[1].Demand.High = math.Inf(1)
	d.Events[1].Hottest.Low = -1e-9
	d.Events[1].Recommendations[0].Parameters["shards"] = math.NaN()
	i := slices.IndexFunc(decode(t, d)["events"].([]any), func(e any) bool { return e.(map[string]any)["cause"] == "hot_key" })
	event := decode(t, d)["events"].([]any)[i].(map[string]any)
	if event["demand"].(map[string]any)["high"] != nil {
		t.Error("an infinite number isn't null")
	}
	if got := event["hottest_partition"].(map[string]any)["low"].(float64); got != 0 || math.Signbit(got) {
		t.Errorf("a tiny negative number is %v", got)
	}
}
