// Package replay is the recording: how batches are kept in a file and read back.
//
// A recording is JSON Lines in gzip. It is flushed after every batch, so that a
// killed recorder loses nothing, and a new gzip member begins every 30 minutes of
// recorded time, so that a damaged byte costs at most that much. zcat, zgrep and
// jq read it; docs/recording-format.md is the full specification.
//
// Each member stands alone. It begins with a header line, then come "define"
// lines, which give a number to something that is said again and again (a
// series' name, a table's description), and "batch" lines, which refer to those
// numbers. Joined recordings are a recording. A Reader takes plain JSON Lines
// too, ignores kinds of line it doesn't know, and reads every earlier version.
//
// Everything a telemetry.Batch holds comes back, in order. Only these are not
// told apart: nil and empty slices, and the time zones of equal instants. Points
// that aren't finite numbers are dropped, since CloudWatch publishes none.
//
// Limits keep a hostile file from using up memory or time; the specification
// lists them. A Reader gives up after 100 damaged places.
//
// The package does no I/O beyond the reader or writer given, reads no clock and
// starts no goroutine. It works with telemetry alone.
package replay
