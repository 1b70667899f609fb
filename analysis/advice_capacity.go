package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/partition"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// tableCapacity advises on ordinary traffic that uses up what the table may use.
func (a *adviser) tableCapacity() {
	if a.has(ScanFactor) {
		a.limitScan()
		return
	}
	if a.event.Limit == telemetry.MaxOnDemandLimit {
		a.raiseOnDemandMaximum()
		return
	}
	a.raiseProvisioned()
	if a.has(SubMinuteBurst) {
		a.paceLoad("spread the bursts evenly over time, at no more than")
	}
	a.tuneScaling()
	a.switchToOnDemand()
}

func (a *adviser) raiseProvisioned() {
	to := a.setting()
	action, place := RaiseProvisioned, a.res.ID.Table
	if a.onIndex() {
		action, place = RaiseIndexCapacity, a.place()
	}
	read, write := a.bothSettings(to)
	why := fmt.Sprintf("about %s %s/s were wanted", thousands(a.demand()), unitName(a.event.Direction))
	undo := "set it back"
	if now := a.allowed(); now > 0 {
		why += fmt.Sprintf(" of %s provisioned", thousands(now))
		undo = fmt.Sprintf("set it back to %s", thousands(now))
	}
	if a.has(ReplicatedWrites) {
		why += "; part of them is replication, so every Region needs the same"
	}
	a.add(Recommendation{
		Action: action, Stage: RelieveNow, Parameters: map[string]any{"read_units": read, "write_units": write},
		Summary:  fmt.Sprintf("raise %s to %s %s", place, thousands(to), unitName(a.event.Direction)),
		Commands: append(a.provision(to), a.watch()),
		Why:      why + "; with a fifth of headroom and 70 % use",
		Tradeoff: "costs by the hour whether used or not; auto scaling, where it is on, may lower it again",
		Undo:     undo + "; decreases are limited to four, then one an hour, a day",
		Verify:   "refusals stop within a minute or two of the change",
	})
}

// bothSettings pairs a new rate with the other direction's present one, nil where that
// isn't known.
func (a *adviser) bothSettings(rate float64) (read, write any) {
	var other any
	if o, ok := a.other(); ok {
		other = o
	}
	if a.reads() {
		return rate, other
	}
	return other, rate
}

func (a *adviser) raiseOnDemandMaximum() {
	to := friendly(math.Max(a.demand(), a.allowed()) * limitHeadroom)
	read, write := any(nil), any(nil)
	if a.reads() {
		read = to
	} else {
		write = to
	}
	undo := "set it back"
	if now := a.allowed(); now > 0 {
		undo += " to " + thousands(now)
	}
	a.add(Recommendation{
		Action: RaiseOnDemandMaximum, Stage: RelieveNow, Parameters: map[string]any{"read_units": read, "write_units": write},
		Summary:  fmt.Sprintf("raise the on-demand maximum of %s to %s %ss/s", a.place(), thousands(to), a.event.work()),
		Commands: []string{a.raiseMaximum(to), a.watch()},
		Why:      fmt.Sprintf("about %s were wanted and the maximum, which the owner set, refuses the rest", thousands(a.demand())),
		Tradeoff: "it was set to bound cost: ask who set it, and why",
		Undo:     undo,
		Verify:   "refusals by the maximum stop within minutes",
	})
}

func (a *adviser) tuneScaling() {
	percent, low, high := 100*targetUtilization, a.lowest(), math.Max(a.setting(), a.allowed())
	summary := "let auto scaling start earlier"
	switch {
	case a.has(AutoScalingAtMaximum):
		summary = fmt.Sprintf("raise auto scaling's maximum to %s %s", thousands(high), unitName(a.event.Direction))
	case a.has(ScaledIn):
		low = math.Max(low, friendly(a.demand()/targetUtilization))
		summary = fmt.Sprintf("keep auto scaling's minimum at %s %s", thousands(low), unitName(a.event.Direction))
	case a.has(AutoScalingLag):
		const earlier = 50
		percent, low = earlier, math.Max(low, friendly(a.demand()/2))
		summary = fmt.Sprintf("give auto scaling a minimum of %s %s and a target of %d %%", thousands(low), unitName(a.event.Direction), earlier)
	default:
		summary = fmt.Sprintf("turn on auto scaling of %s between %s and %s %s", a.place(), thousands(low), thousands(high), unitName(a.event.Direction))
	}
	a.add(Recommendation{
		Action: TuneAutoScaling, Stage: FixThisWeek,
		Parameters: map[string]any{"minimum": low, "maximum": high, "target_percent": percent},
		Summary:    summary,
		Commands:   a.scaling(low, high, percent),
		Why:        "auto scaling acts after two minutes above its target, and minutes more pass until the table follows",
		Tradeoff:   "a higher minimum or a lower target costs by the hour; a known peak is better served by a schedule; where a policy exists, put its own name in place of the one given",
		Undo:       "register the bounds that the first command shows",
		Verify:     "capacity rises ahead of consumption at the next peak",
	})
}

