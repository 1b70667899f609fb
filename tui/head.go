package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// titleLine says where one looks: table, account, Region, mode, live or replay. Account
// and Region are never cut.
func (m *model) titleLine(w int) string {
	v := m.view()
	if v == nil {
		return fit(" "+m.styles.bold.Render("hotpart"), w)
	}
	place := m.resource
	if place.Table == "" && len(v.Tables) > 0 {
		place = v.Tables[0].ID.Resource()
	}
	where := m.clean(strings.TrimSpace(account(place.Account) + " " + place.Region))
	help := " ? help "
	rest := m.titleRest(v, place)
	if w < 60 {
		help, rest = "", nil
	}
	const least = 8
	name := m.clean(place.String())
	wide := func() int {
		return width(strings.Join(append([]string{where}, rest...), m.sep())) + width(help) + 2
	}
	// What can be missed goes first, the last named first, before the name is cut.
	for len(rest) > 1 && wide()+width(name) > w {
		rest = rest[:len(rest)-1]
	}
	if wide()+least > w {
		help = ""
	}
	tail := strings.Join(append([]string{where}, rest...), m.sep())
	lead := ""
	if room := w - wide() - width(name); room >= width("hotpart"+m.sep()) {
		lead = m.styles.bold.Render("hotpart") + m.sep()
	}
	name = m.styles.accent.Render(m.styles.cut(name, max(least, w-wide())))
	return spread(" "+lead+name+" "+tail, m.styles.dim.Render(help), w)
}

// titleRest is the title after account and Region, the weightiest first.
func (m *model) titleRest(v *analysis.Diagnosis, place telemetry.ResourceID) []string {
	rest := []string{m.stateText(v)}
	if m.opts.Note != nil {
		if note := m.opts.Note(); note != "" {
			rest = append(rest, m.clean(note))
		}
	}
	for _, t := range v.Tables {
		if t.ID == place.TableID && t.Mode != telemetry.UnknownMode {
			rest = append(rest, strings.ReplaceAll(string(t.Mode), "_", "-"))
		}
	}
	if n := len(v.Tables); n > 1 {
		rest = append(rest, fmt.Sprintf("1 of %d tables", n))
	}
	return rest
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
	if v == nil {
		return ""
	}
	end := m.clockText(v.Window.End)
	switch {
	case m.opts.Live && m.history.at < m.history.last():
		behind := m.history.newest().Window.End.Sub(v.Window.End)
		return m.styles.alert.Render(fmt.Sprintf("%s, %s behind live, L returns", end, short(behind)))
	case m.opts.Live:
		return m.liveText(v, end)
	}
	if m.width >= 100 {
		end = m.zoned(v.Window.End).Format("2006-01-02 15:04 MST")
	}
	switch {
	case m.atEnd():
		return "replay " + end + " end"
	case !m.clock.running:
		return m.styles.alert.Render("replay " + end + " paused")
	}
	return fmt.Sprintf("replay %s %gx", end, m.clock.speed)
}

// staleAfter is how old the newest live data may be before the title says so.
const staleAfter = 150 * time.Second

func (m *model) liveText(v *analysis.Diagnosis, end string) string {
	live := "● live"
	if m.opts.ASCII {
		live = "* live"
	}
	text := m.styles.good.Render(live) + m.sep() + "data to " + end
	if p := provisionalFrom(v); !p.IsZero() && m.width >= 80 {
		text += " (" + m.clockText(p) + " on provisional)"
	}
	if age := m.wall.Sub(v.FetchedAt); !v.FetchedAt.IsZero() && age > staleAfter {
		text += m.styles.alert.Render(", asked " + short(age) + " ago")
	}
	return text
}

func (m *model) atEnd() bool { return m.ended && m.history.at >= m.history.last() }

// provisionalFrom is the first minute that AWS may still revise; zero for none.
func provisionalFrom(v *analysis.Diagnosis) time.Time {
	var first time.Time
	for _, t := range v.Tables {
		for _, r := range t.Resources {
			for _, l := range []*analysis.Load{r.Read, r.Write} {
				for _, x := range l.Minutes {
					if x.Provisional && (first.IsZero() || x.Start.Before(first)) {
						first = x.Start
					}
				}
			}
		}
	}
	return first
}

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
		return fill([]string{m.styles.alert.Render(" DRILL ") + " what is it, and which key? The verdict is hidden.", " Enter shows the answer."}, w, h)
	}
	verdict := v.Verdict()
	head := m.verdictStyle(v, verdict.Title) + " "
	sure := m.clean(verdict.Sure)
	if w < width(verdict.Title+sure)+12 {
		sure = "" // the cause matters more
	}
	keep := 0
	if verdict.DoNow != "" && h > 1 {
		keep = 1 + min(1, max(0, h-4))
	}
	first := max(10, w-len(verdict.Title)-width(sure)-6)
	var lines []string
	for i, s := range m.styles.wrapAfter(m.clean(verdict.Summary), first, max(10, w-4), max(1, h-keep)) {
		if i == 0 {
			if sure != "" {
				sure = m.styles.bold.Render(sure) + " "
			}
			lines = append(lines, spread(head+s, sure, w))
		} else {
			lines = append(lines, "   "+s)
		}
	}
	lines = append(lines, m.adviceLines(verdict, w, h-len(lines))...)
	if more := m.moreEvents(v); more != "" && h > 1 && w >= 30 {
		at := min(len(lines), h) - 1
		if at == 0 {
			lines, at = append(lines, ""), 1
		}
		lines[at] = spread(lines[at], " "+m.styles.alert.Render(more)+" ", w)
	}
	return fill(lines, w, h)
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
	wide := width(now)
	if wide+width(not)+4 <= w || h == 1 && not != "" && wide+24 < w {
		return []string{bold(now) + "   " + m.styles.dim.Render(m.styles.cut(not, max(0, w-wide-4)))}
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
