// Package tui is the dashboard: one screen that says first in words what is wrong,
// then shows where, since when and what to do.
//
// Run shows a Feed, each of whose diagnoses is one poll, or replays a Past, which tells
// what was known at a time. The screen pulls: at most one request to each is in flight, so
// nothing queues up and a fast replay can't outrun the drawing. Replay time comes from the
// wall clock, never from counted ticks. Frame draws one screen as text, with no terminal.
//
// One model routes messages; the panes (heat, keys, events, advice, evidence, runbook,
// tables) are functions in files of their own that return lines. Sizes come from one
// arrange; a frame is exactly the terminal's size. Keys are matched once, in keymap.go,
// and help and the README's table come from the same list. All colours come from
// newStyles; heat also shows as glyphs, so no colour is needed to read it.
//
// Everything from outside passes telemetry.Clean on its way to the screen. The package
// works with analysis and telemetry; it knows nothing of AWS, files or recordings, and
// it is the only one that imports Bubble Tea, Lip Gloss and Bubbles.
package tui
