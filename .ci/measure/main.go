//go:build unix

// Command measure runs commands in turn, several times over, and prints a row of a
// Markdown table for each: medians of the time that passed and of processor time,
// and the most memory that any of its runs held.
//
// usage: measure RUNS < LIST
//
// LIST has a line for each command: its name, a tab, and what /bin/sh is to run.
// Running them in turn spreads over all of them what else the machine does.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type command struct {
	name, line   string
	passed, used []time.Duration
	memory       int64 // bytes
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: measure RUNS < LIST")
	}
	runs, err := strconv.Atoi(os.Args[1])
	if err != nil || runs < 1 {
		return fmt.Errorf("%q is no number of runs", os.Args[1])
	}
	var commands []*command
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		name, line, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return fmt.Errorf("%q has no tab", lines.Text())
		}
		commands = append(commands, &command{name: name, line: line})
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for range runs {
		for _, c := range commands {
			if err := c.run(); err != nil {
				return fmt.Errorf("%s: %w", c.line, err)
			}
		}
	}
	for _, c := range commands {
		fmt.Printf("| %s | %.2f | %.2f | %.0f |\n", c.name, median(c.passed), median(c.used), float64(c.memory)/1e6)
	}
	return nil
}

// run runs the command once. What it prints is left out.
func (c *command) run() error {
	cmd := exec.Command("/bin/sh", "-c", "exec "+c.line)
	cmd.Stderr = os.Stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	c.passed = append(c.passed, time.Since(began))
	c.used = append(c.used, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		size := usage.Maxrss // bytes on macOS, else kibibytes
		if runtime.GOOS != "darwin" {
			size *= 1024
		}
		c.memory = max(c.memory, int64(size))
	}
	return nil
}

// median is in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	n := len(times)
	return ((times[(n-1)/2] + times[n/2]) / 2).Seconds()
}
