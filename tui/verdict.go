package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// verdictBlock is the first thing to read: what, where, how much, since when, how sure,
// what to do and what won't help.
func (m *model) verdictBlock(w, h int) []string {
	v := m.view()
	switch {
	case v == nil && m.err != nil:
		return fill(m.troubleLines(w), w, h)
	case v == nil:
		return fill([]string{" waiting for the first data since " + m.zoned(m.clock.started).Format("15:04:05 MST"), m.styles.dim.Render(" a first answer takes a few seconds")}, w, h)
	case m.drill:
		return fill([]string{m.styles.alert.Render(" DRILL ") + " what is it, and which key? The verdict is hidden.", " Look around; " + m.keys.names([]action{enter}) + " calls the cause and the key, and shows the answer."}, w, h)
	}
	verdict := v.Verdict()
	// The summary goes first; on more than one line, what to do keeps at least one.
	least := min(h-1, map[bool]int{true: 1, false: 2}[h < 5])
	keep := min(len(m.adviceLines(verdict, w, h)), max(least, h-len(m.summaryLines(v, verdict, w, wholly))))
	lines := m.summaryLines(v, verdict, w, max(1, h-keep))
	lines = append(lines, m.adviceLines(verdict, w, h-len(lines))...)
	if more := m.moreEvents(v); more != "" && h > 1 && w >= 30 {
		lines = beside(lines, " "+m.styles.alert.Render(more)+" ", w, h)
	}
	return fill(lines, w, h)
}

// wholly is more lines than any verdict takes.
const wholly = 99

// verdictWanted is how many lines the verdict takes in full.
func (m *model) verdictWanted(w int) int {
	v := m.view()
	if v == nil || m.drill {
		return 0
	}
	verdict := v.Verdict()
	return len(m.summaryLines(v, verdict, w, wholly)) + len(m.adviceLines(verdict, w, wholly))
}

// summaryLines are the cause, what is known of it and how sure that is, on at most most
// lines.
func (m *model) summaryLines(v *analysis.Diagnosis, verdict analysis.Verdict, w, most int) []string {
	head := m.verdictStyle(v, verdict.Title) + " "
	sure := m.clean(verdict.Sure)
	if w < width(verdict.Title+sure)+12 {
		sure = "" // the cause matters more
	}
	first := max(10, w-width(head)-width(sure)-3)
	lines := m.styles.wrapAfter(m.clean(verdict.Summary), first, max(10, w-4), most)
	for i := range lines {
		lines[i] = "   " + lines[i]
	}
	if len(lines) == 0 {
		lines = []string{"   "}
	}
	if sure != "" {
		sure = m.styles.bold.Render(sure) + " "
	}
	lines[0] = spread(head+lines[0][3:], sure, w)
	return lines
}

// beside puts a note at the right of the last line that has room for it; where none has,
// on a line of its own, or else over the end of the last.
func beside(lines []string, note string, w, h int) []string {
	for i := len(lines) - 1; i > 0; i-- {
		if width(lines[i])+width(note) < w {
			lines[i] = spread(lines[i], note, w)
			return lines
		}
	}
	if len(lines) < h {
		return append(lines, spread("", note, w))
	}
	lines[h-1] = spread(lines[h-1], note, w)
	return lines
}

// moreEvents counts the events that the verdict isn't about, notes aside; "" for none.
func (m *model) moreEvents(v *analysis.Diagnosis) string {
	n := -1
	for _, e := range v.Events {
		if !e.Note() {
			n++
		}
	}
	switch {
	case n < 1:
		return ""
	case n == 1:
		return "+1 event (" + m.keys.names([]action{showEvents}) + ")"
	}
	return fmt.Sprintf("+%d events (%s)", n, m.keys.names([]action{showEvents}))
}

// adviceLines say what to do and what won't help, on at most h lines. What to do may take
// two; what won't help goes where there is room for at least its first part.
func (m *model) adviceLines(v analysis.Verdict, w, h int) []string {
	if h <= 0 || v.DoNow == "" && v.WontHelp == "" {
		return nil
	}
	const lead, gap = " Do now  ", "   "
	var lines []string
	if v.DoNow != "" {
		lines = m.styles.wrapAfter(m.clean(v.DoNow), max(10, w-len(lead)-1), max(10, w-len(gap)-1), min(2, h))
	}
	for i := range lines {
		if i == 0 {
			lines[i] = " " + m.styles.accent.Render("Do now") + "  " + lines[i]
		} else {
			lines[i] = gap + lines[i]
		}
	}
	fixes := strings.Split(m.clean(v.WontHelp), ", ")
	if v.WontHelp == "" {
		fixes = nil
	}
	for n := len(fixes); n > 0; n-- {
		not := "Won't help: " + strings.Join(fixes[:n], ", ")
		last := len(lines) - 1
		switch {
		case last >= 0 && width(lines[last]+gap+not) < w:
			lines[last] += gap + m.styles.dim.Render(not)
		case len(lines) < h && (width(not)+2 <= w || n == 1):
			lines = append(lines, " "+m.styles.dim.Render(m.styles.cut(not, w-2)))
		default:
			continue
		}
		break
	}
	return lines
}

func (m *model) verdictStyle(v *analysis.Diagnosis, title string) string {
	title = " " + title + " "
	e := v.Leading()
	switch {
	case e == nil && strings.Contains(title, "HEALTHY"):
		return m.styles.good.Render(title)
	case e == nil:
		return m.styles.bold.Render(title)
	case e.Ongoing:
		return m.styles.alarm.Render(title)
	}
	return m.styles.alert.Render(title)
}
