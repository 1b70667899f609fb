// Command hotpart shows which partition, key or limit of Amazon DynamoDB
// throttles, why, and what to do about it: as a dashboard over a recorded
// incident, and as reports.
//
// The package joins the other rooms and holds no knowledge of its own: sources
// (a capture directory, a recording, a built-in incident) give batches, package
// analysis concludes, packages tui and report show. One file holds one command.
//
// run is the whole program with its streams and environment as parameters, so
// that tests run it in-process. What every command keeps to: stdout carries the
// result alone, progress and warnings go to stderr; an error is one line and at
// most two hints; the exit status is 0 when done, 1 when failed, 2 for wrong
// usage, 3 when --fail-on-event found events, and 130 when interrupted.
package main
