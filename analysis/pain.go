package analysis

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Pain is what users feel of a load's refusals in the window's last quarter of an hour.
type Pain struct {
	// Refused is the share of attempts that were refused in the minutes with refusals;
	// -1 where the number of requests is unknown, 0 where there were no refusals. For
	// an index it is the share of the whole table's attempts in this direction: requests
	// are published for the table with its indexes together.
	Refused float64
	// Minutes are those with refusals, of the Known ones.
	Minutes, Known int
}

// Pain says how bad a load's refusals are now.
func (l *Load) Pain() Pain {
	const span = 15 * time.Minute
	var p Pain
	var refused, attempts float64
	counted := true
	for i := len(l.Minutes) - 1; i >= 0; i-- {
		m := l.Minutes[i]
		if l.Minutes[len(l.Minutes)-1].Start.Sub(m.Start) >= span {
			break
		}
		if m.ThrottleState != telemetry.Known {
			continue
		}
		p.Known++
		if m.Throttled > 0 {
			p.Minutes++
			refused += m.Throttled
			attempts += m.Throttled + m.Requests
			counted = counted && m.Requests >= 0
		}
	}
	switch {
	case refused == 0:
	case counted:
		p.Refused = refused / attempts
	default:
		p.Refused = -1
	}
	return p
}

// Weight is the share of attempts refused, as far as it is known, times the share of
// the time in which that went on: 0 to 1, the worst 1.
func (p Pain) Weight() float64 {
	if p.Known == 0 || p.Refused < 0 {
		return 0
	}
	return p.Refused * float64(p.Minutes) / float64(p.Known)
}
