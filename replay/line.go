package replay

import (
	"encoding/json"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// The kinds of line.
const (
	kindHeader = "header"
	kindDefine = "define"
	kindBatch  = "batch"
)

// The things that a define line gives a number to.
const (
	whatSource     = "source"
	whatTables     = "tables"
	whatInsights   = "insights"
	whatQuotas     = "quotas"
	whatShards     = "shards"
	whatTargets    = "targets"
	whatActivities = "activities"
	whatMarks      = "marks"
	whatWarnings   = "warnings"
	whatSeries     = "series"
	whatRanking    = "ranking"
)

type headerLine struct {
	Kind string `json:"kind"`
	Header
}

// defineLine gives the number N, unique within a member and What, to a value.
type defineLine struct {
	Kind  string          `json:"kind"`
	What  string          `json:"what"`
	N     int             `json:"n"`
	Value json.RawMessage `json:"value"`
}

// batchLine is a batch. The ints are numbers of definitions; 0 is none.
type batchLine struct {
	Kind       string        `json:"kind"`
	Source     int           `json:"source,omitempty"`
	Start      time.Time     `json:"start,omitzero"`
	End        time.Time     `json:"end,omitzero"`
	Period     duration      `json:"period,omitempty"`
	FetchedAt  time.Time     `json:"fetched_at,omitzero"`
	Tables     int           `json:"tables,omitempty"`
	Insights   int           `json:"insights,omitempty"`
	Quotas     int           `json:"quotas,omitempty"`
	Shards     int           `json:"shards,omitempty"`
	Targets    int           `json:"targets,omitempty"`
	Activities int           `json:"activities,omitempty"`
	Marks      int           `json:"marks,omitempty"`
	Warnings   int           `json:"warnings,omitempty"`
	Series     []seriesPart  `json:"series,omitempty"`
	Rankings   []rankingPart `json:"rankings,omitempty"`
	Earlier    []earlierPart `json:"earlier,omitempty"`
}

// anyLine is read first of every line: enough to tell what follows.
type anyLine struct {
	Kind  string          `json:"kind"`
	What  string          `json:"what"`
	N     int             `json:"n"`
	Value json.RawMessage `json:"value"`
}

// seriesHead is what is defined once of a series.
type seriesHead struct {
	telemetry.SeriesID
	Period duration `json:"period,omitempty"`
}

// seriesPart is a series' share of a batch. Status is "" for Complete.
type seriesPart struct {
	N      int              `json:"n"`
	Status telemetry.Status `json:"status,omitempty"`
	Points points           `json:"points,omitempty"`
}

// earlierPart is a series on an earlier day.
type earlierPart struct {
	N      int      `json:"n"`
	Ago    duration `json:"ago"`
	Points points   `json:"points,omitempty"`
}

// rankingHead is what is defined once of a ranking.
type rankingHead struct {
	Resource  telemetry.ResourceID `json:"resource"`
	RuleKind  telemetry.RuleKind   `json:"rule_kind"`
	Rule      string               `json:"rule"`
	KeyLabels []string             `json:"key_labels,omitempty"`
}

// rankingPart is a ranking's share of a batch.
type rankingPart struct {
	N            int          `json:"n"`
	Start        time.Time    `json:"start,omitzero"`
	End          time.Time    `json:"end,omitzero"`
	Aggregate    *float64     `json:"aggregate,omitempty"`
	Unique       *float64     `json:"unique,omitempty"`
	Contributors contributors `json:"contributors,omitempty"`
}

// contributorPart is a ranked key. P64 and S64 stand in for P and S where those
// aren't valid UTF-8, which JSON can't carry.
type contributorPart struct {
	P      string `json:"p,omitempty"`
	S      string `json:"s,omitempty"`
	P64    []byte `json:"p64,omitempty"`
	S64    []byte `json:"s64,omitempty"`
	Points points `json:"points,omitempty"`
}
