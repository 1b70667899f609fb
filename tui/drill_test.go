package tui

import (
	"strings"
	"testing"
	"time"
)

func TestDrillHidesTheAnswerUntilItIsCalled(t *testing.T) {
	d := fixtures(t)["hot-key-tenant"]
	for _, p := range []string{"1", "2", "3", "4", "5", "6", "7", "?"} {
		m := still(Options{Drill: true, Hindsight: d}, 120, 40, d)
		m.typed(p, "[")
		for _, secret := range []string{"HOT KEY", "Do now", "shard TENANT", "% sure", "[events]"} {
			if strings.Contains(m.plain(), secret) {
				t.Errorf("pane %s tells %q:\n%s", p, secret, m.plain())
			}
		}
		m.typed("enter", "enter")
		if got := m.plain(); !strings.Contains(got, "HOT KEY") || !strings.Contains(got, "drill: no call was made") {
			t.Errorf("pane %s: Enter doesn't show the answer:\n%s", p, got)
		}
	}
}

func TestDrillComparesTheCallWithTheTruth(t *testing.T) {
	whole := fixtures(t)["hot-key-tenant"]
	healthy := fixtures(t)["busy-not-hot"]
	hot := whole.Leading().Keys[0].Key.Partition
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"cause and key":      {[]string{"2", "enter", "1", "enter", "enter"}, "you called hot key on " + hot + ": right"},
		"another key":        {[]string{"2", "down", "down", "down", "enter", "1", "enter", "enter"}, ": the cause is right, the key is another"},
		"another cause":      {[]string{"enter", "4", "enter", "enter"}, "you called table: wrong"},
		"by its name":        {[]string{"enter", "hot key", "enter", "enter"}, "you called hot key: right"},
		"nothing wrong":      {[]string{"enter", "7", "enter"}, "you called none: wrong"},
		"no such cause":      {[]string{"enter", "9", "enter"}, "a digit from 1 to 7 is wanted"},
		"thought over again": {[]string{"enter", "esc"}, "DRILL"},
	} {
		t.Run(name, func(t *testing.T) {
			m := still(Options{Drill: true, Hindsight: whole}, 120, 40, whole)
			start := m.wall
			m.now = func() time.Time { return start.Add(90 * time.Second) }
			for _, k := range c.keys {
				m.typed(k)
			}
			got := strings.Join(strings.Fields(m.plain()), " ")
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q:\n%s", c.want, m.plain())
			}
			if c.want[:3] != "you" {
				return
			}
			for _, want := range []string{"in the end: HOT KEY", "what gave it away: ", "after it began, on which you spent 2 min"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q:\n%s", want, m.plain())
				}
			}
		})
	}
	m := still(Options{Drill: true, Hindsight: healthy}, 120, 40, healthy)
	m.typed("enter", "7", "enter")
	if got := m.plain(); !strings.Contains(got, "you called none: right") {
		t.Errorf("where nothing was wrong:\n%s", got)
	}
}
