package report

import (
	"strconv"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// thousands writes a number without decimals, with commas; below 10 with one decimal
// where it has any.
func thousands(x float64) string {
	if x > -10 && x < 10 {
		return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
	}
	return telemetry.Thousands(x)
}

// span writes a range, once where both ends read the same.
func span(low, high float64) string {
	a, b := thousands(low), thousands(high)
	if a == b {
		return a
	}
	return a + " to " + b
}

func count(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
