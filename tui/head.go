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
	// Left of the name nothing comes or goes while a replay runs, pauses and ends.
	sway := 0
	if !m.opts.Live && len(rest) > 0 {
		sway = max(0, m.usualState()-width(rest[0]))
	}
	// What can be missed goes first, the last named first, before the name is cut.
	for len(rest) > 1 && wide()+sway+width(name) > w {
		rest = rest[:len(rest)-1]
	}
	if wide()+least > w {
		help = ""
	}
	tail := strings.Join(append([]string{where}, rest...), m.sep())
	lead := ""
	if room := w - wide() - width(name) - sway; room >= width("hotpart"+m.sep()) {
		lead = m.styles.bold.Render("hotpart") + m.sep()
	}
	name = m.styles.accent.Render(m.styles.cutPlace(name, max(least, w-wide())))
	return spread(" "+lead+name+" "+tail, m.styles.dim.Render(help), w)
}

// usualState is how wide the longest usual state of a replay is.
func (m *model) usualState() int {
	if m.width >= dated {
		return width("replay 2026-03-02 23:45 UTC paused")
	}
	return width("replay 23:45 paused")
}

// dated is the least width of a screen that shows dates.
const dated = 100

// titleRest is the title after account and Region, the weightiest first.
func (m *model) titleRest(v *analysis.Diagnosis, place telemetry.ResourceID) []string {
	rest := []string{m.stateText(v)}
	if m.opts.Live && m.history.at == m.history.last() && m.silent() {
		rest = append(rest, "data to "+m.clockText(v.Window.End))
	}
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
		behind := short(m.history.newest().Window.End.Sub(v.Window.End)) + " behind live"
		if v.Window.End.Before(m.liveFrom) {
			behind += ", told later"
		}
		return m.styles.alert.Render(end + ", " + behind + ", L returns")
	case m.opts.Live:
		return m.liveText(v, end)
	}
	if m.width >= dated {
		end = m.zoned(v.Window.End).Format("2006-01-02 15:04 MST")
	}
	switch due := m.clock.now(m.wall); {
	case m.recalling && due.Sub(v.Window.End).Abs() > farJump:
		return m.styles.alert.Render("replay " + end + ", going to " + m.clockText(due))
	case m.atEnd():
		return "replay " + end + " end"
	case m.opts.Past == nil:
		return "replay " + end
	case !m.clock.running:
		return m.styles.alert.Render("replay " + end + " paused")
	}
	return fmt.Sprintf("replay %s %gx", end, m.clock.speed)
}

// farJump is how far off the moment gone to must be for the title to say that it is being
// worked out.
const farJump = 5 * time.Minute

// patience is how much longer than polls are apart nothing may have been told before the
// title says so.
const patience = 90 * time.Second

// liveText says up to when a live screen has data and from when on AWS may still revise
// them, or for how long nothing new was told.
func (m *model) liveText(v *analysis.Diagnosis, end string) string {
	live := "● live"
	if m.opts.ASCII {
		live = "* live"
	}
	if m.silent() {
		return m.styles.alert.Render(live + ", no new data for " + short(m.wall.Sub(m.heard)))
	}
	live = m.styles.good.Render(live) + m.sep()
	switch p := provisionalFrom(v); {
	case p.IsZero() || m.width < 80:
		return live + "data to " + end
	case m.width < dated:
		return live + "to " + end + " (" + m.clockText(p) + "+ provisional)"
	default:
		return live + "data to " + end + " (" + m.clockText(p) + " on provisional)"
	}
}

// silent reports whether a poll is overdue.
func (m *model) silent() bool {
	apart := time.Minute
	if m.opts.Every != nil {
		apart = max(apart, m.opts.Every())
	}
	return !m.heard.IsZero() && m.wall.Sub(m.heard) > apart+patience
}

// atEnd reports whether the last step of a replay is shown.
func (m *model) atEnd() bool {
	h := &m.history
	return !m.opts.Live && len(h.steps) > 0 && h.steps[h.at].until.IsZero()
}

// provisionalFrom is the first minute that AWS may still revise; zero for none. It is
// the same for all loads.
func provisionalFrom(v *analysis.Diagnosis) time.Time {
	if len(v.Tables) == 0 {
		return time.Time{}
	}
	for _, x := range v.Tables[0].Resources[0].Read.Minutes {
		if x.Provisional {
			return x.Start
		}
	}
	return time.Time{}
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
