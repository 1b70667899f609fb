// Package logs reads what applications logged of DynamoDB's refusals: throttling
// exceptions of the AWS SDKs, with or without ThrottlingReasons, as one
// telemetry.Batch.
//
// A record is a line with a time and the lines without one that follow it (a stack
// trace, JSON over several lines). A record that tells of a refusal counts as one
// refused request, however often it repeats the error, and however many attempts
// the SDK made: more were refused than a log tells, and only of those clients whose
// log it is. So every series is partial: a minute without a record is unknown, not
// zero; and consumed units and keys are not known at all. The batch's warnings say
// so.
//
// What a record says of the limit, the table and the index is taken from its
// ThrottlingReasons, else from the error's text, and what it doesn't say stays
// unknown.
//
// Lines and records are read up to a bound and the rest is dropped, so that any
// file is read in bounded memory. The package does no I/O beyond the reader given
// and works with analysis/telemetry alone.
package logs
