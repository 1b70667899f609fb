package scenario

import (
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// splitFactor tells whether a split came during the run or ended it.
func (c *classifier) splitFactor() {
	from, to := c.u.minutes[c.s.first].second, c.u.minutes[c.s.last].second+120
	for _, split := range c.u.res.Splits() {
		if at := split.Second - 60*warmUp; at > from && at <= to {
			c.contribute("split_in_progress")
		}
	}
}

// scaledInWithin is how long before a run a decrease counts as its background.
const scaledInWithin = 20 * 60

func (c *classifier) capacityFactors(limit telemetry.Limit) {
	if limit != telemetry.ProvisionedLimit {
		return
	}
	d, from := dir(c.d), c.s.first
	for i := max(1, from-scaledInWithin/60); i <= from; i++ {
		if c.u.minutes[i].provisioned[d] < c.u.minutes[i-1].provisioned[d] {
			c.contribute("scaled_in")
		}
	}
	for _, s := range c.w.scaler {
		if s.unit != c.u || s.Direction != c.d {
			continue
		}
		if most := c.u.minutes[c.s.last].provisioned[d]; most >= s.Max {
			c.contribute("auto_scaling_at_maximum")
		} else {
			c.contribute("auto_scaling_lag")
		}
	}
}

// manyAttempts is how many tries of a request amplify its refusals.
const manyAttempts = 9

// refusedShare is the share of the run's refusals that fell to keys, or rests of
// keys, of a kind; behind an index's buffer it is their share of what was wanted.
func (c *classifier) refusedShare(of func(*keyMinute) bool) float64 {
	u, d := c.u, dir(c.d)
	if c.fed() {
		u = c.w.table
	}
	some, all := 0.0, 0.0
	for _, m := range u.minutes[c.s.first : c.s.last+1] {
		for _, list := range [][]keyMinute{m.keys, m.rests} {
			for i := range list {
				weight := list[i].refusedBy[d]
				if c.fed() {
					weight = list[i].fresh[d]
				}
				all += weight
				if of(&list[i]) {
					some += weight
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return some / all
}

// commonFactors are those that any limit can have.
func (c *classifier) commonFactors() {
	d := dir(c.d)
	if c.refusedShare(func(k *keyMinute) bool { return k.attempts >= manyAttempts }) > 0.5 {
		c.contribute("retry_amplification")
	}
	if c.refusedShare(func(k *keyMinute) bool { return k.bursts }) > 0.5 {
		c.contribute("sub_minute_burst")
	}
	scanned, all := 0.0, 0.0
	for _, m := range c.minutes() {
		for name, o := range m.operations {
			if od, ok := telemetry.OperationDirection(name); ok && od == c.d {
				all += o.units
				if name == "Scan" {
					scanned += o.units
				}
			}
		}
	}
	if all > 0 && scanned > 0.5*all {
		c.contribute("scan")
	}
	copied := c.sum(func(m *minute) float64 { return m.replicated })
	if c.d == telemetry.Write && copied > 0.4*c.sum(func(m *minute) float64 { return m.units[d] }) {
		c.contribute("replicated_writes")
	}
}
