package partition

import (
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// What one partition serves at most. Reads and writes are metered independently
// (Developer Guide, "Burst and adaptive capacity").
const (
	// ReadCeiling and WriteCeiling are a partition's steady limits, the same
	// for tables and indexes (Developer Guide, "Best practices for designing
	// and using partition keys effectively").
	ReadCeiling  telemetry.Rate = 3000
	WriteCeiling telemetry.Rate = 1000

	// EventuallyConsistentRead is the most that one partition was seen to
	// serve when all reads were eventually consistent and so spread over its
	// replicas (AWS Database Blog, "Scaling DynamoDB: How partitions, hot
	// keys, and split for heat impact performance", part 2).
	EventuallyConsistentRead telemetry.Rate = 4500

	// SavedSeconds is how much of its ceiling an idle partition saves up
	// beyond the current second. Assumption, from minutes that were seen to
	// reach a mean slightly above the ceiling.
	SavedSeconds = 1

	// MaxMeanWrite and MaxMeanRead are the highest mean of one minute: sixty
	// seconds at the ceiling and the second that was saved before them.
	MaxMeanWrite telemetry.Rate = 61000.0 / 60
	MaxMeanRead  telemetry.Rate = 3 * MaxMeanWrite
	// MaxMeanEventual is the same when all reads are eventually consistent.
	MaxMeanEventual = EventuallyConsistentRead + ReadCeiling/60

	// PartitionBytes is the size at which a partition is split whatever its
	// load (AWS Database Blog, same series, part 3: "around 10 GB").
	PartitionBytes int64 = 10 << 30
)

// Capacity of tables and indexes.
const (
	// BurstSeconds is the most unused provisioned capacity that a table or
	// index keeps, best effort (Developer Guide, "Burst and adaptive
	// capacity": "up to 5 minutes (300 seconds)").
	BurstSeconds = 300

	// NewTableRead and NewTableWrite are what a new on-demand table serves at
	// once (Developer Guide, "On-demand capacity mode", "Initial throughput"),
	// and NewTablePartitions what it behaved like when measured (AWS Database
	// Blog, same series, part 1).
	NewTableRead       telemetry.Rate = 12000
	NewTableWrite      telemetry.Rate = 4000
	NewTablePartitions                = 4

	// PeakMultiple is how far above its previous peak an on-demand table
	// follows at once, and PeakWindow how long growth beyond that should take
	// (Developer Guide, "On-demand capacity mode").
	PeakMultiple = 2
	PeakWindow   = 30 * time.Minute

	// TableQuotaDefault is the default quota of one table, reads and writes
	// each (Developer Guide, "Quotas in Amazon DynamoDB"). Bursts to
	// TableQuotaBurst were seen before refusals began (field report on a
	// 40,000 quota).
	TableQuotaDefault telemetry.Rate = 40000
	TableQuotaBurst   telemetry.Rate = 55000

	// SmallTableQuota is the default in small Regions and on old accounts.
	SmallTableQuota telemetry.Rate = 10000
)

// How DynamoDB splits a partition for heat.
const (
	// SplitMinutesEarliest and SplitMinutesLatest bound how long a partition
	// is near its ceiling before it is split. Assumption from AWS's
	// experiments and paper ("minutes of sustained consumption"; USENIX ATC
	// 2022, "Amazon DynamoDB", "Splitting for consumption").
	SplitMinutesEarliest = 5
	SplitMinutesLatest   = 20

	// SplitUtilization is the share of the ceiling that counts as near it.
	// Assumption.
	SplitUtilization = 0.9

	// IsolationShare is the share of a partition's load above which one item
	// makes a split useless, because the item would take the heat along (same
	// paper: no split for "a single item" that is hot). Assumption.
	IsolationShare = 0.8
)

// What an item or a request costs (Developer Guide, "DynamoDB read and write
// operations"; KB are 1,024 bytes).
const (
	WriteUnitBytes = 1 << 10
	ReadUnitBytes  = 4 << 10
	// MaxItemBytes is the largest item (Developer Guide, "Constraints in
	// Amazon DynamoDB"), MaxPageBytes the most that one Query or Scan page
	// reads ("Paginating table query results").
	MaxItemBytes = 400 << 10
	MaxPageBytes = 1 << 20
)

// Ceiling is a partition's steady limit in a direction.
func Ceiling(d telemetry.Direction) telemetry.Rate {
	if d == telemetry.Read {
		return ReadCeiling
	}
	return WriteCeiling
}

// MaxMean is the highest mean over one minute that a partition reaches in a
// direction: strongly consistent for reads.
func MaxMean(d telemetry.Direction) telemetry.Rate {
	if d == telemetry.Read {
		return MaxMeanRead
	}
	return MaxMeanWrite
}

// NewTable is what a new on-demand table serves at once in a direction.
func NewTable(d telemetry.Direction) telemetry.Rate {
	if d == telemetry.Read {
		return NewTableRead
	}
	return NewTableWrite
}

// WriteUnits is what writing an item of so many bytes costs; doubled in a
// transaction. At least one unit.
func WriteUnits(bytes int) float64 { return units(bytes, WriteUnitBytes) }

// ReadUnits is what one strongly consistent read of an item, or of a page of
// items, of so many bytes costs; halved when eventually consistent, doubled in a
// transaction. At least one unit.
func ReadUnits(bytes int) float64 { return units(bytes, ReadUnitBytes) }

func units(bytes, size int) float64 {
	if bytes <= size {
		return 1
	}
	return float64((bytes + size - 1) / size)
}

// CountFor is the least number of partitions that carries the given rates and
// size: max(ceil(read/3,000 + write/1,000), ceil(bytes/10 GB)), the rule that
// AWS published for provisioned tables (kept in community tools). At least 1.
func CountFor(read, write telemetry.Rate, bytes int64) int {
	heat := ceil(float64(read/ReadCeiling + write/WriteCeiling))
	size := int((bytes + PartitionBytes - 1) / PartitionBytes)
	return max(1, heat, size)
}

// CountForWarm is the least number of partitions that serves the given rates at
// once: max(ceil(read/3,000), ceil(write/1,000)). AWS defines warm throughput as
// traffic that is supported instantly, not as a partition count (inference).
// At least 1.
func CountForWarm(read, write telemetry.Rate) int {
	return max(1, ceil(float64(read/ReadCeiling)), ceil(float64(write/WriteCeiling)))
}

func ceil(x float64) int {
	n := int(x)
	if float64(n) < x {
		n++
	}
	return n
}
