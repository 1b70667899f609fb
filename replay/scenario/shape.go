package scenario

import (
	"math"
	"math/rand/v2"
)

// at is the load's mean rate in requests a second at a second of the window,
// which may be before its start.
func (l *Load) at(second int) float64 {
	s := &l.Shape
	t := float64(second)
	if s.From > 0 && t < s.From.Seconds() || s.To > 0 && t >= s.To.Seconds() {
		return 0
	}
	rate := l.Rate
	if ramp := s.Ramp.Seconds(); ramp > 0 && t < s.From.Seconds()+ramp {
		done := (t - s.From.Seconds()) / ramp
		if s.Steps > 0 {
			done = math.Floor(done*float64(s.Steps)+1) / float64(s.Steps)
		}
		rate = s.FromRate + (rate-s.FromRate)*min(done, 1)
	}
	if every := s.Every.Seconds(); every > 0 {
		if math.Mod(t-s.From.Seconds()+1e6*every, every) >= s.Burst.Seconds() {
			return 0
		}
	}
	if s.Wave > 0 && s.Period > 0 {
		rate *= 1 + s.Wave*math.Sin(2*math.Pi*t/s.Period.Seconds())
	}
	return rate
}

// poisson draws a count with the given mean.
func poisson(rng *rand.Rand, mean float64) float64 {
	if mean <= 0 {
		return 0
	}
	if mean > 40 {
		return max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64()))
	}
	limit, product, n := math.Exp(-mean), rng.Float64(), 0.0
	for product > limit {
		product *= rng.Float64()
		n++
	}
	return n
}

// swing is how a load varies by chance: its logarithm wanders around zero and
// forgets two thirds of where it was in a minute and a half.
type swing struct {
	factor, state float64
	moved         int
}

// swingSeconds is how long a swing stays where it is.
const swingSeconds = 10

func (s *swing) move(rng *rand.Rand, deviation float64) {
	const keep = 0.9
	s.state = keep*s.state + math.Sqrt(1-keep*keep)*rng.NormFloat64()
	s.factor = math.Exp(deviation*s.state - deviation*deviation/2)
}
