package analysis

// Action is something one can do.
type Action string

// The actions.
const (
	WaitForSplit              Action = "wait_for_split"
	ShardKey                  Action = "shard_key"
	ShardIndexKey             Action = "shard_index_key"
	CacheReads                Action = "cache_reads"
	EventuallyConsistentReads Action = "eventually_consistent_reads"
	RedesignKey               Action = "redesign_key"
	TimeBucketKey             Action = "time_bucket_key"
	RaiseProvisioned          Action = "raise_provisioned"
	RaiseIndexCapacity        Action = "raise_index_capacity"
	RaiseOnDemandMaximum      Action = "raise_on_demand_maximum"
	Prewarm                   Action = "prewarm"
	SwitchToOnDemand          Action = "switch_to_on_demand"
	TuneAutoScaling           Action = "tune_auto_scaling"
	TrimProjection            Action = "trim_projection"
	ShrinkItem                Action = "shrink_item"
	SplitItem                 Action = "split_item"
	OffloadToS3               Action = "offload_to_s3"
	PaceBulkLoad              Action = "pace_bulk_load"
	LimitScan                 Action = "limit_scan"
	BackOffRetries            Action = "back_off_retries"
	RequestQuota              Action = "request_quota"
	EnableInsights            Action = "enable_insights"
)

// Stage is when an action belongs.
type Stage string

// The stages, the most urgent first.
const (
	RelieveNow  Stage = "relieve now"
	FixThisWeek Stage = "fix this week"
	Redesign    Stage = "redesign"
	DoNothing   Stage = "do nothing"
)

// Recommendation is one thing to do, with its numbers.
type Recommendation struct {
	Action Action
	Stage  Stage
	// Summary is one short imperative line with the real names and numbers.
	Summary string
	// Parameters are those that the contract lists for the action: numbers are
	// float64 or int, the rest strings.
	Parameters map[string]any
	// Commands are AWS CLI lines, quoted for a POSIX shell, to read first and
	// paste; none of them is ever run.
	Commands []string
	// Why says why it fits this evidence; Tradeoff what it costs; Undo how to take
	// it back; Verify how to see that it worked. "" where there is nothing to say.
	Why, Tradeoff, Undo, Verify string
}
