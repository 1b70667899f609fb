package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

// What the dashboard promises to send over a terminal, in bytes.
const (
	mostAStep     = 1500   // of a replay at 80x24, on average
	mostAWideStep = 4000   // at 200x60
	mostARepaint  = 16_000 // of the whole screen at 80x24
	mostAMinute   = 1500   // of a live table at 80x24
)

var contract = flag.Duration("contract", 0, "also measure the dashboard beside atop and btop for so `long` each, and print a table")

// wire is a program in a pseudo-terminal, and what it sends.
type wire struct {
	t      testing.TB
	cmd    *exec.Cmd
	screen *os.File
	chunks chan []byte // what was read, closed at the end
}

// onWire starts a program on a screen of 256 colours.
func onWire(t testing.TB, columns, rows uint16, name string, args ...string) *wire {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=", "TMUX=", "LC_ALL=C.UTF-8")
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		cancel()
		t.Skipf("no pseudo-terminal: %v", err)
	}
	w := &wire{t: t, cmd: cmd, screen: screen, chunks: make(chan []byte, 1024)}
	go func() {
		defer close(w.chunks)
		for chunk := make([]byte, 1<<16); ; {
			n, err := screen.Read(chunk)
			if err != nil {
				return
			}
			w.chunks <- bytes.Clone(chunk[:n])
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = screen.Close()
		for range w.chunks {
		}
		_ = cmd.Wait()
	})
	return w
}

// hintLine is in the last line of the dashboard's frames.
const hintLine = "1 heat"

// quiet is how long nothing is sent where a frame has ended. Within a frame the pauses are
// far shorter.
const quiet = 60 * time.Millisecond

// settle waits for a text to be sent, and until no more comes; it returns how many bytes
// were sent.
func (w *wire) settle(text string) int {
	w.t.Helper()
	var sent []byte
	for wait := time.Minute; ; {
		select {
		case chunk, ok := <-w.chunks:
			if !ok {
				w.t.Fatalf("the program ended without sending %q", text)
			}
			if sent = append(sent, chunk...); bytes.Contains(sent, []byte(text)) {
				wait = quiet
			}
		case <-time.After(wait):
			if wait != quiet {
				w.t.Fatalf("%q was not sent in a minute", text)
			}
			return len(sent)
		}
	}
}

// listen counts what is sent in a time.
func (w *wire) listen(d time.Duration) int {
	sent := 0
	for end := time.After(d); ; {
		select {
		case chunk := <-w.chunks:
			sent += len(chunk)
		case <-end:
			return sent
		}
	}
}

func (w *wire) press(key string) {
	w.t.Helper()
	if _, err := io.WriteString(w.screen, key); err != nil {
		w.t.Fatal(err)
	}
}

// reaction is how long a key takes to its first byte, and what it makes the program send.
// Keys come at no fixed distance, or they would meet the program's own clock always at the
// same point.
func (w *wire) reaction(key string) (first time.Duration, sent int) {
	w.t.Helper()
	sent = w.listen(rand.N(20 * time.Millisecond))
	began := time.Now()
	w.press(key)
	chunk, ok := <-w.chunks
	if !ok {
		w.t.Fatal("the program ended")
	}
	first = time.Since(began)
	return first, sent + len(chunk) + w.listen(quiet)
}

// repaint is what a changed size makes the program send.
func (w *wire) repaint(columns, rows uint16) int {
	w.t.Helper()
	if err := pty.Setsize(w.screen, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		w.t.Fatal(err)
	}
	return w.settle("")
}

// busy is how much of a core a process used so far; it reads Linux's /proc.
func (w *wire) busy() (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	// The name in brackets may hold spaces; user and system time are the 12th and 13th
	// after it, in hundredths of a second.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, true
}

// steps is what so many steps of a paused replay send each, on average.
func (w *wire) steps(n int) int {
	w.t.Helper()
	w.settle(hintLine)
	sent := 0
	for range n {
		_, more := w.reaction("t")
		sent += more
	}
	return sent / n
}

func TestTheTerminalIsSentLittle(t *testing.T) {
	w := onWire(t, 80, 24, "hotpart", "replay", "hot-key-tenant", "--paused")
	if n := w.steps(6); n > mostAStep {
		t.Errorf("a step sends %d bytes on average, want at most %d", n, mostAStep)
	}
	if n := w.repaint(80, 25) + w.repaint(80, 24); n > 2*mostARepaint {
		t.Errorf("two repaints send %d bytes, want at most %d each", n, mostARepaint)
	}
	if n := w.listen(quiet); n != 0 {
		t.Errorf("paused it sends %d bytes, want none", n)
	}
	if wide := onWire(t, 200, 60, "hotpart", "replay", "hot-key-tenant", "--paused").steps(6); wide > mostAWideStep {
		t.Errorf("a step at 200x60 sends %d bytes on average, want at most %d", wide, mostAWideStep)
	}
}

