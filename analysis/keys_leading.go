package analysis

import (
	"cmp"
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// MaxKeys is how many partition keys of one table or index are laid out over the
// window. A rule ranks 25 at a time, but where each minute has others a day has tens
// of thousands.
const MaxKeys = 1000

// leadingKeys are the partition keys of a resource that are followed, half by load
// and half by refusals, those with the highest single values; nil where no more than
// MaxKeys keys are ranked.
func (f *facts) leadingKeys(id telemetry.ResourceID) map[string]bool {
	n := 0
	for _, kind := range telemetry.RuleKinds {
		if r := f.rankings[rankingID{id, kind}]; r != nil {
			n += len(r.keys)
		}
	}
	if n <= MaxKeys {
		return nil
	}
	accessed := f.peaks(id, telemetry.AccessedPartitionKeys, telemetry.AccessedItems)
	refused := f.peaks(id, telemetry.ThrottledPartitionKeys, telemetry.ThrottledItems)
	leading := map[string]bool{}
	for _, peaks := range []map[string]float64{accessed, refused} {
		keys := sortedKeys(peaks)
		slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(peaks[b], peaks[a]) })
		for _, key := range keys[:min(len(keys), MaxKeys/2)] {
			leading[key] = true
		}
	}
	return leading
}

// peaks is the highest value of each partition key in some rankings.
func (f *facts) peaks(id telemetry.ResourceID, kinds ...telemetry.RuleKind) map[string]float64 {
	out := map[string]float64{}
	for _, kind := range kinds {
		r := f.rankings[rankingID{id, kind}]
		if r == nil {
			continue
		}
		for _, key := range r.keys {
			for _, p := range r.points[key] {
				out[key.Partition] = max(out[key.Partition], p.Value)
			}
		}
	}
	return out
}
