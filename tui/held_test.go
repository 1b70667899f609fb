package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// begin is when everything in a hand-made table begins.
var begin = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// table makes a diagnosis of one table by hand: writes of n minutes, a row for each list
// of rates, each row with a key of its own.
func table(n int, rows map[string][]telemetry.Rate) *analysis.Diagnosis {
	id := telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}
	peak := telemetry.Rate(0)
	write := &analysis.Load{Direction: telemetry.Write, Ceiling: 1000}
	for i := range n {
		m := analysis.Minute{Start: begin.Add(time.Duration(i) * time.Minute), State: telemetry.Known, ThrottleState: telemetry.Known}
		for _, rates := range rows {
			m.Consumed += rates[i]
			peak = max(peak, rates[i])
			if rates[i] >= 1000 {
				m.Throttled += 100
				m.ByLimit.KeyRange += 100
			}
		}
		write.Minutes = append(write.Minutes, m)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		rates, ok := rows[name]
		if !ok {
			continue
		}
		row := &analysis.Row{Keys: []telemetry.Key{{Partition: "KEY#" + name}}, Count: 1}
		for _, r := range rates {
			c := analysis.Cell{State: telemetry.Known, Likely: r, Low: r, High: r}
			if r >= 1000 {
				c.Throttled = 100
			}
			row.Cells = append(row.Cells, c)
			row.Peak = max(row.Peak, r)
		}
		write.Rows = append(write.Rows, row)
		write.Keys = append(write.Keys, &analysis.KeyLoad{Key: row.Keys[0], Cells: row.Cells, Peak: row.Peak, Throttled: -1, FirstSeen: begin})
	}
	write.Peak = &peak
	read := &analysis.Load{Direction: telemetry.Read, Ceiling: 3000, Minutes: make([]analysis.Minute, n)}
	r := &analysis.Resource{ID: id.Resource(), Read: read, Write: write, Partitions: analysis.Partitions{Low: 4, Likely: 4, High: 4}}
	return &analysis.Diagnosis{
		Source: telemetry.Source{Kind: telemetry.SourceRecording, Name: "orders"},
		Window: telemetry.Window{Start: begin, End: begin.Add(time.Duration(n) * time.Minute), Period: time.Minute},
		Tables: []*analysis.Table{{ID: id, Mode: telemetry.ModeProvisioned, Resources: []*analysis.Resource{r}}},
	}
}

// held is a screen that shows a diagnosis and stands still.
func held(d *analysis.Diagnosis, w, h int) *model {
	m := newModel(context.Background(), nil, Options{Paused: true, Hindsight: d, Now: func() time.Time { return d.Window.End }})
	m.width, m.height, m.ended = w, h, true
	m.receive(diagnosisMsg{diagnosis: d})
	m.history.at = m.history.last()
	m.follow()
	return m
}

func press(m *model, keys ...string) {
	codes := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace,
	}
	for _, k := range keys {
		msg := tea.KeyPressMsg{Code: codes[k]}
		if codes[k] == 0 {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		m.Update(msg)
	}
}

// seen is the frame as plain text.
func seen(m *model) string { return ansi.Strip(strings.Join(m.frame(), "\n")) }

func wants(t *testing.T, m *model, text string) {
	t.Helper()
	if s := seen(m); !strings.Contains(s, text) {
		t.Errorf("the frame doesn't say %q:\n%s", text, s)
	}
}
