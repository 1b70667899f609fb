// Package scenario makes synthetic incidents whose truth is known: a table, its
// indexes and what is asked of them, written in a small text language, are
// simulated second by second and reported the way AWS would have reported them.
//
// Parse reads a scenario (Language is its reference), Library holds the built-in
// ones, Random draws one from a wide family. Generate plays a scenario and
// returns an Incident: Batch is all that one would fetch afterwards, Polls what
// one would have seen live, Truth what really happened.
//
// What is reported is distorted as the real thing is: sums by the minute,
// five-minute capacity, the 25 highest keys of each rule over the report's
// window, throttle rules that miss what an index caused, disabled rules, metrics
// without causes, descriptions from after the incident, stray refusals, late and
// revised points. The truth is read off the simulation, never off the text: a
// load too small to be refused leaves no event.
//
// Heavy keys are simulated one by one. The many light ones are spread evenly
// over the partitions and appear in rankings by the laws of chance. The package
// knows the partition's physics and nothing of the analysis that is measured
// with it. The same scenario and seed give the same incident.
package scenario
