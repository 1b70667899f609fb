// Package capture reads a capture directory: what the AWS CLI printed about one
// or more tables, one file a call, as telemetry.
//
// The kind of a file is the first word of its name (describe-table,
// get-metric-data, insight-report, ...). Which table or index it is about is told
// by its content, and by its name only where the content doesn't say. Decode
// turns the whole directory into one telemetry.Batch whose window is the
// incident's.
//
// Captures are made by people in a hurry: files are missing, cut, concatenated,
// written by several versions of the CLI, by SDK dumps and by text editors. What
// can be read is read; each thing that can't costs a warning that names file and
// line. Nothing is guessed into being: a series that wasn't answered is absent, a
// value that can't be read makes its series partial, and no content of a capture
// makes this package panic.
//
// The package knows no AWS SDK, no clock and no network, and draws no
// conclusions. It imports the standard library and analysis/telemetry.
package capture
