// Package partition is the physics of an Amazon DynamoDB partition: what one
// partition, one table and one account may serve, and a simulation of it second
// by second. It knows no metric and no finding: it works on loads and tokens,
// not on what CloudWatch says of them.
//
// limits.go holds the constants of nature, each with its source. bucket.go is
// the token bucket that all limits are made of. A Resource is a table or a
// global secondary index: a table-wide Allowance (provisioned with its burst,
// an on-demand maximum, the account's quota) over a Space of partitions, each
// an interval of hashed keys (and, inside a divided item collection, of sort
// keys) with a bucket for reads and one for writes. Resource.Step serves one
// second of Demand and tells what was served and what each limit refused.
// Hot partitions split for heat; they never merge.
//
// Rates are capacity units a second, positions in the key space and in an item
// collection lie in [0, 1). Everything is deterministic: the package reads no
// clock, does no I/O and draws no random numbers of its own.
//
// AWS publishes limits and experiments, not the algorithm. Where the two leave
// room, the comment says "assumption". The tests replay AWS's experiments.
package partition
