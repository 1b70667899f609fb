package analysis

import (
	"fmt"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// KeyWatch is whether and how a resource's keys can be seen: the state of CloudWatch
// Contributor Insights on it, and what its reports told.
type KeyWatch string

// The states, which are told apart everywhere.
const (
	// KeysUnknown: nobody told the state, as in some captures.
	KeysUnknown       KeyWatch = "unknown"
	KeysOff           KeyWatch = "off"
	KeysEnabling      KeyWatch = "enabling"
	KeysFailed        KeyWatch = "failed"
	KeysThrottledOnly KeyWatch = "throttled_keys_only"
	// KeysDenied: we may not ask for the state. KeysUnanswered: it is on, and its
	// reports aren't answered, or we may not ask for them.
	KeysDenied     KeyWatch = "denied"
	KeysUnanswered KeyWatch = "unanswered"
	// KeysEmpty: it is on, and its reports hold no key.
	KeysEmpty KeyWatch = "empty"
	KeysOn    KeyWatch = "on"
)

// keyWatch says how a resource's keys can be seen. Rankings count where there are any,
// whatever the state: it may have changed since.
func (f *facts) keyWatch(id telemetry.ResourceID, tracks []*keyTrack) KeyWatch {
	answered := func(kinds ...telemetry.RuleKind) bool {
		for _, k := range kinds {
			if f.rankings[rankingID{id, k}] != nil {
				return true
			}
		}
		return false
	}
	accessed := answered(telemetry.AccessedPartitionKeys, telemetry.AccessedItems)
	in := f.insights[id]
	switch {
	case in == nil && len(tracks) > 0 && accessed:
		return KeysOn
	case in == nil:
		return KeysUnknown
	case in.Status == "DISABLED" || in.Status == "DISABLING":
		return KeysOff
	case in.Status == "ENABLING":
		return KeysEnabling
	case in.Status == "FAILED":
		return KeysFailed
	case in.Status == "DENIED" && !accessed:
		return KeysDenied
	case in.Mode == throttledMode:
		return KeysThrottledOnly
	case !accessed:
		return KeysUnanswered
	case len(tracks) == 0:
		return KeysEmpty
	}
	return KeysOn
}

// KeysText says in a sentence or two how a resource's keys can be seen, what to type where
// they can't, what that costs and shows, and how long it takes; "" where all is well.
func (r *Resource) KeysText() string {
	on := "Contributor Insights on " + r.ID.String()
	switch r.Watch {
	case KeysOff:
		return on + " is off: its keys are not known. " + r.enableText()
	case KeysEnabling:
		return on + " is being turned on: keys usually come within a few minutes (AWS gives no figure), and only from then on"
	case KeysFailed:
		why := ""
		if r.Insights.Failure != "" {
			why = " (" + r.Insights.Failure + ")"
		}
		return on + " failed" + why + ": its keys are not known. Once the reason is mended: " + r.EnableCommand()
	case KeysThrottledOnly:
		return on + " ranks refused keys only: the keys' load is not known. " + r.enableText()
	case KeysDenied:
		return "whether " + on + " is on may not be asked: its keys are not known; allow dynamodb:DescribeContributorInsights"
	case KeysUnanswered:
		return on + " is on and its reports are not told: its keys are not known; the warnings say why, else allow cloudwatch:GetInsightRuleReport"
	case KeysEmpty:
		return on + " is on and ranks no key in this time: where it was turned on just now, keys usually come within a few minutes (AWS gives no figure); else nothing was read or written"
	case KeysUnknown:
		return "the state of " + on + " is not known, and no key is ranked: turned on, it names keys. " + r.enableText()
	}
	return ""
}

// Enables reports whether EnableCommand would make more of the keys be seen.
func (r *Resource) Enables() bool {
	switch r.Watch {
	case KeysOff, KeysFailed, KeysThrottledOnly, KeysUnknown:
		return true
	}
	return false
}

// enableText is the command that turns the ranking of all keys on, and what that means.
func (r *Resource) enableText() string {
	return fmt.Sprintf("To see them from then on: %s (at list price from $%.2f a rule and month, 2 rules or 4 with a sort key, and $%.2f a million events; "+
		"keys are shown in plain text to whoever may read CloudWatch); polls take keys over as they come, usually within a few minutes",
		r.EnableCommand(), ListPrices.InsightsRule, ListPrices.InsightsMillion)
}

// EnableCommand turns the ranking of all keys on, by the AWS CLI. It is for others to
// run.
func (r *Resource) EnableCommand() string {
	words := []string{"--table-name", r.ID.Table}
	if r.ID.Index != "" {
		words = append(words, "--index-name", r.ID.Index)
	}
	words = append(words, "--contributor-insights-action", "ENABLE", "--contributor-insights-mode", accessedMode)
	a := adviser{res: r}
	return a.aws("dynamodb", "update-contributor-insights", words...)
}

// keysMissing says why no key is known in the minutes of an event.
func (r *Resource) keysMissing() string {
	on := "Contributor Insights on " + r.ID.String()
	switch r.Watch {
	case KeysEnabling:
		return on + " is being turned on, and keys usually come within a few minutes"
	case KeysFailed:
		return on + " failed"
	case KeysDenied:
		return "whether " + on + " is on may not be asked"
	case KeysUnanswered:
		return on + " is on, but its reports are not told"
	case KeysEmpty:
		return on + " is on and ranks no key in this time"
	case KeysOn, KeysThrottledOnly:
		return "the reports of " + on + " that we have don't cover these minutes"
	}
	return on + " would name the keys within minutes of being turned on"
}
