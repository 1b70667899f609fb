package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/report"
	"github.com/hotpart/hotpart/tui"
)

// screenOptions say how the dashboard looks, live or replayed, and where it saves.
type screenOptions struct {
	mask, ascii, mouse, debugBytes bool
	saveDir                        string
	runbookDir                     string
}

func (o *screenOptions) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.mask, "mask", false, "show key-1, key-2 … for the values of keys")
	flags.BoolVar(&o.ascii, "ascii", false, "draw with ASCII only")
	flags.BoolVar(&o.mouse, "mouse", false, "take the mouse (the terminal's own copying then needs Shift)")
	flags.BoolVar(&o.debugBytes, "debug-bytes", false, "show how many bytes the last frame took, and all so far")
	flags.StringVar(&o.runbookDir, "runbook-dir", "", runbookDirUsage)
	flags.StringVar(&o.saveDir, "save-dir", ".", "`directory` for what the keys S and E save")
}

func (o screenOptions) check() error {
	if info, err := os.Stat(o.saveDir); err != nil || !info.IsDir() {
		return usage("--save-dir %q is no directory", o.saveDir)
	}
	return nil
}

// show runs the dashboard over a live feed, or without one over a past, and when it has ended tells at the prompt what was saved and
// copied.
func (a app) show(ctx context.Context, feed tui.Feed, o screenOptions, with tui.Options) error {
	d := &desk{dir: o.saveDir}
	with.Mask, with.ASCII, with.Mouse, with.DebugBytes, with.Now = o.mask, o.ascii, o.mouse, o.debugBytes, time.Now
	for _, names := range report.Glossary() {
		text, _ := report.Explain(names[0])
		with.Terms = append(with.Terms, tui.Term{Names: names, Text: text})
	}
	with.Save, with.Report, with.Walk, with.Copied = d.save, writeReport, writeWalk, d.copyOf
	var err error
	if with.Runbooks, err = loadRunbooks(o.runbookDir); err != nil {
		return err
	}
	err = tui.Run(ctx, feed, with)
	d.tell(a)
	return err
}

// writeReport writes what the dashboard shows as a report.
func writeReport(w io.Writer, d *analysis.Diagnosis, o tui.ReportOptions) error {
	if o.Page {
		return report.HTML(w, d, reportLike(o))
	}
	return report.Markdown(w, d, reportLike(o))
}

// writeWalk writes the log of a walk through a runbook.
func writeWalk(w io.Writer, d *analysis.Diagnosis, e *analysis.Event, steps []analysis.Step, log []analysis.Choice, o tui.ReportOptions) error {
	return report.Walk(w, d, e, steps, log, reportLike(o))
}

// reportLike shows a report as the dashboard is shown.
func reportLike(o tui.ReportOptions) report.Options {
	return report.Options{Mask: o.Names != nil, Names: o.Names, Location: o.Location}
}

// desk keeps what the dashboard hands over. Its methods are called beside the screen.
type desk struct {
	dir    string
	mu     sync.Mutex
	saved  []string
	copied string
}

// save makes the files of a stem for their owner alone, since they may hold key values.
// Where one exists the stem gets a number.
func (d *desk) save(stem string, files []tui.File) (string, error) {
	path := filepath.Join(d.dir, stem)
	const most = 1000
	for n := 2; ; n++ {
		err := makeFiles(path, files)
		switch {
		case err == nil:
			d.mu.Lock()
			defer d.mu.Unlock()
			for _, f := range files {
				d.saved = append(d.saved, path+f.Ending)
			}
			return path, nil
		case !errors.Is(err, fs.ErrExist) || n > most:
			return "", fmt.Errorf("%w\nhint: --save-dir DIR saves elsewhere", pathError("write in", d.dir, err))
		}
		path = filepath.Join(d.dir, fmt.Sprintf("%s-%d", stem, n))
	}
}

// makeFiles makes all of the files or none.
func makeFiles(path string, files []tui.File) (err error) {
	var made []string
	defer func() {
		if err != nil {
			for _, name := range made {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	for _, f := range files {
		file, err := os.OpenFile(path+f.Ending, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		made = append(made, path+f.Ending)
		_, err = io.WriteString(file, f.Content)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (d *desk) copyOf(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.copied = text
}

// tell names the files at the prompt, and repeats what was copied last: a terminal may
// ignore what is sent to its clipboard, and says nothing then.
func (d *desk) tell(a app) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range d.saved {
		a.warn("saved %s", name)
	}
	if d.copied != "" {
		a.warn("copied:")
		for line := range strings.SplitSeq(d.copied, "\n") {
			a.warn("%s", line)
		}
	}
}
