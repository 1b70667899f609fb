package analysis

import (
	"fmt"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Modes of Contributor Insights (API Reference, "UpdateContributorInsights").
const (
	accessedMode  = "ACCESSED_AND_THROTTLED_KEYS"
	throttledMode = "THROTTLED_KEYS"
)

// attempts is the number of tries an operation gets in SDKs since November 2026, the
// first included (AWS Developer Tools Blog, "Updated default retry behavior for AWS
// SDKs and tools").
const attempts = 4

// leaveAlone is the advice on a note.
func (a *adviser) leaveAlone() {
	a.add(Recommendation{
		Action: BackOffRetries, Stage: DoNothing, Parameters: map[string]any{"attempts": attempts},
		Summary: "do nothing: let clients retry with backoff",
		Why:     "scattered refusals are normal, and an SDK's retries absorb them",
		Verify:  "the number of refusals doesn't grow",
	})
}

// dataFirst asks for the keys where a verdict depends on them and nobody ranks them.
func (a *adviser) dataFirst() {
	e := a.event
	needs := e.Limit == telemetry.KeyRangeLimit || e.Limit == telemetry.UnknownLimit || e.Cause == Undetermined
	if !needs || a.keysKnown() {
		return
	}
	words := []string{"--table-name", a.res.ID.Table}
	if a.onIndex() {
		words = append(words, "--index-name", a.res.ID.Index)
	}
	change := func(action string, mode ...string) string {
		w := append(append([]string{}, words...), "--contributor-insights-action", action)
		return a.aws("dynamodb", "update-contributor-insights", append(w, mode...)...)
	}
	a.add(Recommendation{
		Action: EnableInsights, Stage: RelieveNow, Parameters: map[string]any{"mode": accessedMode},
		Summary: "turn on Contributor Insights on " + a.place(),
		Commands: []string{
			change("ENABLE", "--contributor-insights-mode", accessedMode),
			a.aws("dynamodb", "describe-contributor-insights", words...),
		},
		Why:      "the keys' loads aren't known, and they tell a hot key from a hot partition",
		Tradeoff: "priced by events matched; keys are shown in plain text in CloudWatch; mode " + throttledMode + " costs less and names only refused keys",
		Undo:     change("DISABLE"),
		Verify:   "within minutes the most accessed keys are ranked",
	})
}

// keysKnown reports whether the keys' loads are ranked or Contributor Insights is on in
// the mode that ranks them.
func (a *adviser) keysKnown() bool {
	if len(a.load.Keys) > 0 {
		for _, k := range a.load.Keys {
			if k.Peak > 0 {
				return true
			}
		}
	}
	s := a.res.Insights
	return s != nil && (s.Status == "ENABLED" || s.Status == "ENABLING") && s.Mode != throttledMode
}

// undetermined advises where the data can't tell: what cures either cause, and nothing
// that costs money on a guess.
func (a *adviser) undetermined() {
	a.waitForSplit()
	if a.has(RetryAmplification) {
		return
	}
	a.add(Recommendation{
		Action: BackOffRetries, Stage: RelieveNow, Parameters: map[string]any{"attempts": attempts},
		Summary:  fmt.Sprintf("make clients back off with jitter, at most %d attempts, until the cause is known", attempts),
		Commands: []string{a.watch()},
		Why:      "it relieves whichever limit refuses",
		Tradeoff: "relief, no cure",
		Undo:     "restore the clients' retry settings",
		Verify:   a.relieved("refusals fall while the served load stays"),
	})
}

// shedLoad advises a hot written key's clients to back off while it stands and much is
// refused: the one relief that is at hand at once. Where retries amplify, common does.
func (a *adviser) shedLoad() {
	const much = 0.3
	e := a.event
	if a.reads() || !e.Ongoing || a.has(RetryAmplification) || e.Refused == nil || e.Refused.High < much {
		return
	}
	who := a.keyOrPlace()
	if full := e.fullKeys(); full > 1 {
		who = e.someKeys(full)
	}
	a.add(Recommendation{
		Action: BackOffRetries, Stage: RelieveNow, Parameters: map[string]any{"attempts": attempts},
		Summary:  fmt.Sprintf("make writers of %s back off: exponential with jitter, at most %d attempts", who, attempts),
		Commands: []string{a.watch()},
		Why:      fmt.Sprintf("up to %s of the writes are refused and come again; it sheds load and cures nothing", percent(e.Refused.High)),
		Tradeoff: "writes are late or given up while the limit stands",
		Undo:     "restore the clients' retry settings",
		Verify:   a.relieved("refusals fall while the served load stays"),
	})
}

// common adds what fits whatever the cause.
func (a *adviser) common() {
	if !a.has(RetryAmplification) {
		return
	}
	a.add(Recommendation{
		Action: BackOffRetries, Stage: RelieveNow, Parameters: map[string]any{"attempts": attempts},
		Summary:  fmt.Sprintf("make clients back off: exponential with jitter, at most %d attempts", attempts),
		Commands: []string{a.watch()},
		Why:      "for what is served so much is refused that clients seem to try each request nine times or more",
		Tradeoff: "relief, no cure: operations fail sooner while the limit stands",
		Undo:     "restore the clients' retry settings",
		Verify:   a.relieved("refusals fall while the served load stays"),
	})
}
