package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// What a key's text looks like. Advice depends on it: a date or a status can't be
// anything but hot, a shard suffix says that sharding is in place already.
const (
	datePattern      = "date"
	hourPattern      = "hour"
	timestampPattern = "timestamp"
	counterPattern   = "counter"
	statusPattern    = "status"
	countryPattern   = "country"
	tenantPattern    = "tenant"
	uuidPattern      = "uuid"
	shardPattern     = "shard suffix"
	growingPattern   = "timestamp sort key"
)

var (
	uuidText      = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	hourText      = regexp.MustCompile(`(?:19|20)\d\d[-/._]?(?:0[1-9]|1[0-2])[-/._]?(?:0[1-9]|[12]\d|3[01])[-T/._ #:]?(?:[01]\d|2[0-3])(?:\D|$)`)
	timestampText = regexp.MustCompile(`(?:19|20)\d\d[-/]?(?:0[1-9]|1[0-2])[-/]?(?:0[1-9]|[12]\d|3[01])[T ]?(?:[01]\d|2[0-3]):?[0-5]\d`)
	dateText      = regexp.MustCompile(`(?:^|\D)(?:19|20)\d\d[-/._]?(?:0[1-9]|1[0-2])(?:[-/._]?(?:0[1-9]|[12]\d|3[01]))?(?:\D|$)`)
	epochText     = regexp.MustCompile(`(?:^|\D)1[5-9]\d{8}(?:\d{3})?(?:\D|$)`)
	ulidText      = regexp.MustCompile(`^0[0-7][0-9A-HJKMNP-TV-Z]{24}$`)
	suffixText    = regexp.MustCompile(`^(.*[-#_.:/|])(\d{1,4})$`)
)

// Words that give a key's nature away where they stand alone or beside an id.
var (
	tenantWords = []string{
		"tenant", "customer", "cust", "org", "organisation", "organization", "account", "acct", "company", "user",
		"client", "merchant", "team", "workspace", "project", "device", "shop", "store", "vendor", "seller", "game",
		"player", "session",
	}
	counterWords = []string{
		"counter", "count", "stat", "stats", "statistics", "total", "totals", "sequence", "seq", "views", "likes",
		"votes", "metric", "metrics", "leaderboard", "global", "aggregate", "summary", "balance",
	}
	statusWords = []string{
		"status", "state", "pending", "active", "inactive", "open", "closed", "new", "queued", "ready", "running",
		"processing", "processed", "done", "failed", "error", "complete", "completed", "enabled", "disabled", "true",
		"false", "yes", "no", "todo", "waiting", "delivered", "shipped", "paid", "unpaid", "draft", "published",
	}
	countryWords = []string{"country", "region", "continent", "market", "locale"}
)

// keyPattern says what a partition key's text looks like: one of the patterns above,
// "" where nothing is recognised. others are the keys ranked beside it, and may hold
// key itself. It is a guess from the text alone.
func keyPattern(key string, others []telemetry.Key) string {
	words := strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("#-_.:/| ", r) })
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch {
	case sharded(key, others, has(tenantWords)):
		return shardPattern
	case uuidText.MatchString(key):
		return uuidPattern
	case timestampText.MatchString(key):
		return timestampPattern
	case hourText.MatchString(key):
		return hourPattern
	case dateText.MatchString(key):
		return datePattern
	case has(tenantWords):
		return tenantPattern
	case epochText.MatchString(key):
		return timestampPattern
	case has(counterWords):
		return counterPattern
	case has(statusWords):
		return statusPattern
	case has(countryWords) || countryCode(key):
		return countryPattern
	}
	return ""
}

// sharded reports whether at least two other keys differ from key only in a short
// numeric suffix. A plain TENANT#7 beside TENANT#8 is a tenant's number, though; with
// an entity's name the suffix must follow an id, as in TENANT#123#7.
func sharded(key string, others []telemetry.Key, entity bool) bool {
	m := suffixText.FindStringSubmatch(key)
	if m == nil || entity && !strings.ContainsAny(m[1], "0123456789") {
		return false
	}
	siblings := map[string]bool{}
	for _, o := range others {
		if n := suffixText.FindStringSubmatch(o.Partition); n != nil && n[1] == m[1] && n[2] != m[2] {
			siblings[n[2]] = true
		}
	}
	return len(siblings) >= 2
}

// countryCode reports whether the key is two capital letters, alone.
func countryCode(key string) bool {
	return len(key) == 2 && key[0] >= 'A' && key[0] <= 'Z' && key[1] >= 'A' && key[1] <= 'Z'
}

// growingSort reports whether a sort key looks like one that only grows: a time, an
// epoch or a ULID.
func growingSort(sort string) bool {
	return timestampText.MatchString(sort) || epochText.MatchString(sort) || ulidText.MatchString(sort)
}

// logicalKey is a sharded key without its suffix; the key itself where it has none.
func logicalKey(key string) string {
	if m := suffixText.FindStringSubmatch(key); m != nil {
		return m[1][:len(m[1])-1]
	}
	return key
}
