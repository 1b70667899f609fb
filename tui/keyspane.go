package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// keysMemo keeps the last sheet of keys, for there may be thousands of them.
type keysMemo struct {
	subject subject
	width   int
	local   bool
	sheet   sheet
}

// keysSheet lists the ranked keys of the resource: load against the ceiling, refusals,
// first seen, trend, one item or many, and whose neighbour.
func (m *model) keysSheet(w int) sheet {
	load := m.load()
	if load == nil {
		return sheet{lines: m.emptyKeys(w)}
	}
	g := m.grid()
	if x := m.keysMemo; x.subject != m.memo.subject || x.width != w || x.local != m.local {
		m.keysMemo = keysMemo{m.memo.subject, w, m.local, m.newKeysSheet(load, g.known, w)}
	}
	return m.keysMemo.sheet
}

func (m *model) newKeysSheet(load *analysis.Load, known, w int) sheet {
	var s sheet
	trendWidth := max(0, min(30, w-96))
	name := max(12, min(44, w-62-trendWidth))
	head := " " + fit("key", name) + fmt.Sprintf(" %7s %-15s %9s %-5s %-12s", "peak", "range "+m.dir.Unit()+"/s", "refused", "since", "items") + " " + fit("trend", trendWidth)
	s.head = []string{m.styles.dim.Render(fit(head, w))}
	for _, k := range load.Keys {
		label := m.cleanKey(k.Key.Partition)
		if !m.matches(label) {
			continue
		}
		s.item(" " + fit(m.styles.cut(label, name), name) + m.keyNumbers(load, k, known) + " " + m.trend(k, load.Ceiling, known, trendWidth))
	}
	if len(s.items) == 0 {
		s.head = nil
		s.add(m.emptyKeys(w)...)
		return s
	}
	s.add("")
	s.add(m.remark("Load is what 3 x writes + reads leaves open between them; refusals count all directions.", w)...)
	return s
}

// listedKeys are the ranked keys that pass the filter.
func (m *model) listedKeys() []*analysis.KeyLoad {
	load := m.load()
	if load == nil {
		return nil
	}
	var out []*analysis.KeyLoad
	for _, k := range load.Keys {
		if m.matches(m.clean(k.Key.Partition)) {
			out = append(out, k)
		}
	}
	return out
}

func (m *model) keyNumbers(load *analysis.Load, k *analysis.KeyLoad, known int) string {
	var peak analysis.Cell
	for i := range min(known, len(k.Cells)) {
		if c := k.Cells[i]; c.State == telemetry.Known && (peak.State != telemetry.Known || c.Likely > peak.Likely) {
			peak = c
		}
	}
	span := "?"
	if peak.State == telemetry.Known {
		span = fmt.Sprintf("%s-%s", telemetry.Thousands(int(peak.Low+0.5)), telemetry.Thousands(int(peak.High+0.5)))
	}
	refused := "?"
	if k.Throttled >= 0 {
		refused = compact(k.Throttled)
	}
	items := "many items"
	if r := m.shownResource(); k.Item != "" || r != nil && r.PartitionKey != "" && r.SortKey == "" {
		items = "one item"
	}
	if k.Row >= 0 && k.Row < len(load.Rows) && load.Rows[k.Row].Shared {
		items = "neighbours"
	}
	return fmt.Sprintf(" %7s %-15s %9s %-5s %-12s", share(peak, load.Ceiling), span, refused, m.clockText(k.FirstSeen), items)
}

// trend is the key's load over time in a few cells.
func (m *model) trend(k *analysis.KeyLoad, ceiling telemetry.Rate, known, w int) string {
	if w <= 0 || known == 0 {
		return ""
	}
	var b strings.Builder
	n := len(m.styles.bars) - 1
	for c := range w {
		from, to := c*known/w, max(c*known/w+1, (c+1)*known/w)
		best := -1.0
		for i := from; i < min(to, len(k.Cells)); i++ {
			if k.Cells[i].State == telemetry.Known {
				best = max(best, float64(k.Cells[i].Likely/ceiling))
			}
		}
		switch {
		case best < 0:
			b.WriteString(" ")
		default:
			b.WriteString(m.styles.bars[max(0, min(n, int(best*float64(n)+0.5)))])
		}
	}
	return b.String()
}
