package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Feed gives live diagnoses, one for each poll, and io.EOF after the last. Next waits
// until there is one.
type Feed interface {
	Next(ctx context.Context) (*analysis.Diagnosis, error)
}

// Past tells what was known at recorded times.
type Past interface {
	// At is what was known at a time, and until when nothing newer was: the moment of the
	// next step, zero after the last. Before the first step it is the first.
	At(ctx context.Context, t time.Time) (d *analysis.Diagnosis, until time.Time, err error)
}

// Options say how the dashboard begins.
type Options struct {
	// Live follows the newest diagnosis of the feed; else Past is replayed.
	Live bool
	// Past is what is replayed. Of a live dashboard it is what came before the feed's
	// first diagnosis, as it was told later; nil for nothing.
	Past Past
	// Open is the table or index, by name, and the direction that a live dashboard begins
	// with, instead of what the verdict is about; zero for none, "" for either direction.
	Open          telemetry.ResourceID
	OpenDirection telemetry.Direction
	// Speed is recorded seconds a second in replay; 60 where it isn't positive.
	Speed float64
	// At is the recorded time to begin at; zero is the start.
	At time.Time
	// Paused begins paused; Drill hides verdict and advice until they are asked for;
	// Mask shows key-1, key-2 and so on for key values; ASCII draws without block
	// characters; Mouse takes the mouse.
	Paused, Drill, Mask, ASCII, Mouse bool
	// DebugBytes shows how many bytes the terminal was sent.
	DebugBytes bool
	// Hindsight is the diagnosis of the whole recording, for the extent of the map and
	// the marks on the time line; nil where the end isn't known.
	Hindsight *analysis.Diagnosis
	// Terms are explained under help.
	Terms []Term
	// Note gives a few words for the title line, such as the cost an hour; nil for none.
	Note func() string
	// Every is how far apart a live feed's diagnoses are; nil for a minute.
	Every func() time.Duration
	// Look is told which table is open, the zero value for none, for a feed that asks for
	// all of one table only where it is looked at; nil where it asks alike for all.
	Look func(table telemetry.TableID)
	// Compare asks for the units that a table or index used at the same hours of earlier
	// days. The feed gives them with its next diagnosis, which it gives at once; they
	// reach an hour or more ahead. nil where nobody can be asked.
	Compare func(id telemetry.ResourceID)
	// Save makes a file for each ending of a stem, over no other file, and returns what
	// they are called, without the ending; nil where nothing can be saved.
	Save func(stem string, files []File) (path string, err error)
	// Report writes a diagnosis for others to read; nil where there are no reports.
	Report func(w io.Writer, d *analysis.Diagnosis, o ReportOptions) error
	// Walk writes the log of a walk through the runbook of an event: its steps as they
	// stand, and what was chosen, oldest first; nil where there are no logs.
	Walk func(w io.Writer, d *analysis.Diagnosis, e *analysis.Event, steps []analysis.Step, log []analysis.Choice, o ReportOptions) error
	// Runbooks are the team's own steps.
	Runbooks analysis.TeamRunbooks
	// Copied is told what was sent to the clipboard, reports aside, for terminals that
	// ignore it; nil tells nobody.
	Copied func(text string)
	// Now is the wall clock.
	Now func() time.Time
}

// File is what Save makes a file of.
type File struct {
	Ending  string // such as ".txt"
	Content string
}

// ReportOptions say how Report writes.
type ReportOptions struct {
	// Page asks for one HTML page that loads nothing; else the report is Markdown.
	Page bool
	// Names are what the screen calls the keys it masks; nil shows keys.
	Names *analysis.Mask
	// Location is the zone that times are shown in.
	Location *time.Location
}

// ErrInterrupted is returned when Ctrl-C or a signal ended the dashboard.
var ErrInterrupted = errors.New("interrupted")

// framesASecond bounds how often the screen is drawn: a key waits half of a frame's time on
// average to be seen. Where nothing has changed nothing is drawn.
const framesASecond = 120

// Run shows the feed, nil in a replay, until the user quits or ctx ends. The first frame is
// drawn without waiting for the terminal to answer anything. No request to the feed or the
// past is in flight when it returns. It returns ErrInterrupted after Ctrl-C and where ctx
// ended.
func Run(outer context.Context, feed Feed, o Options) error {
	ctx, cancel := context.WithCancel(outer)
	m := newModel(ctx, feed, o)
	defer m.feedGate.wait()
	defer m.pastGate.wait()
	defer cancel()
	with := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesASecond)}
	if o.DebugBytes {
		m.meter = &meter{File: os.Stdout}
		with = append(with, tea.WithOutput(m.meter))
	}
	m.fresh = true
	last, err := tea.NewProgram(m, with...).Run()
	switch {
	case outer.Err() != nil, errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return fmt.Errorf("run the dashboard: %w", err)
	}
	if m, ok := last.(*model); ok && m.interrupted {
		return ErrInterrupted
	}
	return nil
}
