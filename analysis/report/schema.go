package report

// The types below are the schema hotpart.report/v1, its fields in the published order
// and what was added to it after them. Pointers are null where a value isn't known.

type jsonReport struct {
	Schema   string        `json:"schema"`
	Source   jsonSource    `json:"source"`
	Window   jsonWindow    `json:"window"`
	Tables   []jsonTable   `json:"tables"`
	Events   []jsonEvent   `json:"events"`
	Warnings []jsonWarning `json:"warnings"`
	Verdict  jsonVerdict   `json:"verdict"`
	Marks    []jsonMark    `json:"marks"`
}

type jsonSource struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

type jsonWindow struct {
	Start         *string  `json:"start"`
	End           *string  `json:"end"`
	PeriodSeconds *float64 `json:"period_seconds"`
}

type jsonTable struct {
	Account   string         `json:"account"`
	Region    string         `json:"region"`
	Table     string         `json:"table"`
	Mode      string         `json:"mode"`
	Resources []jsonResource `json:"resources"`
}

type jsonResource struct {
	Index      string         `json:"index"`
	Partitions jsonPartitions `json:"partitions"`
	Read       jsonLoad       `json:"read"`
	Write      jsonLoad       `json:"write"`
}

type jsonPartitions struct {
	Low    int    `json:"low"`
	Likely int    `json:"likely"`
	High   int    `json:"high"`
	Source string `json:"source"`
}

type jsonLoad struct {
	Peak      *float64 `json:"peak_units_per_second"`
	Throttled *float64 `json:"throttled_events"`
}

type jsonEvent struct {
	ID              string               `json:"id"`
	Account         string               `json:"account"`
	Region          string               `json:"region"`
	Table           string               `json:"table"`
	Index           string               `json:"index"`
	Operation       string               `json:"operation"`
	Start           *string              `json:"start"`
	End             *string              `json:"end"`
	Ongoing         bool                 `json:"ongoing"`
	Cause           string               `json:"cause"`
	Limit           string               `json:"limit"`
	Confidence      *float64             `json:"confidence"`
	Contributing    []string             `json:"contributing"`
	Keys            []jsonKey            `json:"keys"`
	Throttled       *float64             `json:"throttled_events"`
	Hottest         *jsonHottest         `json:"hottest_partition"`
	Seconds         *jsonRange           `json:"seconds_at_ceiling"`
	Evidence        []jsonEvidence       `json:"evidence"`
	Recommendations []jsonRecommendation `json:"recommendations"`

	Note          bool           `json:"note"`
	LimitInferred bool           `json:"limit_inferred"`
	Demand        *jsonEstimate  `json:"demand"`
	Refused       *jsonRange     `json:"refused_share"`
	Splitting     *jsonSplitting `json:"splitting"`
	Missing       []string       `json:"missing"`
	WontHelp      []jsonWontHelp `json:"wont_help"`
	Context       []string       `json:"context"`
	Users         *jsonUsers     `json:"users"`
}

// jsonUsers is null where no request is counted.
type jsonUsers struct {
	Operations       []jsonOperation `json:"operations"`
	Conflicts        *float64        `json:"transaction_conflicts"`
	FailedConditions *float64        `json:"failed_conditions"`
	SystemErrors     *float64        `json:"system_errors"`
}

type jsonOperation struct {
	Operation       string   `json:"operation"`
	Refused         *float64 `json:"refused_requests"`
	Succeeded       *float64 `json:"succeeded_requests"`
	PerMinute       *float64 `json:"succeeded_per_minute"`
	PerMinuteBefore *float64 `json:"succeeded_per_minute_before"`
	Latency         *float64 `json:"mean_latency_ms"`
	LatencyBefore   *float64 `json:"mean_latency_ms_before"`
	Slowest         *float64 `json:"p99_latency_ms_slowest_minute"`
	SlowestBefore   *float64 `json:"p99_latency_ms_slowest_minute_before"`
}

type jsonMark struct {
	At    *string `json:"at"`
	Kind  string  `json:"kind"`
	Text  string  `json:"text"`
	Table string  `json:"table"`
	Index string  `json:"index"`
}

type jsonKey struct {
	PartitionKey string   `json:"partition_key"`
	SortKey      string   `json:"sort_key"`
	Peak         *float64 `json:"peak_units_per_second"`
	Low          *float64 `json:"low"`
	High         *float64 `json:"high"`
	Throttled    *float64 `json:"throttled_events"`
	Pattern      string   `json:"pattern"`
}

type jsonHottest struct {
	Rate    *float64 `json:"units_per_second"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Ceiling *float64 `json:"ceiling_units_per_second"`
}

type jsonRange struct {
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

type jsonEstimate struct {
	Likely *float64 `json:"units_per_second"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

type jsonEvidence struct {
	Supports bool   `json:"supports"`
	Text     string `json:"text"`
}

type jsonRecommendation struct {
	Action     string         `json:"action"`
	Summary    string         `json:"summary"`
	Parameters map[string]any `json:"parameters"`
	Commands   []string       `json:"commands"`
	Stage      string         `json:"stage"`
	Why        string         `json:"why"`
	Tradeoff   string         `json:"tradeoff"`
	Undo       string         `json:"undo"`
	Verify     string         `json:"verify"`
	Forecast   jsonForecast   `json:"forecast"`
	Cost       *jsonCost      `json:"monthly_cost"`
}

// jsonCost is null where nothing is added to the bill or how much isn't known.
type jsonCost struct {
	Dollars *float64 `json:"us_dollars"`
	Bound   string   `json:"bound"`
	Prices  string   `json:"prices"`
	For     string   `json:"for"`
}

type jsonSplitting struct {
	Cures   bool       `json:"cures"`
	Minutes *jsonRange `json:"minutes"`
	Why     string     `json:"why"`
}

type jsonWontHelp struct {
	Fix string `json:"fix"`
	Why string `json:"why"`
}

type jsonWarning struct {
	Code  string `json:"code"`
	Text  string `json:"text"`
	Table string `json:"table"`
	Index string `json:"index"`
}

type jsonVerdict struct {
	Title    string `json:"title"`
	Summary  string `json:"summary"`
	Sure     string `json:"sure"`
	DoNow    string `json:"do_now"`
	WontHelp string `json:"wont_help"`
}
