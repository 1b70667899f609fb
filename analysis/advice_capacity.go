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
	a.raiseAndScale()
	if a.has(SubMinuteBurst) {
		a.paceLoad("spread the bursts evenly over time, at no more than")
	}
	a.switchToOnDemand()
}

// raiseAndScale advises a raise and bounds for auto scaling. Where the event is over and
// auto scaling is at work, it would take a raise back by the next peak: then bounds alone.
func (a *adviser) raiseAndScale() {
	scales := a.has(AutoScalingLag) || a.has(AutoScalingAtMaximum)
	if scales && !a.event.Ongoing {
		if !a.alreadyRaised() {
			a.avoid("raising it by hand", "auto scaling would lower it again before the next peak; its bounds are what must change")
		}
		a.tuneScaling()
		return
	}
	a.raiseProvisioned()
	a.tuneScaling()
}

// raiseFits reports whether the event's limit is one that its owner can raise.
func (a *adviser) raiseFits() bool {
	return a.event.Limit == telemetry.ProvisionedLimit || a.event.Limit == telemetry.MaxOnDemandLimit
}

// alreadyRaised says so where the limit in force now covers what is needed, so that
// nobody raises it once more.
func (a *adviser) alreadyRaised() bool {
	if !a.covered() {
		return false
	}
	a.avoid("raising it by hand", fmt.Sprintf("%s, and %s are needed", a.raisedText(), telemetry.Thousands(a.need())))
	return true
}

func (a *adviser) raiseProvisioned() {
	if a.alreadyRaised() {
		return
	}
	to, unit := a.setting(targetUtilization), a.event.Direction.Unit()
	action, place := RaiseProvisioned, a.res.ID.Table
	if a.onIndex() {
		action, place = RaiseIndexCapacity, a.place()
	}
	read, write := a.bothSettings(to)
	summary := fmt.Sprintf("raise %s to %s %s", place, telemetry.Thousands(to), unit)
	if to <= 0 {
		summary = fmt.Sprintf("raise the %s of %s step by step: neither its setting nor what is wanted is known", unit, place)
	}
	why := a.wantedText("were") + a.ofAllowed("provisioned") + a.busiestText() + a.cautionText(a.need())
	if a.has(ReplicatedWrites) {
		why += "; part of them is replication, so every Region needs the same"
	}
	a.add(Recommendation{
		Action: action, Stage: RelieveNow, Parameters: map[string]any{"read_units": read, "write_units": write},
		Summary:  summary,
		Commands: append(a.provision(to), a.watch()),
		Why:      why + "; with a fifth of headroom and 70 % use",
		Tradeoff: "paid by the hour whether used or not; auto scaling, where it is on, may lower it again",
		Undo:     a.setBack() + "; decreases are limited to four, then one an hour, a day",
		Verify:   a.relieved("refusals stop within a minute or two of the change"),
	})
}

// ofAllowed is " of 400 provisioned when it refused", and what is in force now where that
// differs.
func (a *adviser) ofAllowed(what string) string {
	refusing, now := a.allowed(), a.capacityNow()
	switch {
	case refusing <= 0:
		return ""
	case now != refusing:
		return fmt.Sprintf(" of %s %s when it refused (%s now)", telemetry.Thousands(refusing), what, telemetry.Thousands(now))
	}
	return fmt.Sprintf(" of %s %s", telemetry.Thousands(refusing), what)
}

func (a *adviser) setBack() string {
	if now := a.capacityNow(); now > 0 {
		return "set it back to " + telemetry.Thousands(now)
	}
	return "set it back"
}

// bothSettings pairs a new rate with the other direction's present one, nil for what
// isn't known.
func (a *adviser) bothSettings(rate float64) (read, write any) {
	mine, other := rateOrNil(rate), any(nil)
	if o, ok := a.other(); ok {
		other = o
	}
	if a.reads() {
		return mine, other
	}
	return other, mine
}

func (a *adviser) raiseOnDemandMaximum() {
	if a.alreadyRaised() {
		return
	}
	to := a.setting(1)
	read, write := a.bothSettings(to)
	summary, commands := fmt.Sprintf("raise the on-demand maximum of %s to %s %ss/s", a.place(), telemetry.Thousands(to), a.event.work()), []string{a.raiseMaximum(to)}
	if to <= 0 {
		summary, commands = "raise the on-demand maximum of "+a.place()+" step by step: neither it nor what is wanted is known", []string{a.describe()}
	}
	a.add(Recommendation{
		Action: RaiseOnDemandMaximum, Stage: RelieveNow, Parameters: map[string]any{"read_units": read, "write_units": write},
		Summary: summary, Commands: append(commands, a.watch()),
		Why:      a.wantedText("were") + a.ofAllowed("allowed") + a.busiestText() + a.cautionText(a.need()) + "; the maximum, which the owner set, refuses the rest",
		Tradeoff: "it was set to bound cost: ask who set it, and why",
		Undo:     a.setBack(),
		Verify:   a.relieved("refusals by the maximum stop within minutes"),
	})
}

