package main

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// While no call is answered, Ctrl-C ends the program: promised within 200 ms, measured
// and printed, and failing only where it is far beyond, for tests share their machine.
func TestCtrlCEndsAnOpenScreenWhileCallsHang(t *testing.T) {
	server, table := liveServer(t)
	cmd, screen := inTerminal(t, "TERM=xterm-256color", "watch", table, "--since", "40m")
	if err := readUntil(screen, "HOT KEY"); err != nil {
		t.Fatal(err)
	}
	for _, p := range collectors.Permissions() {
		_, action, _ := strings.Cut(p.Action, ":")
		server.Fail(action, awsserver.Fault{Kind: awsserver.Hang})
	}
	answered := server.Count("GetMetricData")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = io.Copy(io.Discard, screen)
	}()
	if _, err := io.WriteString(screen, "w"); err != nil { // earlier days are asked for at once
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); server.Count("GetMetricData") == answered; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was asked that could hang")
		}
	}
	pressed := time.Now()
	if _, err := io.WriteString(screen, "\x03"); err != nil {
		t.Fatal(err)
	}
	<-gone // with the program
	_ = cmd.Wait()
	took := time.Since(pressed)
	t.Logf("ended %s after Ctrl-C, with status %d", took.Round(time.Millisecond), cmd.ProcessState.ExitCode())
	if took > 2*time.Second || cmd.ProcessState.ExitCode() != statusInterrupted {
		t.Errorf("ended %s after Ctrl-C, with status %d", took, cmd.ProcessState.ExitCode())
	}
}

// A dropped SSH session hangs up; a service manager terminates.
func TestSignalsEndTheScreenLikeCtrlC(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, os.Interrupt} {
		t.Run(s.String(), func(t *testing.T) {
			cmd, screen := inTerminal(t, "TERM=xterm-256color", "replay", "hot-key-tenant")
			if err := readUntil(screen, "? help"); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			last, _ := io.ReadAll(screen)
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != statusInterrupted {
				t.Errorf("ended with status %d", code)
			}
			if leave := "\x1b[?1049l"; !strings.Contains(string(last), leave) {
				t.Errorf("the terminal isn't given back: %q", last)
			}
		})
	}
}
