package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal is a real terminal: a tmux session that is watched in control mode, where tmux
// tells of each change of the screen, so that nothing here waits by the clock.
type terminal struct {
	t        *testing.T
	commands io.Writer
	lines    chan string // closed when tmux ends
}

// newTerminal runs a shell script in a terminal of 120 columns and 40 rows.
func newTerminal(t *testing.T, script string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing here drives a real terminal")
	}
	// A socket's path may be 108 bytes long, which the test's own directory can exceed.
	dir, err := os.MkdirTemp("", "hotpart")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket, file := filepath.Join(dir, "tmux"), filepath.Join(dir, "script")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	tmux := exec.CommandContext(ctx, "tmux", "-S", socket, "-f", "/dev/null", "-C", "new-session", "-x", "120", "-y", "40", "sh "+file)
	tmux.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	commands, err := tmux.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := tmux.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := tmux.Start(); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, commands: commands, lines: make(chan string)}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", socket, "kill-server").Run()
		cancel()
		for range term.lines { // until tmux has closed its end
		}
		_ = tmux.Wait()
	})
	go func() {
		defer close(term.lines)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			term.lines <- lines.Text()
		}
	}()
	term.command("refresh-client -C 120x40")
	return term
}

// next is tmux's next line; the test fails when there is none.
func (term *terminal) next() string {
	term.t.Helper()
	line, ok := <-term.lines
	if !ok {
		term.t.Fatal("tmux ended")
	}
	return line
}

// command runs a tmux command and returns what it printed.
func (term *terminal) command(command string) string {
	term.t.Helper()
	if _, err := fmt.Fprintf(term.commands, "display-message -p begin\n%s\n", command); err != nil {
		term.t.Fatal(err)
	}
	for term.next() != "begin" {
	}
	for !strings.HasPrefix(term.next(), "%begin ") {
	}
	var printed strings.Builder
	for {
		line := term.next()
		switch {
		case strings.HasPrefix(line, "%end "):
			return printed.String()
		case strings.HasPrefix(line, "%error "):
			term.t.Fatalf("tmux %s: %s", command, &printed)
		}
		printed.WriteString(line + "\n")
	}
}

// shows waits until the screen has a text, and returns the screen.
func (term *terminal) shows(text string) string {
	term.t.Helper()
	for {
		if screen := term.command("capture-pane -p"); strings.Contains(screen, text) {
			return screen
		}
		for !strings.HasPrefix(term.next(), "%output ") {
		}
	}
}

func TestReplayRunsInATerminalAndLeavesItAsItWas(t *testing.T) {
	term := newTerminal(t, `before=$(stty -g)
hotpart replay hot-key-tenant --paused
echo "status=$?"
test "$before" = "$(stty -g)" && echo same settings
read wait
`)
	screen := term.shows("hotpart ·")
	if strings.Contains(screen, "HOT KEY") {
		t.Errorf("the first minute shows what happens later:\n%s", screen)
	}
	term.command("send-keys Z")
	term.shows("HOT KEY")
	term.command("send-keys q")
	screen = term.shows("same settings")
	if !strings.Contains(screen, "status=0\n") || strings.Contains(screen, "HOT KEY") {
		t.Errorf("after q the terminal shows:\n%s", screen)
	}
	// alternate_on: the alternate screen; cursor_flag: the cursor is seen.
	if got := term.command("display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag}'"); got != "0 1 0\n" {
		t.Errorf("alternate screen, cursor and mouse are %q, want 0 1 0", got)
	}
}

// inTerminal starts the program in a pseudo-terminal of 120 columns and 40 rows.
func inTerminal(t testing.TB, env string, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "hotpart", args...)
	cmd.Env = append(os.Environ(), env)
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	return cmd, screen
}

func TestReplayRefusesADumbTerminal(t *testing.T) {
	cmd, screen := inTerminal(t, "TERM=dumb", "replay", "hot-key-tenant")
	// Reading a terminal whose program is gone is an error on Linux.
	said, _ := io.ReadAll(screen)
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != statusUsage {
		t.Errorf("ended with %v, want status %d", err, statusUsage)
	}
	if want := "the terminal is dumb (TERM=dumb)\r\nhint: hotpart diagnose --from hot-key-tenant"; !bytes.Contains(said, []byte(want)) {
		t.Errorf("said %q, want %q", said, want)
	}
	if bytes.Contains(said, []byte{0x1b}) {
		t.Errorf("sent escapes to a dumb terminal: %q", said)
	}
}

func TestReplayOffersTheBuiltInIncidents(t *testing.T) {
	cmd, screen := inTerminal(t, "TERM=xterm-256color", "replay")
	for _, step := range []struct{ shown, typed string }{
		{"Which one? [1, q to quit]", "99\r"},
		{"A number from 1 to ", "q"},
	} {
		if err := readUntil(screen, step.shown); err != nil {
			t.Fatalf("%q isn't shown: %v", step.shown, err)
		}
		if _, err := io.WriteString(screen, step.typed); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = io.Copy(io.Discard, screen) // until the program is gone
	if err := cmd.Wait(); err != nil {
		t.Errorf("q ended with %v", err)
	}
}

// BenchmarkFirstFrame measures the time from the start of the program to the last line
// of the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		cmd, screen := inTerminal(b, "TERM=xterm-256color", "replay", "hot-key-tenant", "--paused")
		if err := readUntil(screen, hintLine); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if _, err := io.WriteString(screen, "\x03"); err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, screen)
		_ = cmd.Wait()
		b.StartTimer()
	}
}

// readUntil reads to a text, or to an error.
func readUntil(r io.Reader, text string) error {
	var said []byte
	for chunk := make([]byte, 4096); ; {
		n, err := r.Read(chunk)
		if said = append(said, chunk[:n]...); bytes.Contains(said, []byte(text)) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the terminal up to %q: %w", text, err)
		}
	}
}
