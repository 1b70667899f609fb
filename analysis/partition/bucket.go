package partition

// Bucket is a token bucket that is refilled once a second. Tokens are capacity
// units and never negative. The zero value is a bucket that is always empty.
type Bucket struct {
	rate   float64 // units added each second
	cap    float64 // most units available within one second
	tokens float64
}

// NewBucket is a full bucket that is refilled at rate units a second and saves
// up to saved seconds of it beyond the current second.
func NewBucket(rate, saved float64) Bucket {
	b := Bucket{}
	b.SetRate(rate, saved)
	b.tokens = b.cap
	return b
}

// SetRate changes the refill. What was saved stays, up to the new most.
func (b *Bucket) SetRate(rate, saved float64) {
	b.rate = max(rate, 0)
	b.cap = b.rate * (1 + max(saved, 0))
	b.tokens = min(b.tokens, b.cap)
}

// Tick adds one second's refill.
func (b *Bucket) Tick() { b.tokens = min(b.tokens+b.rate, b.cap) }

// Take removes up to units and returns how many were there.
func (b *Bucket) Take(units float64) float64 {
	taken := min(max(units, 0), b.tokens)
	b.tokens -= taken
	return taken
}
