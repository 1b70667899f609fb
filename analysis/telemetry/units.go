package telemetry

import (
	"strconv"
	"time"
)

// Units is a total of read or write capacity units over some period, for
// example the Sum statistic of ConsumedWriteCapacityUnits.
type Units float64

// Per spreads a total over a period: 60,000 units per minute are 1,000 units a
// second. It returns 0 for a period that isn't positive.
func (u Units) Per(period time.Duration) Rate {
	if period <= 0 {
		return 0
	}
	return Rate(float64(u) / period.Seconds())
}

// Rate is read or write capacity units a second.
type Rate float64

// Over is the total that a steady rate makes over a period.
func (r Rate) Over(period time.Duration) Units {
	return Units(float64(r) * period.Seconds())
}

// Thousands writes a number without decimals and with commas: 45,425,548.
func Thousands[N ~int | ~float64](x N) string {
	s := strconv.FormatFloat(float64(x), 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
