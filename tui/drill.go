package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis"
)

// call is what a drill asks for: a cause, "" for nothing wrong, and a key, "" for none.
type call struct {
	cause analysis.Cause
	key   string
	// at is the recorded time of the call, took how long it was thought over, both from the
	// first screen on. given is false where the answer was asked for without a call.
	at    time.Time
	took  time.Duration
	given bool
}

// callable are the causes that can be called, by the digit that calls each.
var callable = []struct {
	word  string
	cause analysis.Cause
}{
	{"hot key", analysis.HotKey},
	{"partition", analysis.HotPartition},
	{"large item", analysis.LargeItem},
	{"table", analysis.TableCapacity},
	{"index", analysis.GSIPressure},
	{"quota", analysis.AccountQuota},
	{"none", ""},
}

// callText asks for the cause.
func callText() string {
	var words []string
	for i, c := range callable {
		words = append(words, fmt.Sprintf("%d %s", i+1, c.word))
	}
	return strings.Join(words, "  ")
}

// answerCause takes the cause and asks for the key; without one it shows the answer.
func (m *model) answerCause(text string) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		m.endDrill(call{})
		return
	}
	for i, c := range callable {
		if text != fmt.Sprint(i+1) && text != c.word {
			continue
		}
		m.calling = call{cause: c.cause, given: true}
		if c.cause == "" {
			m.endDrill(m.calling)
		} else {
			m.prompt = prompt{kind: keyPrompt, text: m.keyUnderCursor()}
		}
		return
	}
	m.say("a digit from 1 to %d is wanted, or nothing to see the answer", len(callable))
}

// keyUnderCursor is the key that is selected, as it is shown; "" for none.
func (m *model) keyUnderCursor() string {
	if m.pane == keysPane {
		if keys := m.listedKeys(); m.cursor < len(keys) {
			return m.cleanKey(keys[m.cursor].Key.Partition)
		}
	}
	if m.pane == heatPane && m.cross.on {
		for _, l := range m.grid().lines {
			if l.id == m.cross.id {
				return m.cleanKey(l.key())
			}
		}
	}
	return ""
}

// endDrill shows the answer, and on the evidence pane how the call compares.
func (m *model) endDrill(c call) {
	c.at, c.took = m.position(), m.wall.Sub(m.drillBegan)
	m.drill, m.calling = false, c
	m.open(evidencePane)
}

// truthOf is the event that a call is compared with: of those that had begun, one of the
// cause that was called, else the leading one; nil where none had.
func (m *model) truthOf(c call) *analysis.Event {
	d := m.opts.Hindsight
	var truth *analysis.Event
	for _, e := range m.hindsightEvents() {
		if !e.Start.Before(c.at) {
			continue
		}
		if c.given && e.Cause == c.cause {
			return e
		}
		if truth == nil || e == d.Leading() {
			truth = e
		}
	}
	return truth
}

// drillLines are how a call compares with the truth, how long it took and what gave the
// truth away; none where there was no drill.
func (m *model) drillLines(w int) []string {
	c := m.calling
	if c.at.IsZero() {
		return nil
	}
	truth := m.truthOf(c)
	lines := m.paragraph(" ", "drill: "+m.callResult(c, truth), w)
	for i := range lines {
		lines[i] = m.styles.bold.Render(lines[i])
	}
	if truth == nil {
		return append(lines, "")
	}
	v := m.opts.Hindsight.VerdictOn(truth)
	lines = append(lines, m.paragraph("  ", "in the end: "+v.Title+", "+v.Summary+" ("+v.Sure+")", w)...)
	if best := strongest(truth); best != "" {
		lines = append(lines, m.paragraph("  ", "what gave it away: "+best, w)...)
	}
	took := fmt.Sprintf("called at %s, %s after it began, on which you spent %s", m.clockText(c.at), short(c.at.Sub(truth.Start)), short(c.took))
	return append(append(lines, m.paragraph("  ", took, w)...), "")
}

// callResult says in words whether a call is right.
func (m *model) callResult(c call, truth *analysis.Event) string {
	word := "no call was made"
	for _, x := range callable {
		if c.given && x.cause == c.cause {
			word = "you called " + x.word
		}
	}
	if c.key != "" {
		word += " on " + c.key
	}
	right := map[bool]string{true: ": right", false: ": wrong"}
	switch {
	case !c.given:
		return word
	case truth == nil && c.cause != "":
		return word + ": wrong, nothing was amiss by " + m.clockText(c.at)
	case truth == nil:
		return word + right[true]
	case truth.Cause != c.cause:
		return word + right[false]
	case c.key == "" || len(truth.Keys) == 0:
		return word + right[true]
	case !m.namesKeyOf(c.key, truth):
		return word + ": the cause is right, the key is another"
	}
	return word + right[true]
}

// namesKeyOf reports whether a text is one of an event's keys as they are shown, or a part
// of one.
func (m *model) namesKeyOf(text string, e *analysis.Event) bool {
	for _, k := range e.Keys {
		if strings.Contains(strings.ToLower(m.cleanKey(k.Key.Partition)), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

// strongest is the evidence that weighs most for an event; "" for none.
func strongest(e *analysis.Event) string {
	var best analysis.Evidence
	for _, x := range e.Evidence {
		if x.Supports && (best.Text == "" || x.Weight > best.Weight) {
			best = x
		}
	}
	return best.Text
}
