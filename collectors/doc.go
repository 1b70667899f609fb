// Package collectors asks AWS about tables and makes batches of the answers. It
// is the only importer of AWS's SDK, and it only reads: every call that it can
// make begins with Get, Describe, List or Lookup (see clients.go).
//
// Open checks the credentials. Fetch asks for one window, in at most three
// rounds of concurrent calls: what the tables are; what was measured and how the
// keys are watched; which keys were ranked. Next asks again and again: first for
// the past, then shortly after each minute for the last minutes, which AWS still
// fills in. Where no table is named, all are swept for refusals, and those that
// refuse are asked for in full.
//
// A call that is denied or fails costs a warning in the batch, which says what
// isn't known for it and what to type, and nothing else. The series that such a
// call should have answered are present, without points and with the status that
// says so: what is unknown is never zero.
//
// Units are CloudWatch's own: a series' points are totals or means over their
// period, oldest first. Nothing is concluded here; that is package analysis.
package collectors
