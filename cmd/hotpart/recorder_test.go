package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay"
)

// told reads a recording as far as it goes: how many minutes, and the newest's end.
func told(t *testing.T, recording io.Reader) (n int, end time.Time) {
	t.Helper()
	r, err := replay.NewReader(recording)
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return n, end
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Window.End.After(end) {
			n, end = n+1, b.Window.End
		}
	}
}

// damaged is what a recording's reader finds damaged.
func damaged(t *testing.T, recording []byte) []error {
	t.Helper()
	r, err := replay.NewReader(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := r.Next(t.Context()); errors.Is(err, io.EOF) {
			return r.Damage()
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// polls are an incident as polls of a minute each.
func polls(t *testing.T) []telemetry.Batch {
	t.Helper()
	var out []telemetry.Batch
	for b := range telemetry.Minutes(whole(t, "hot-key-tenant")) {
		out = append(out, b)
	}
	return out
}

// childEnv tells a copy of this test's program to be the program under test instead.
const childEnv = "HOTPART_TEST_CHILD"

// TestChild is no test but what others start and kill: a recorder that says on stdout
// how many polls are in the file, or the program itself.
func TestChild(t *testing.T) {
	switch what, path, _ := strings.Cut(os.Getenv(childEnv), " "); what {
	case "recorder":
		r, err := newRecorder(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range polls(t) {
			if err := r.record(b); err != nil {
				t.Fatal(err)
			}
			_, _ = os.Stdout.WriteString(strconv.Itoa(i+1) + "\n")
		}
		_ = r.close()
	case "hotpart":
		os.Args = append([]string{"hotpart"}, strings.Fields(path)...)
		main()
	default:
		t.Skip("started by other tests alone")
	}
}

func child(t *testing.T, what string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childEnv+"="+what)
	return cmd
}

func TestAKilledRecorderLosesAtMostThePollUnderWay(t *testing.T) {
	all := polls(t)
	for try := range 4 {
		path := filepath.Join(t.TempDir(), "killed.hotpart")
		cmd := child(t, "recorder "+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := 1 + rand.IntN(len(all)-1)
		written := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				break // the test's own closing lines
			}
			if written = n; n == after {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := told(t, file)
		_ = file.Close()
		if n < written || n > written+1 && written < len(all) {
			t.Errorf("try %d: killed after poll %d, %d are readable", try, written, n)
		}
	}
}

func TestARecordingIsEndedWholeByAHangUp(t *testing.T) {
	_, table := liveServer(t)
	path := filepath.Join(t.TempDir(), "hung-up.hotpart")
	cmd := child(t, "hotpart record "+table+" -o "+path)
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		if strings.Contains(lines.Text(), "recording to") {
			_ = cmd.Process.Signal(syscall.SIGHUP)
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != statusInterrupted {
		t.Errorf("ended with %v", err)
	}
	if status, out, errs := hotpart(t, "verify", path); status != statusDone || !strings.Contains(out, "whole") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// disk is a file on a disk with so much room.
type disk struct {
	bytes.Buffer
	room int
}

func (d *disk) Write(p []byte) (int, error) {
	fits := max(0, min(len(p), d.room-d.Len()))
	n, _ := d.Buffer.Write(p[:fits])
	if fits < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Truncate(size int64) error {
	d.Buffer.Truncate(int(size))
	return nil
}

func (d *disk) Seek(offset int64, _ int) (int64, error) { return offset, nil }
func (d *disk) Close() error                            { return nil }

// listed gives batches one by one.
type listed []telemetry.Batch

func (l *listed) Next(context.Context) (telemetry.Batch, error) {
	if len(*l) == 0 {
		return telemetry.Batch{}, io.EOF
	}
	b := (*l)[0]
	*l = (*l)[1:]
	return b, nil
}

func TestAFullDiskIsSaidTheScreenLivesOnAndSoDoesTheRecordingOnceThereIsRoom(t *testing.T) {
	all := polls(t)
	for _, full := range []int{0, 1, 3000, 4711, 6000} {
		file := &disk{room: full}
		rest := listed(all)
		r := &recorder{path: "tonight.hotpart", file: file}
		tape := &taped{source: &rest, recorder: r}
		failed, recorded := 0, 0
		for i := range all {
			if i == 30 {
				file.room = 1 << 20
			}
			b, err := tape.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, w := range b.Warnings {
				if w.Code == telemetry.Unrecorded {
					said = w.Text
				}
			}
			if said != "" {
				failed++
				if i >= 30 || !strings.Contains(said, `this is not being recorded: write "tonight.hotpart": `) || !strings.Contains(said, "no space left") {
					t.Errorf("%d bytes, poll %d: %q", full, i, said)
				}
			} else {
				recorded++
			}
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
		if damage := damaged(t, file.Bytes()); len(damage) > 0 {
			t.Errorf("%d bytes: %v", full, damage)
		}
		n, end := told(t, bytes.NewReader(file.Bytes()))
		if failed == 0 || n != recorded || !end.Equal(all[len(all)-1].Window.End) {
			t.Errorf("%d bytes: %d polls failed, %d of %d recorded ones are readable, up to %s", full, failed, n, recorded, end)
		}
	}
}

// ending gives batches and then interrupts, as Ctrl-C would.
type ending struct {
	listed
	interrupt context.CancelFunc
}

func (e *ending) Next(ctx context.Context) (telemetry.Batch, error) {
	if len(e.listed) == 0 {
		e.interrupt()
		return telemetry.Batch{}, ctx.Err()
	}
	return e.listed.Next(ctx)
}

func TestRecordGoesOnOverAFullDiskAndSaysSoOnce(t *testing.T) {
	all := polls(t)
	for _, test := range []struct {
		name       string
		room, more int // bytes at first, and from the last poll but nine on
		says       string
		ends       string
	}{
		{"room again", 6000, 1 << 20, "recording again", ""},
		{"full to the end", 6000, 6000, "going on", "no space left"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			file := &disk{room: test.room}
			r := &recorder{path: "tonight.hotpart", file: file}
			var errs bytes.Buffer
			rest := &ending{listed(all), interrupt}
			err := app{err: &errs}.keepRecording(ctx, roomLater{rest, file, test.more}, r, 0)
			if !errors.Is(err, context.Canceled) || test.ends != "" && !strings.Contains(err.Error(), test.ends) {
				t.Errorf("ended with %v", err)
			}
			said := errs.String()
			if strings.Count(said, "no space left") != 1 || !strings.Contains(said, test.says) {
				t.Errorf("said %q", said)
			}
			if n, _ := told(t, bytes.NewReader(file.Bytes())); n != r.polls || n == 0 {
				t.Errorf("%d of %d polls are readable", n, r.polls)
			}
		})
	}
}

// roomLater makes room on a disk for the last nine batches.
type roomLater struct {
	rest *ending
	file *disk
	room int
}

func (l roomLater) Next(ctx context.Context) (telemetry.Batch, error) {
	if len(l.rest.listed) == 9 {
		l.file.room = l.room
	}
	return l.rest.Next(ctx)
}
