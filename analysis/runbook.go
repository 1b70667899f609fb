package analysis

import (
	"slices"
	"time"
)

// Step is one step of a runbook. Text and Commands are raw and cleaned where they are
// shown.
type Step struct {
	Phase Phase
	Text  string
	// Commands are to be read first and pasted; none of them is ever run.
	Commands []string
	// Sharding tells in full what a step to shard means; nil for other steps.
	Sharding *Sharding
	State    StepState
}

// Phase is what a step is for.
type Phase string

// The phases, in order.
const (
	CheckPhase    Phase = "check"
	DecidePhase   Phase = "decide"
	ActPhase      Phase = "act"
	VerifyPhase   Phase = "verify"
	HandOverPhase Phase = "hand over"
)

// StepState is whether the data show a step as done.
type StepState uint8

// UnknownStep is the zero value: only a person can tell. OpenStep is not done yet by
// the data, DoneStep is.
const (
	UnknownStep StepState = iota
	OpenStep
	DoneStep
)

// Choice is what somebody who walks through a runbook chose for one of its steps.
type Choice struct {
	// At is when, by the wall clock; Shown the moment of the incident that was looked at.
	At, Shown time.Time
	Step      Step
	Pick      Pick
}

// Pick is what can be chosen for a step.
type Pick string

// The picks; Reopened takes back the one before.
const (
	Done     Pick = "done"
	Skipped  Pick = "skipped"
	Reopened Pick = "open again"
)

// plan is what a cause asks for; checks and verification that fit every cause are
// added.
type plan struct{ check, decide, act []string }

// Runbook is the walkthrough for a cause, unbound: TABLE, INDEX, KEY and REGION stand
// for names. nil for a cause that isn't one.
func Runbook(c Cause) []Step {
	p, ok := plans[c]
	if !ok {
		return nil
	}
	where := "--region REGION --table-name TABLE"
	steps := []Step{
		{Phase: CheckPhase, Text: "make sure of the account, the Region and the table", Commands: []string{"aws sts get-caller-identity", "aws dynamodb describe-table " + where}},
		{Phase: CheckPhase, Text: "see which limit refuses, on the table or an index, reads or writes", Commands: []string{"hotpart diagnose TABLE --last 1h"}},
	}
	add := func(phase Phase, texts ...string) {
		for _, text := range texts {
			steps = append(steps, Step{Phase: phase, Text: text})
		}
	}
	add(CheckPhase, p.check...)
	if slices.Contains([]Cause{HotKey, HotPartition, LargeItem, Undetermined}, c) {
		steps = append(steps, Step{
			Phase: CheckPhase, Text: "see whether keys are ranked; if not, turn Contributor Insights on",
			Commands: []string{"aws dynamodb describe-contributor-insights " + where},
		})
	}
	add(DecidePhase, p.decide...)
	add(ActPhase, p.act...)
	steps = append(steps, Step{Phase: VerifyPhase, Text: "watch refusals fall to none for ten minutes while the load stays", Commands: []string{"hotpart watch TABLE"}})
	add(HandOverPhase, handOver...)
	return steps
}

// handOver closes every runbook.
var handOver = []string{
	"write down what was changed, by whom, when, and how to take it back",
	"attach the report (--format markdown, with --mask where keys are private) and keep the recording",
}

// plans hold what differs from cause to cause.
var plans = map[Cause]plan{
	HotKey: {
		check: []string{"name the key, and see whether it is one item or a collection, read or written"},
		decide: []string{
			"a split can cure a collection without a local secondary index and without an ever-growing sort key: wait for it up to 20 minutes",
			"an item read over and over wants a cache; a key written over and over wants shards",
		},
		act: []string{
			"slow down or stop the caller that is behind KEY, if it is one that may wait",
			"cache reads of KEY, or read it with eventual consistency",
			"shard KEY, readers first, then writers: hotpart explain sharding prints the code",
		},
	},
	HotPartition: {
		check: []string{"see whether several keys are refused in the same minutes, or the refused keys change in order, or the load has just doubled"},
		decide: []string{
			"neighbours on one partition: wait for a split, up to 20 minutes",
			"too few partitions for the load: pre-warm",
			"a load that rolls over the keys: shuffle it",
		},
		act: []string{
			"pre-warm TABLE to the rate that is wanted, with headroom",
			"pace or shuffle the bulk job behind it, if there is one",
		},
	},
	TableCapacity: {
		check: []string{
			"compare consumed with provisioned capacity, or with the on-demand maximum, minute by minute",
			"see what changed before it began: a scale-in, a deployment, a scan, an export",
		},
		decide: []string{
			"a job that may wait: pace it; users' traffic: raise capacity",
			"peaks that can't be foreseen: on-demand; daily peaks: a schedule",
		},
		act: []string{
			"raise the capacity or the maximum to what is wanted, with headroom",
			"set auto scaling's minimum, maximum and target to fit the next peak",
		},
	},
	GSIPressure: {
		check: []string{
			"name the index that refuses, and see whether the table's writes are refused because of it",
			"see whether one key of the index is hot: a status, a date, a tenant",
		},
		decide: []string{
			"the index is out of capacity: raise the index, not the table",
			"one of its keys is hot: more capacity won't help; shard the index's key or leave such items out of it",
		},
		act: []string{
			"raise the capacity of INDEX to what the table writes into it",
			"build a new index with a sharded key or fewer attributes, move readers, delete INDEX",
		},
	},
	LargeItem: {
		check: []string{"see what the largest request cost, and whether it was an item, a query or a transaction"},
		decide: []string{
			"a page of a query or scan: read smaller pages; an item: make it smaller",
			"an item that grows without bound needs another model, not a smaller form",
		},
		act: []string{
			"compress or drop attributes, or split what changes often from what doesn't",
			"keep the bulk in S3 and a pointer in the item",
		},
	},
	AccountQuota: {
		check:  []string{"compare consumption with the per-table quota, indexes by themselves"},
		decide: []string{"a bulk job that may wait: pace it; users' traffic: ask for more, which takes a day or two"},
		act: []string{
			"pace bulk work below the quota",
			"request the higher quota: L-CF0CBE56 for reads, L-AB614373 for writes",
		},
	},
	Undetermined: {
		check:  []string{"see what the report lists as not known"},
		decide: []string{"relieve by slower retries until the data tell; change no capacity on a guess"},
		act: []string{
			"turn Contributor Insights on in mode ACCESSED_AND_THROTTLED_KEYS and look again within minutes",
		},
	},
}
