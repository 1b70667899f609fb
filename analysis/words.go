package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func name(k suspect) string { return k.track.key.Partition }

func (s *scene) loadText(k suspect) string {
	low, high := telemetry.Thousands(k.low*s.ceiling), telemetry.Thousands(k.high*s.ceiling)
	if low == high {
		return low
	}
	return low + " to " + high
}

func percent(x float64) string {
	switch {
	case x > 0 && x < 0.01:
		return "under 1 %"
	case x > 0.99 && x < 1:
		return "over 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

func decimal(x float64) string {
	if x >= 10 || x == math.Trunc(x) {
		return telemetry.Thousands(x)
	}
	return fmt.Sprintf("%.1f", x)
}

func sourceText(p PartitionSource) string {
	switch p {
	case FromStreamShards:
		return "by open stream shards"
	case FromWarmThroughput:
		return "by warm throughput"
	case FromProvisioned:
		return "by provisioned throughput"
	case FromSize:
		return "by size"
	}
	return "assumed"
}
