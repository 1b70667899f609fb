// Package telemetry is the vocabulary that everything else shares: what AWS
// said about a table, in AWS's own terms, before anyone draws a conclusion.
//
// A Batch is what one poll, or one minute of a recording, told us: metric
// series, key rankings, and descriptions of tables, indexes, limits, stream
// shards and scaling. Producers (collectors, collectors/capture, replay,
// replay/scenario) fill batches; analysis reads them. Batches add up: a later
// point for the same series and time replaces the earlier one, a later
// description replaces the earlier one.
//
// Times are UTC. A point's time is the start of its period. Series and
// contributor points are oldest first without duplicates. Capacity is in read
// or write capacity units: Units is a total over a period, Rate is units a
// second, and Per and Over are the only conversions between the two.
//
// Three things are kept apart: a value that is zero, a value that is unknown,
// and a value that is too new to have been published (pending). See State and
// Metric.AbsentMeansZero.
//
// The package holds no verdicts and does no I/O. It imports only the standard
// library.
package telemetry