// row is a measure of the dashboard and of what stands beside it; "" is not measured.
type row struct{ measure, promised, hotpart, atop, btop string }

// TestTerminalContract prints what the dashboard sends, and how fast, beside other
// dashboards. Times are printed and not judged: the machine may be busy with other things.
func TestTerminalContract(t *testing.T) {
	if *contract == 0 {
		t.Skip("it takes minutes: -contract 2m runs it")
	}
	replayed := onWire(t, 80, 24, "hotpart", "replay", "hot-key-tenant", "--paused")
	step, first := replayed.steps(60), replayed.median("2", "1")
	replayed.press("Z")
	replayed.settle("")
	wide := onWire(t, 200, 60, "hotpart", "replay", "hot-key-tenant", "--paused").steps(60)
	repaint := max(replayed.repaint(80, 25), replayed.repaint(80, 24))
	idle, idleCore := replayed.minute(*contract)

	b := whole(t, "hot-key-tenant")
	onAWS(t, awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Truncate(time.Minute).Add(-40 * time.Minute)}), b.Tables[0].ID.Region)
	watched := onWire(t, 80, 24, "hotpart", "watch", b.Tables[0].ID.Table)
	watched.settle(hintLine)
	live, liveCore := watched.minute(*contract)

	rows := []row{
		{measure: "paused, bytes a minute", promised: "0", hotpart: fmt.Sprint(idle)},
		{measure: "live, bytes a minute", promised: fmt.Sprint(mostAMinute), hotpart: fmt.Sprint(live)},
		{measure: "a replay step, bytes on average", promised: fmt.Sprint(mostAStep), hotpart: fmt.Sprint(step)},
		{measure: "the same at 200x60", promised: fmt.Sprint(mostAWideStep), hotpart: fmt.Sprint(wide)},
		{measure: "the whole screen, bytes", promised: fmt.Sprint(mostARepaint), hotpart: fmt.Sprint(repaint)},
		{measure: "a key to its first byte, median", promised: "15.0 ms", hotpart: milliseconds(first)},
		{measure: "paused, of a core", promised: "2.0 %", hotpart: percent(idleCore)},
		{measure: "live, of a core", hotpart: percent(liveCore)},
	}
	for i, other := range []struct{ name, key, back string }{{"atop", "m", "g"}, {"btop", "\x1b[C", "\x1b[D"}} {
		if _, err := exec.LookPath(other.name); err != nil {
			t.Logf("%s is not installed", other.name)
			continue
		}
		w := onWire(t, 80, 24, other.name)
		w.settle("")
		at := w.median(other.key, other.back)
		whole := max(w.repaint(80, 25), w.repaint(80, 24))
		bytes, core := w.minute(*contract)
		for measure, text := range map[int]string{1: fmt.Sprint(bytes), 4: fmt.Sprint(whole), 5: milliseconds(at), 7: percent(core)} {
			*[]*string{&rows[measure].atop, &rows[measure].btop}[i] = text
		}
	}
	t.Logf("80x24, 256 colours\n%s", tableOf(rows))
	if idle != 0 || live > mostAMinute || step > mostAStep || wide > mostAWideStep || repaint > mostARepaint {
		t.Error("it sends more than promised")
	}
}

// minute is what is sent in a minute on average, and how much of a core is used; -1 where
// that can't be told.
func (w *wire) minute(d time.Duration) (sent int, core float64) {
	before, _ := w.busy()
	sent = w.listen(d)
	after, ok := w.busy()
	if core = float64(after-before) / float64(d); !ok {
		core = -1
	}
	return int(float64(sent) * float64(time.Minute) / float64(d)), core
}

// median is how long two keys, pressed in turn, take to their first bytes.
func (w *wire) median(key, back string) time.Duration {
	w.t.Helper()
	var all []time.Duration
	for range 30 {
		for _, k := range []string{key, back} {
			first, _ := w.reaction(k)
			all = append(all, first)
		}
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

func percent(share float64) string {
	if share < 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// tableOf is a table in Markdown.
func tableOf(rows []row) string {
	var b strings.Builder
	b.WriteString("| | promised | hotpart | atop | btop |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.measure, r.promised, r.hotpart, r.atop, r.btop)
	}
	return b.String()
}
