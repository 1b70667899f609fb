package analysis

import (
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestKeyPatterns(t *testing.T) {
	keys := func(names ...string) []telemetry.Key {
		var out []telemetry.Key
		for _, n := range names {
			out = append(out, telemetry.Key{Partition: n})
		}
		return out
	}
	tests := []struct {
		name   string
		key    string
		others []telemetry.Key
		want   string
	}{
		{"date", "2026-03-02", nil, "date"},
		{"date in a key", "events#20260302", nil, "date"},
		{"month", "LOG#2026-03", nil, "date"},
		{"hour", "2026-03-02T14", nil, "hour"},
		{"hour without separators", "2026030214", nil, "hour"},
		{"minute", "2026-03-02T14:05", nil, "timestamp"},
		{"epoch seconds", "evt-1772460000", nil, "timestamp"},
		{"uuid", "5f0c1a9e-0b8e-4c43-9d0e-6a1d6f2b7c11", nil, "uuid"},
		{"prefixed uuid", "USER#5f0c1a9e-0b8e-4c43-9d0e-6a1d6f2b7c11", nil, "uuid"},
		{"tenant", "TENANT#123", nil, "tenant"},
		{"organisation", "org_acme", nil, "tenant"},
		{"counter", "global-counter", nil, "counter"},
		{"statistic", "page#home#views", nil, "counter"},
		{"status", "pending", nil, "status"},
		{"prefixed status", "STATUS#OPEN", nil, "status"},
		{"boolean", "true", nil, "status"},
		{"country code", "US", nil, "country"},
		{"prefixed country", "country#de", nil, "country"},
		{"shards of a tenant", "TENANT#123#7", keys("TENANT#123#7", "TENANT#123#8", "TENANT#123#9"), "shard suffix"},
		{"shards of a day", "2026-03-02.3", keys("2026-03-02.1", "2026-03-02.2"), "shard suffix"},
		{"tenants beside each other", "TENANT#7", keys("TENANT#8", "TENANT#9"), "tenant"},
		{"one sibling is no proof", "events-3", keys("events-4"), ""},
		{"a number that isn't a year", "order-1234567", nil, ""},
		{"plain text", "hello", nil, ""},
		{"empty", "", nil, ""},
		{"lower-case pair", "us", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keyPattern(tt.key, tt.others); got != tt.want {
				t.Errorf("keyPattern(%q) = %q, want %q", tt.key, got, tt.want)
			}
		})
	}
}

func TestGrowingSortKeys(t *testing.T) {
	for sort, want := range map[string]bool{
		"2026-03-02T14:05:00Z": true, "1772460000123": true, "01JNB3Q2Z5T6V7W8X9YABCDEFG": true,
		"profile": false, "": false, "2026-03-02": false,
	} {
		if got := growingSort(sort); got != want {
			t.Errorf("growingSort(%q) = %v", sort, got)
		}
	}
}

func TestLogicalKeyDropsTheShardSuffix(t *testing.T) {
	for key, want := range map[string]string{"TENANT#123#7": "TENANT#123", "plain": "plain"} {
		if got := logicalKey(key); got != want {
			t.Errorf("logicalKey(%q) = %q, want %q", key, got, want)
		}
	}
}
