package tui

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
)

// pressed is the message that a key's name stands for.
func pressed(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// still is a model that shows some diagnoses with no feed and a clock that stands.
func still(o Options, w, h int, steps ...*analysis.Diagnosis) *model {
	at := steps[len(steps)-1].Window.End
	o.Now = func() time.Time { return at }
	m := newModel(context.Background(), nil, o)
	m.ended = true
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for _, d := range steps {
		m.Update(diagnosisMsg{diagnosis: d})
	}
	m.seekEnd()
	return m
}

func (m *model) typed(keys ...string) {
	for _, k := range keys {
		m.Update(pressed(k))
	}
}

func (m *model) plain() string { return ansi.Strip(strings.Join(m.frame(), "\n")) }

func TestKeysAreUnique(t *testing.T) {
	met := map[string]string{}
	for _, b := range newKeyMap() {
		for _, k := range b.binding.Keys() {
			if before := met[k]; before != "" {
				t.Errorf("%s does both %q and %q", k, before, b.binding.Help().Desc)
			}
			met[k] = b.binding.Help().Desc
			if got := newKeyMap().action(pressed(k)); got != b.action {
				t.Errorf("%s does action %d, want %d", k, got, b.action)
			}
		}
	}
}

func TestHelpListsEveryAction(t *testing.T) {
	m := still(Options{Paused: true}, 80, 70, fixtures(t)["hot-key-tenant"])
	m.typed("?")
	for _, b := range m.keys {
		if b.action != down && b.action != left && b.action != right && !strings.Contains(m.plain(), b.binding.Help().Desc) {
			t.Errorf("help at 80x70 lacks %q", b.binding.Help().Desc)
		}
	}
}

func TestTheKeyTableHasEveryKey(t *testing.T) {
	table := KeyTable()
	for _, b := range newKeyMap() {
		for _, k := range b.binding.Keys() {
			if b.action != left && b.action != right && !strings.Contains(table, k) {
				t.Errorf("%s isn't in the table", k)
			}
		}
	}
	if table != KeyTable() || !strings.HasPrefix(table, "| key | what it does |\n| --- | --- |\n| `1` |") {
		t.Errorf("not a stable table:\n%s", table)
	}
}

func TestEveryKeyInEveryPaneLeavesAnExactFrame(t *testing.T) {
	for _, live := range []bool{false, true} {
		for _, name := range []string{"two-at-once", "hostile 0", "nothing"} {
			for _, from := range []string{"1", "2", "3", "4", "5", "6", "7", "?"} {
				for _, b := range newKeyMap() {
					m := still(Options{Paused: true, Live: live}, 80, 20, fixtures(t)[name])
					for _, k := range append([]string{from}, b.binding.Keys()...) {
						m.typed(k)
						if wrong := exact(m.frame(), 80, 20); wrong != "" {
							t.Fatalf("%s, live %v, %s then %s: %s", name, live, from, k, wrong)
						}
					}
				}
			}
		}
	}
}

func TestRandomKeysNeverBreakTheFrame(t *testing.T) {
	var keys []string
	for _, b := range newKeyMap() {
		keys = append(keys, b.binding.Keys()...)
	}
	keys = append(keys, "backspace", "0", "9", "日", "T", "up", "down", "v", "v", "d")
	steps := []*analysis.Diagnosis{fixtures(t)["five-warm-tenants"], fixtures(t)["hostile 8"]}
	random := rand.New(rand.NewPCG(3, 4))
	for run := range 12 {
		m := still(Options{Drill: run%4 == 0, Live: run%2 == 0, Hindsight: steps[1]}, 80, 24, steps...)
		var typed []string
		for range 150 {
			k := keys[random.IntN(len(keys))]
			typed = append(typed, k)
			m.typed(k)
			if random.IntN(10) == 0 {
				m.Update(tea.WindowSizeMsg{Width: 1 + random.IntN(220), Height: 1 + random.IntN(70)})
			}
			if wrong := exact(m.frame(), m.width, m.height); wrong != "" {
				t.Fatalf("%dx%d after %q: %s", m.width, m.height, typed, wrong)
			}
		}
	}
}

func TestQuittingGoesBackOneLevelAtATime(t *testing.T) {
	m := still(Options{Paused: true}, 80, 24, fixtures(t)["hot-key-tenant"])
	m.typed("4", "?")
	for _, want := range []pane{advicePane, heatPane} {
		if _, cmd := m.Update(pressed("q")); cmd != nil || m.pane != want {
			t.Fatalf("q leads to pane %d, want %d", m.pane, want)
		}
	}
	_, cmd := m.Update(pressed("q"))
	if cmd == nil {
		t.Fatal("the last q doesn't quit")
	}
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Error("the last q doesn't quit")
	}
}

func TestEverythingInAListCanBeReached(t *testing.T) {
	for _, p := range []string{"2", "3", "4", "5", "6", "7", "?"} {
		for _, key := range []string{"down", "pgdown"} {
			m := still(Options{Paused: true}, 80, 18, fixtures(t)["two-at-once"])
			m.typed(p)
			all := m.sheet(m.width)
			missing := map[string]bool{}
			for _, l := range all.lines {
				missing[strings.TrimSpace(ansi.Strip(l))] = true
			}
			for range len(all.lines) + len(all.items) + 1 {
				for _, l := range m.frame() {
					delete(missing, strings.TrimSpace(ansi.Strip(l)))
				}
				m.typed(key)
			}
			for l := range missing {
				t.Errorf("pane %s by %s: never shown: %q", p, key, l)
			}
		}
	}
}

func TestTheSelectionIsInSight(t *testing.T) {
	for _, p := range []string{"2", "3", "4", "6", "7"} {
		m := still(Options{Paused: true}, 80, 18, fixtures(t)["two-at-once"])
		m.typed(p)
		for _, key := range []string{"down", "up", "pgdown", "pgup"} {
			for range 30 {
				m.typed(key)
				h := m.layout().body.h
				s := m.sheet(m.width)
				from, to := s.span(m.cursor)
				if first := m.firstOf(s, h); to <= first || from >= first+s.room(h) {
					t.Fatalf("pane %s after %s: nothing of item %d is in sight\n%s", p, key, m.cursor, m.plain())
				}
			}
		}
	}
}

func TestHelpIsShownInFull(t *testing.T) {
	for _, w := range []int{60, 115, 116, 200} {
		frame := Frame(fixtures(t)["busy-not-hot"], FrameOptions{Width: w, Height: 90, Pane: "help"})
		for _, b := range newKeyMap() {
			if b.action != down && b.action != left && b.action != right && !strings.Contains(frame, " "+b.binding.Help().Desc+" ") {
				t.Errorf("at %d columns %q is cut or missing", w, b.binding.Help().Desc)
			}
		}
	}
}
