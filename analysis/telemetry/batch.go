package telemetry

import "time"

// Warning codes: trouble with the data that doesn't stop the analysis.
const (
	InsightsDisabled      = "insights_disabled"
	InsightsEnabling      = "insights_enabling"
	InsightsFailed        = "insights_failed"
	InsightsThrottledOnly = "insights_throttled_keys_only"
	InsightsEmpty         = "insights_empty"
	Denied                = "denied"
	MissingFile           = "missing_file"
	UnreadableFile        = "unreadable_file"
	PartialDataCode       = "partial_data"
	InternalErrorCode     = "internal_error"
	Gap                   = "gap"
	CoarsePeriod          = "coarse_period"
	StaleDescription      = "stale_description"
	RuleByName            = "rule_by_name"
	DamagedRecording      = "damaged_recording"
	ClockSkew             = "clock_skew"
	Retrying              = "retrying"
	Unanswered            = "unanswered"     // one of several accounts and Regions tells nothing
	Unrecorded            = "unrecorded"     // what is shown can't be written to the recording
	LinkedAccount         = "linked_account" // one of which nothing but metrics can be had
	Budget                = "budget"         // polls are rarer, or dearer, than a bound on their cost wants
)

// Warning is something the reader of a verdict should know of the data behind
// it. Text is one sentence for a person; it may hold text from outside and is
// cleaned where it is shown.
type Warning struct {
	Code string `json:"code"`
	Text string `json:"text"`
	// Resource is what it is about; zero for all of it.
	Resource ResourceID `json:"resource,omitzero"`
}

// SourceKind is where batches come from.
type SourceKind string

// The kinds of source.
const (
	SourceLive      SourceKind = "live"
	SourceRecording SourceKind = "recording"
	SourceCapture   SourceKind = "capture"
)

// Source names where batches come from. Name is a table, a file or a directory,
// without its path.
type Source struct {
	Kind SourceKind `json:"kind"`
	Name string     `json:"name"`
}

// Window is a span of time: Start inclusive, End exclusive.
type Window struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
	// Period is the spacing of the finest series, a minute as a rule.
	Period time.Duration `json:"period"`
}

// Batch is what one poll, or one minute of a recording, told us. The zero value
// says nothing.
type Batch struct {
	Source Source `json:"source"`
	// Window is what was asked for. Successive windows may overlap.
	Window Window `json:"window"`
	// FetchedAt is when AWS answered; zero where unknown, and then nothing in
	// the window counts as pending.
	FetchedAt  time.Time         `json:"fetched_at,omitzero"`
	Tables     []Table           `json:"tables,omitempty"`
	Insights   []Insights        `json:"insights,omitempty"`
	Quotas     []Quotas          `json:"quotas,omitempty"`
	Shards     []Shards          `json:"shards,omitempty"`
	Targets    []ScalingTarget   `json:"targets,omitempty"`
	Activities []ScalingActivity `json:"activities,omitempty"`
	Marks      []Mark            `json:"marks,omitempty"`
	Series     []Series          `json:"series,omitempty"`
	Rankings   []Ranking         `json:"rankings,omitempty"`
	Earlier    []Earlier         `json:"earlier,omitempty"`
	// Warnings concern this batch. Trouble that lasts is said again in each.
	Warnings []Warning `json:"warnings,omitempty"`
}
