package replay

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// secretive is a batch in which every text that tells of its owner holds "secret".
func secretive() telemetry.Batch {
	id := telemetry.TableID{Account: "secret-account", Region: "eu-west-1", Table: "secret-table"}
	index := id.WithIndex("secret-index")
	keys := []telemetry.KeyAttribute{{Name: "secret-attribute", Role: "HASH"}}
	projection := telemetry.Projection{Type: "INCLUDE", Attributes: []string{"secret-projected"}}
	rule := "DynamoDBContributorInsights-PKC-secret-table-1"
	return telemetry.Batch{
		Source: telemetry.Source{Kind: telemetry.SourceLive, Name: "secret-source"},
		Tables: []telemetry.Table{{
			ID: id, Keys: keys, StreamARN: "arn:secret",
			Indexes:      []telemetry.Index{{Name: "secret-index", Keys: keys, Projection: projection}},
			LocalIndexes: []telemetry.LocalIndex{{Name: "secret-local", Keys: keys, Projection: projection}},
		}},
		Insights:   []telemetry.Insights{{Resource: index, Rules: []string{rule, "secret rule"}, Failure: "secret reason"}},
		Quotas:     []telemetry.Quotas{{Account: "secret-account"}},
		Shards:     []telemetry.Shards{{Table: id, Stream: "arn:secret"}},
		Targets:    []telemetry.ScalingTarget{{Resource: index}},
		Activities: []telemetry.ScalingActivity{{Resource: index, Description: "secret", Cause: "secret"}},
		Earlier:    []telemetry.Earlier{{ID: telemetry.SeriesID{Resource: index, Metric: telemetry.ConsumedReadCapacityUnits}}},
		Series:     []telemetry.Series{{ID: telemetry.SeriesID{Resource: index, Metric: telemetry.ConsumedReadCapacityUnits}}},
		Rankings: []telemetry.Ranking{{
			Resource: index, Kind: telemetry.AccessedItems, Rule: rule, KeyLabels: []string{"secret-attribute"},
			Contributors: []telemetry.Contributor{{Key: telemetry.Key{Partition: "secret-key", Sort: "secret-sort"}}},
		}},
		Marks:    []telemetry.Mark{{Kind: telemetry.NoteMark, Text: "secret", Resource: index}, {Kind: telemetry.UpdateMark, Text: "secret"}},
		Warnings: []telemetry.Warning{{Code: telemetry.Denied, Text: "secret", Resource: index}},
	}
}

func TestRedactionWithNamesLeavesNothingOfTheOwner(t *testing.T) {
	r := Redactor{Names: true}
	b := r.Batch(secretive())
	h := r.Header(Header{Account: "secret-account", Resources: []telemetry.ResourceID{{Index: "secret-index"}}, Truth: json.RawMessage(`"secret"`)})
	text, err := json.Marshal([]any{b, h})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "secret") {
		t.Errorf("something is left: %s", text)
	}
	if b.Rankings[0].Rule != b.Insights[0].Rules[0] {
		t.Errorf("rule %q is no longer among %q", b.Rankings[0].Rule, b.Insights[0].Rules)
	}
	if kind, ok := telemetry.RuleKindOf(b.Rankings[0].Rule); !ok || kind != telemetry.AccessedPartitionKeys {
		t.Errorf("the kind of rule %q is lost", b.Rankings[0].Rule)
	}
	if b.Tables[0].ID.WithIndex(b.Tables[0].Indexes[0].Name) != b.Series[0].ID.Resource {
		t.Error("an index is named in two ways")
	}
}

func TestRedactionWithoutNamesReplacesOnlyKeys(t *testing.T) {
	want := secretive()
	want.Rankings[0].Contributors[0].Key = telemetry.Key{Partition: "key-1", Sort: "sort-1"}
	want.Marks[0].Text = "redacted" // a person may have written down a key
	r := Redactor{}
	if diff := cmp.Diff(want, r.Batch(secretive())); diff != "" {
		t.Error(diff)
	}
}

func TestRedactionKeepsKeysApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.StringN(1, 3, -1)).Draw(t, "keys")
		var r Redactor
		back := map[string]string{}
		for _, key := range keys {
			stand := r.stand("key", key)
			if was, ok := back[stand]; ok && was != key {
				t.Fatalf("%q and %q are both %s", was, key, stand)
			}
			back[stand] = key
		}
	})
}

func TestSecretGivesTheSameTokensInEveryRecording(t *testing.T) {
	a, b := Redactor{Secret: []byte("one")}, Redactor{Secret: []byte("one")}
	other := Redactor{Secret: []byte("two")}
	b.stand("key", "met before")
	got := a.stand("key", "TENANT#1")
	if got != b.stand("key", "TENANT#1") || got == other.stand("key", "TENANT#1") || got == a.stand("key", "TENANT#2") || got == a.stand("sort", "TENANT#1") {
		t.Errorf("token %s", got)
	}
	if len(got) != len("key-")+16 || strings.Contains(got, "TENANT") {
		t.Errorf("token %s", got)
	}
}

func TestPrefixesAreKeptWhereTheyLookLikeAType(t *testing.T) {
	r := Redactor{Prefixes: true}
	for _, c := range []struct{ key, want string }{
		{"TENANT#123", "TENANT#key-1"},
		{"order_line:a:b", "order_line:key-2"},
		{"4711#x", "key-3"},
		{"a@b.example#x", "key-4"},
		{"#x", "key-5"},
		{"plain", "key-6"},
		{strings.Repeat("a", 40) + "#", "key-7"},
		{"", ""},
	} {
		if got := r.key("key", c.key); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.key, got, c.want)
		}
	}
}
