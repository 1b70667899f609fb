// Package report writes a diagnosis down: as text for a ticket or a terminal, as
// JSON for scripts (the schema hotpart.report/v1), as Markdown, and as one HTML
// page with a heatmap.
//
// Every report begins with the verdict and then gives what supports it: the numbers
// with their ranges, evidence for and against, what to do with commands to paste,
// what would not help, what the data lack. Modelled numbers are marked as modelled,
// and what isn't known is said to be unknown (null in JSON), never zero.
//
// Text, Markdown and HTML share one page, built once with all names, keys and texts
// from outside cleaned by telemetry.Clean. JSON holds strings as they came. With
// Options.Mask the keys are numbered instead, in every format.
//
// The package concludes nothing, does no I/O beyond the writer it is given and reads
// no clock: the same diagnosis gives the same bytes. It also explains the field's
// terms (Explain) and writes runbooks down.
package report
