package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// titleLine says where one looks: table, account, Region, mode, live or replay.
func (m *model) titleLine(w int) string {
	var parts []string
	v := m.view()
	if w >= 100 || v == nil {
		parts = append(parts, m.styles.bold.Render("hotpart"))
	}
	if v == nil {
		return fit(" "+parts[0], w)
	}
	where := m.resource.TableID
	if where.Table == "" && len(v.Tables) > 0 {
		where = v.Tables[0].ID
	}
	place := where.Resource()
	if m.resource.TableID == where {
		place = m.resource
	}
	name := m.styles.accent.Render(m.styles.cut(m.clean(place.String()), max(8, w/3)))
	parts = append(parts, name+" "+m.clean(account(where.Account)+" "+where.Region))
	for _, t := range v.Tables {
		if t.ID == where && w >= 100 {
			parts = append(parts, strings.ReplaceAll(string(t.Mode), "_", "-"))
		}
	}
	if n := len(v.Tables); n > 1 {
		parts = append(parts, fmt.Sprintf("%d tables", n))
	}
	parts = append(parts, m.stateText(v))
	if m.opts.Note != nil && w >= 100 {
		if note := m.opts.Note(); note != "" {
			parts = append(parts, m.clean(note))
		}
	}
	return spread(" "+strings.Join(parts, m.sep()), m.styles.dim.Render(" ? help "), w)
}

func (m *model) sep() string {
	if m.opts.ASCII {
		return " | "
	}
	return " · "
}

// account groups an account number as the console does.
func account(id string) string {
	if len(id) != 12 {
		return id
	}
	return id[:4] + "-" + id[4:8] + "-" + id[8:]
}

// stateText says whether one sees live or recorded time, and how old the data are.
func (m *model) stateText(v *analysis.Diagnosis) string {
	end := m.clockText(v.Window.End)
	switch {
	case m.opts.Live && m.history.at < m.history.last():
		behind := m.history.newest.Window.End.Sub(v.Window.End)
		return m.styles.alert.Render(fmt.Sprintf("%s, %s behind live (L returns)", end, short(behind)))
	case m.opts.Live:
		live := "● live"
		if m.opts.ASCII {
			live = "* live"
		}
		text := m.styles.good.Render(live) + " data to " + end
		if p := provisionalFrom(v); !p.IsZero() {
			text += " (from " + m.clockText(p) + " provisional)"
		}
		return text
	case m.atEnd():
		return "replay " + end + " end"
	case !m.clock.running:
		return m.styles.alert.Render("replay " + end + " paused")
	}
	return fmt.Sprintf("replay %s %gx", end, m.clock.speed)
}

func (m *model) atEnd() bool { return m.ended && m.history.at >= m.history.last() }

// provisionalFrom is the first minute that AWS may still revise; zero for none.
func provisionalFrom(v *analysis.Diagnosis) time.Time {
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			for _, x := range r.Write.Minutes {
				if x.Provisional {
					return x.Start
				}
			}
		}
	}
	return time.Time{}
}

// verdictBlock is the first thing to read: what, where, how much, since when, how sure,
// what to do and what won't help.
func (m *model) verdictBlock(w, h int) []string {
	v := m.view()
	switch {
	case v == nil && m.err != nil:
		return fill(m.troubleLines(w), w, h)
	case v == nil:
		return fill([]string{" waiting for the first data", m.styles.dim.Render(" a first answer from AWS takes a few seconds")}, w, h)
	case m.drill:
		return fill([]string{m.styles.alert.Render(" DRILL ") + " what is it, and which key? The verdict is hidden.", " Enter shows the answer."}, w, h)
	}
	verdict := v.Verdict()
	head := m.verdictStyle(v, verdict.Title) + " "
	sure := m.clean(verdict.Sure)
	keep := 0
	if verdict.DoNow != "" && h > 1 {
		keep = 1 + min(1, max(0, h-4))
	}
	first := max(10, w-len(verdict.Title)-len(sure)-6)
	var lines []string
	for i, s := range m.styles.wrapAfter(m.clean(verdict.Summary), first, max(10, w-4), max(1, h-keep)) {
		if i == 0 {
			lines = append(lines, spread(head+s, m.styles.bold.Render(sure)+" ", w))
		} else {
			lines = append(lines, "   "+s)
		}
	}
	return fill(append(lines, m.adviceLines(verdict, w, h-len(lines))...), w, h)
}

func (m *model) adviceLines(v analysis.Verdict, w, h int) []string {
	if h <= 0 || v.DoNow == "" && v.WontHelp == "" {
		return nil
	}
	now := " Do now  " + m.clean(v.DoNow)
	not := "Won't help: " + m.clean(v.WontHelp)
	if v.WontHelp == "" {
		not = ""
	}
	bold := func(s string) string {
		return " " + m.styles.accent.Render("Do now") + strings.TrimPrefix(m.styles.cut(s, w), " Do now")
	}
	if len(now)+len(not)+8 <= w || h == 1 && not != "" && len(now)+20 < w {
		return []string{bold(now) + "   " + m.styles.dim.Render(m.styles.cut(not, max(0, w-len(now)-3)))}
	}
	lines := []string{bold(now)}
	if h > 1 && not != "" {
		lines = append(lines, " "+m.styles.dim.Render(m.styles.cut(not, w-1)))
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

// troubleLines say what failed, since when, and what still stands.
func (m *model) troubleLines(w int) []string {
	text := m.styles.wrap(m.clean(strings.ReplaceAll(m.err.Error(), "\n", " ")), max(10, w-2), 3)
	var out []string
	for i, l := range text {
		if i == 0 {
			l = m.styles.alarm.Render("!") + " " + l
		} else {
			l = "  " + l
		}
		out = append(out, l)
	}
	return out
}

// short writes a span of time in one unit or two.
func short(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// direction names a direction's unit.
func unit(dir telemetry.Direction) string {
	if dir == telemetry.Read {
		return "RCU"
	}
	return "WCU"
}
