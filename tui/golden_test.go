package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// drawnCase is a table of forty minutes made by hand: one key fills its partition in the
// last ten, one partition is warm, some minutes are unknown or pending.
func drawnCase() *analysis.Diagnosis {
	const n = 40
	rows := map[string][]telemetry.Rate{}
	for i := range n {
		hot := telemetry.Rate(300 + 23*i)
		if i >= 30 {
			hot = 1000
		}
		rows["a"] = append(rows["a"], hot)
		rows["b"] = append(rows["b"], telemetry.Rate(700-10*i))
		rows["c"] = append(rows["c"], 30)
	}
	d := table(n, rows)
	r := d.Tables[0].Resources[0]
	for i := range 3 {
		r.Write.Rows[1].Cells[i+5] = analysis.Cell{}
	}
	r.Write.Rows[1].Cells[n-1] = analysis.Cell{State: telemetry.Pending}
	for i := range r.Write.Minutes {
		r.Write.Minutes[i].Capacity = 6000
	}
	e := &analysis.Event{
		ID: "e1", Resource: r.ID, Direction: telemetry.Write, Cause: analysis.HotKey, Limit: telemetry.KeyRangeLimit,
		Start: begin.Add(30 * time.Minute), End: begin.Add(n * time.Minute), Ongoing: true, Confidence: 0.97,
		Keys:            []analysis.EventKey{{Key: telemetry.Key{Partition: "KEY#a"}}},
		ThrottledEvents: 1000, Refused: &analysis.Range{Low: 0.1, High: 0.2},
		Hottest:  &analysis.Hottest{Rate: 1000, Low: 960, High: 1017, Ceiling: 1000, At: begin.Add(31 * time.Minute)},
		Evidence: []analysis.Evidence{{Supports: true, Text: "KEY#a alone draws what one partition serves", Weight: 3.1}, {Text: "a rolling key would move on", Weight: -0.4}},
		Missing:  []string{"the keys that are refused: Contributor Insights for throttled keys would name them"},
		Recommendations: []analysis.Recommendation{{
			Action: analysis.ShardKey, Stage: analysis.FixThisWeek, Summary: "shard KEY#a over 4 keys", Why: "one key can't be split over partitions",
			Tradeoff: "reads of the whole collection ask four times", Commands: []string{"aws dynamodb describe-table --table-name orders"},
		}},
		WontHelp: []analysis.WontHelp{{Fix: "more table capacity", Why: "the partition's ceiling stays"}},
	}
	d.Events = []*analysis.Event{e}
	d.Tables[0].Changes = []analysis.Change{{At: begin.Add(12 * time.Minute), Resource: r.ID, Kind: analysis.CapacityRaised, Text: "WCU 4,000 to 6,000"}}
	d.Warnings = []telemetry.Warning{{Code: telemetry.Gap, Text: "three minutes are missing"}}
	return d
}

// looks are a coloured frame's cells as letters, one for each look in the order in which
// they are met, and what each stands for. Plain cells are dots.
func looks(frame string) string {
	plain := look{"fg", "bg", false, false}
	letters := map[look]string{plain: "."}
	var out, legend strings.Builder
	for line := range strings.SplitSeq(frame, "\n") {
		now := plain
		for line != "" {
			seq, width, n, _ := ansi.DecodeSequence(line, 0, nil)
			line = line[n:]
			if width == 0 {
				now = now.after(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m"), plain)
				continue
			}
			if letters[now] == "" {
				letters[now] = string(rune('a' + len(letters) - 1))
				fmt.Fprintf(&legend, "%s: %s on %s, bold %v, reversed %v\n", letters[now], now.fg, now.bg, now.bold, now.reverse)
			}
			out.WriteString(strings.Repeat(letters[now], width))
		}
		out.WriteByte('\n')
	}
	return out.String() + legend.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (go test ./tui -update writes it anew):\n%s", path, diff)
	}
}

func TestFramesLookAsTheyDid(t *testing.T) {
	d := drawnCase()
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {40, 10}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			var all strings.Builder
			for _, p := range Panes {
				o := FrameOptions{Width: size[0], Height: size[1], Pane: p}
				fmt.Fprintf(&all, "%s\n", p)
				for line := range strings.SplitSeq(Frame(d, o), "\n") {
					all.WriteString("|" + line + "|\n")
				}
			}
			golden(t, name, all.String())
		})
	}
}

func TestColoursLookAsTheyDid(t *testing.T) {
	for _, light := range []bool{false, true} {
		name := map[bool]string{false: "dark", true: "light"}[light]
		golden(t, name, looks(Frame(drawnCase(), FrameOptions{Width: 80, Height: 24, Color: true, Light: light})))
	}
}
