package analysis

import (
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// attempted is an event on a whole table: a load that asks for so much, minute by minute,
// of which each request is tried so many times; the first three and the last five minutes
// are before and after the event.
func attempted(attempts, allowed, raised float64, load []float64) *past {
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	l := &Load{}
	p := &past{load: l, dir: telemetry.Write, limit: telemetry.ProvisionedLimit, cost: 1, event: &Event{
		Start: start.Add(3 * time.Minute), End: start.Add(time.Duration(len(load)-5) * time.Minute),
	}}
	for i, want := range load {
		m := Minute{Start: start.Add(time.Duration(i) * time.Minute), State: telemetry.Known, Consumed: telemetry.Rate(want), Capacity: telemetry.Rate(allowed)}
		if !during(p.event, m) {
			if i > 3 {
				m.Capacity = telemetry.Rate(raised)
			}
			m.Consumed = min(m.Consumed, m.Capacity)
			l.Minutes = append(l.Minutes, m)
			continue
		}
		refused := wish{served: want}.refused(allowed, attempts)
		m.Consumed, m.Throttled = telemetry.Rate(min(want, allowed)), refused
		l.Minutes = append(l.Minutes, m)
		p.served, p.refusals, p.allowed = append(p.served, float64(m.Consumed)), append(p.refusals, refused), append(p.allowed, allowed)
	}
	p.clients = clients(allowed, quantile(p.refusals, 0.98))
	p.weighClients()
	return p
}

func TestAttemptsFollowFromTheMinutes(t *testing.T) {
	uneven := []float64{900, 900, 900, 1400, 1409, 1393, 1404, 1412, 1398, 1391, 1407, 1403, 1396, 1410, 900, 900, 900, 900, 900}
	rising := []float64{400, 600, 800, 1300, 1300, 1300, 1300, 1300, 0, 0, 0, 0, 0}
	relieved := []float64{900, 900, 900, 1300, 1300, 1300, 1300, 1300, 1300, 1300, 1300, 1300, 1300}
	for _, c := range []struct {
		name     string
		attempts float64
		raised   float64
		load     []float64
	}{
		{"one try, by how even it is", 1, 1000, uneven},
		{"ten tries, by how the rise goes on", 10, 1000, rising},
		{"four tries, by what is served after a raise", 4, 2000, relieved},
	} {
		p := attempted(c.attempts, 1000, c.raised, c.load)
		best := p.clients[0]
		for _, x := range p.clients {
			if x.weight > best.weight {
				best = x
			}
		}
		if best.attempts != c.attempts {
			t.Errorf("%s: %v tries are likeliest of %+v", c.name, best.attempts, p.clients)
		}
	}
}

func TestFewMinutesTellNothingOfAttempts(t *testing.T) {
	p := attempted(4, 1000, 1000, []float64{900, 900, 900, 1300, 1300, 900, 900, 900, 900, 900})
	want := clients(1000, quantile(p.refusals, 0.98))
	for i, c := range p.clients {
		if c != want[i] {
			t.Errorf("%+v, want %+v as nothing bears on it", c, want[i])
		}
	}
}

func TestGrowthIsReadFromTheFirstMinutes(t *testing.T) {
	const before, ceiling = 200.0, 1000.0
	for _, c := range []struct {
		name     string
		onset    float64 // what was served in the first minute
		refusals []float64
		want     bool
	}{
		{"at once", ceiling, []float64{300, 310, 290, 305, 300}, false},
		{"in the middle of a minute", 600, []float64{150, 310, 290, 305, 300}, false},
		{"ever more of the same", ceiling, []float64{50, 300, 900, 1000, 1000}, true},
		{"too short to tell", ceiling, []float64{50, 300, 900}, false},
	} {
		start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
		l := &Load{}
		for i := range 5 + len(c.refusals) {
			served := ceiling
			if i < 5 {
				served = before
			} else if i == 5 {
				served = c.onset
			}
			l.Minutes = append(l.Minutes, Minute{Start: start.Add(time.Duration(i) * time.Minute), State: telemetry.Known, Consumed: telemetry.Rate(served)})
		}
		e := &Event{Start: start.Add(5 * time.Minute), End: start.Add(time.Duration(5+len(c.refusals)) * time.Minute)}
		p := &past{load: l, event: e, refusals: c.refusals}
		if got := p.growing(); got != c.want {
			t.Errorf("%s: growing %v, want %v", c.name, got, c.want)
		}
	}
}