// lowest is the lowest capacity in force in the window; 1 where none is known.
func (a *adviser) lowest() float64 {
	low := math.Inf(1)
	for _, m := range a.load.Minutes {
		if m.Capacity > 0 {
			low = math.Min(low, float64(m.Capacity))
		}
	}
	if math.IsInf(low, 1) {
		return 1
	}
	return low
}

func (a *adviser) switchToOnDemand() {
	if a.onDemand() {
		return
	}
	a.add(Recommendation{
		Action: SwitchToOnDemand, Stage: FixThisWeek, Parameters: map[string]any{},
		Summary:  "switch " + a.res.ID.Table + " to on-demand if its peaks can't be foreseen",
		Commands: []string{a.updateTable("--billing-mode", "PAY_PER_REQUEST"), a.describe()},
		Why:      "an on-demand table has no provisioned throughput to run out of",
		Tradeoff: "several minutes at the old capacity; four switches in 24 hours; dearer for steady load; indexes switch too",
		Undo:     "switch back with --billing-mode PROVISIONED and the old capacity",
		Verify:   "BillingMode is PAY_PER_REQUEST and refusals stop",
	})
}

func (a *adviser) limitScan() {
	rate := math.Max(1, math.Floor(a.allowed()*0.2))
	if a.allowed() == 0 {
		rate = math.Max(1, math.Floor(a.demand()*0.2))
	}
	a.add(Recommendation{
		Action: LimitScan, Stage: RelieveNow, Parameters: map[string]any{"units_per_second": rate},
		Summary:  fmt.Sprintf("hold the scan to %s RCU/s: smaller pages, pauses, or an export instead", thousands(rate)),
		Commands: []string{a.watch()},
		Why:      "scans draw most of the reads; an export to S3 uses no read capacity",
		Tradeoff: "the scan takes longer",
		Undo:     "lift the limit outside the peak",
		Verify:   "refusals of the other operations stop",
	})
}

// paceLoad advises holding a writer or reader to four fifths of the limit.
func (a *adviser) paceLoad(how string) {
	limit := a.ceiling()
	if a.event.Limit != telemetry.KeyRangeLimit {
		limit = a.demand()
		if a.allowed() > 0 {
			limit = a.allowed()
		} else if a.event.Limit == telemetry.AccountLimit {
			limit = math.Min(limit, float64(partition.TableQuotaDefault))
		}
	}
	rate := math.Max(1, math.Floor(partitionShare*limit))
	a.add(Recommendation{
		Action: PaceBulkLoad, Stage: RelieveNow, Parameters: map[string]any{"units_per_second": rate},
		Summary:  fmt.Sprintf("%s %s %s/s", how, thousands(rate), unitName(a.event.Direction)),
		Commands: []string{a.watch()},
		Why:      "what comes faster than the limit is refused and comes again",
		Tradeoff: "the job takes longer",
		Undo:     "lift the pace",
		Verify:   "refusals stop while the job goes on",
	})
}

// accountQuota advises on the quota that holds for each table.
func (a *adviser) accountQuota() {
	code, half := "L-AB614373", "write"
	if a.reads() {
		code, half = "L-CF0CBE56", "read"
	}
	units := friendly(math.Max(a.demand()*limitHeadroom, float64(partition.TableQuotaDefault)+1))
	a.add(Recommendation{
		Action: RequestQuota, Stage: RelieveNow, Parameters: map[string]any{"quota_code": code, "units": units},
		Summary: fmt.Sprintf("request a table-level %s quota of %s", half, thousands(units)),
		Commands: []string{
			a.aws("service-quotas", "get-service-quota", "--service-code", "dynamodb", "--quota-code", code),
			a.aws("service-quotas", "request-service-quota-increase", "--service-code", "dynamodb", "--quota-code", code, "--desired-value", digits(units)),
		},
		Why:      fmt.Sprintf("about %s %s/s were wanted of one table or index", thousands(a.demand()), unitName(a.event.Direction)),
		Tradeoff: "takes 24 to 48 hours as a rule; a higher quota is a higher possible bill",
		Verify:   "the quota shows the new value and refusals by the account limit stop",
	})
	a.paceLoad("meanwhile hold bulk work to")
	if a.onIndex() && !a.reads() {
		a.trimProjection()
	}
}
