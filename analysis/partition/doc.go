// Package partition is the physics of an Amazon DynamoDB partition: what one
// partition, one table and one account may serve, and a simulation of it second
// by second. It knows no metric and no finding: it works on loads and tokens,
// not on what CloudWatch says of them.
//
// limits.go holds the constants of nature, each with its source. A Resource is a
// table or a global secondary index: table-wide Allowances (provisioned with its
// burst, an on-demand maximum, the account's quota) over partitions, each an
// interval of hashed keys (and, inside a divided item collection, of sort keys)
// with a token bucket for reads and one for writes. Each second, Offer says what
// every Load asks for, Admit shares out what the buckets hold, Commit takes it.
// Hot partitions split for heat; they never merge. A Feed is the buffer between
// a table's writes and an index, which refuses them once it is full.
//
// Rates are capacity units a second, positions in the key space and in an item
// collection lie in [0, 1). Everything is deterministic: the package reads no
// clock, does no I/O and draws no random numbers of its own.
//
// AWS publishes limits and experiments, not the algorithm. Where the two leave
// room, the comment says "assumption". The tests replay AWS's experiments.
package partition
