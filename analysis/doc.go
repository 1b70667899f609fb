// Package analysis concludes what AWS's numbers mean: it turns telemetry into a
// Diagnosis, which says what is throttled, why, how sure that is, and what to do.
//
// The steps are, in order: window (dense minutes for each table and index),
// reconstruct (the load of each partition, with its range and provenance),
// classify (runs of trouble, their limit and cause, the evidence for and against)
// and recommend (numbers and commands). An Analyzer takes batches; a Diagnosis it
// returns is never written again, so a screen may keep as many as it likes.
//
// Measured and modelled are kept apart. DynamoDB shows totals a minute, refusals
// and the top keys; it never shows a partition. Every Row is a model and carries
// a range; every Minute and key point is a measurement.
//
// The package is pure: no I/O, no clock, no goroutines, no randomness. The same
// batches give the same diagnosis. It works with telemetry (its input), partition
// (the physics) and is read by report and tui.
package analysis