// tuneScaling advises on auto scaling's bounds. The capacity that refused is never the
// minimum where scaling came late: it would refuse again.
func (a *adviser) tuneScaling() {
	unit := a.event.Direction.Unit()
	percent, low := 100*targetUtilization, math.Max(1, a.lowest())
	high := math.Max(friendly(a.need()*limitHeadroom/targetUtilization), a.highest())
	var summary, why string
	switch {
	case a.has(AutoScalingAtMaximum):
		high = math.Max(a.setting(targetUtilization), friendly(a.allowed()*limitHeadroom))
		summary = fmt.Sprintf("raise auto scaling's maximum to %s %s", telemetry.Thousands(high), unit)
		why = "it is at its maximum, " + telemetry.Thousands(a.allowed()) + ", and can't follow"
	case a.has(ScaledIn), a.has(AutoScalingLag):
		low = math.Max(low, friendly(a.need()))
		summary = fmt.Sprintf("give auto scaling a minimum of %s %s", telemetry.Thousands(low), unit)
		why = a.wantedText("were") + a.ofAllowed("provisioned") + a.busiestText() + ", so a lower minimum would refuse again"
		if !a.has(ScaledIn) {
			const earlier = 50
			percent = earlier
			summary += fmt.Sprintf(" and a target of %d %%", earlier)
		}
	default:
		summary = fmt.Sprintf("turn on auto scaling of %s between %s and %s %s", a.place(), telemetry.Thousands(low), telemetry.Thousands(high), unit)
		why = "capacity that follows the load needs no one to raise it"
	}
	high = math.Max(high, low)
	a.add(Recommendation{
		Action: TuneAutoScaling, Stage: FixThisWeek,
		Parameters: map[string]any{"minimum": low, "maximum": high, "target_percent": percent},
		Summary:    summary,
		Commands:   a.scaling(low, high, percent),
		Why:        why + "; auto scaling acts after two minutes above its target, and minutes more pass until the table follows",
		Tradeoff:   "a higher minimum or a lower target is paid by the hour; a known peak is better served by a schedule; where the first command shows a higher maximum, keep that; where the second shows a policy, put its name in place of the one given",
		Undo:       "register the bounds that the first command shows, and put the target that the second shows; deregister the target where they show none",
		Verify:     "capacity rises ahead of consumption at the next peak",
	})
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
	const part = 0.2
	base := a.capacityNow()
	if base == 0 {
		base = a.demand()
	}
	rate := math.Max(1, math.Floor(part*base))
	a.add(Recommendation{
		Action: LimitScan, Stage: RelieveNow, Parameters: map[string]any{"units_per_second": rate},
		Summary:  fmt.Sprintf("hold the scan to %s RCU/s: smaller pages, pauses, or an export instead", telemetry.Thousands(rate)),
		Commands: []string{a.watch()},
		Why:      "scans draw most of the reads; an export to S3 uses no read capacity",
		Tradeoff: "the scan takes longer",
		Undo:     "lift the limit outside the peak",
		Verify:   a.relieved("refusals of the other operations stop"),
	})
}

// paceLoad advises holding a writer or reader to four fifths of the limit.
func (a *adviser) paceLoad(how string) {
	limit := a.ceiling()
	if a.event.Limit != telemetry.KeyRangeLimit {
		limit = a.demand()
		if now := a.capacityNow(); now > 0 {
			limit = now
		} else if a.event.Limit == telemetry.AccountLimit {
			limit = math.Min(limit, float64(partition.TableQuotaDefault))
		}
	}
	rate := math.Max(1, math.Floor(partitionShare*limit))
	a.add(Recommendation{
		Action: PaceBulkLoad, Stage: RelieveNow, Parameters: map[string]any{"units_per_second": rate},
		Summary:  fmt.Sprintf("%s %s %s/s", how, telemetry.Thousands(rate), a.event.Direction.Unit()),
		Commands: []string{a.watch()},
		Why:      "what comes faster than the limit is refused and comes again",
		Tradeoff: "the job takes longer",
		Undo:     "lift the pace",
		Verify:   a.relieved("refusals stop while the job goes on"),
	})
}

// accountQuota advises on the quota that holds for each table.
func (a *adviser) accountQuota() {
	code, half := "L-AB614373", "write"
	if a.reads() {
		code, half = "L-CF0CBE56", "read"
	}
	units := friendly(math.Max(a.demand()*a.caution()*limitHeadroom, float64(partition.TableQuotaDefault)+1))
	a.add(Recommendation{
		Action: RequestQuota, Stage: RelieveNow, Parameters: map[string]any{"quota_code": code, "units": units},
		Summary: fmt.Sprintf("request a table-level %s quota of %s", half, telemetry.Thousands(units)),
		Commands: []string{
			a.aws("service-quotas", "get-service-quota", "--service-code", "dynamodb", "--quota-code", code),
			a.aws("service-quotas", "request-service-quota-increase", "--service-code", "dynamodb", "--quota-code", code, "--desired-value", digits(units)),
		},
		Why:      a.wantedText("were") + " of one table or index" + a.cautionText(a.demand()),
		Tradeoff: "takes 24 to 48 hours as a rule; a higher quota is a higher possible bill",
		Verify:   "the quota shows the new value and refusals by the account limit stop",
	})
	if a.event.Ongoing {
		a.paceLoad("meanwhile hold bulk work to")
	} else {
		a.paceLoad("hold bulk work to")
	}
	if a.onIndex() && !a.reads() {
		a.trimProjection()
	}
}
