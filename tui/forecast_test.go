package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/hotpart/hotpart/analysis"
)

// forecastsIn runs a command and returns the forecasts that it brings.
func forecastsIn(t *testing.T, cmd tea.Cmd) forecastsMsg {
	t.Helper()
	if cmd == nil {
		t.Fatal("no forecast is asked for")
	}
	msg, ok := cmd().(forecastsMsg)
	if !ok {
		t.Fatalf("the command brings %T", msg)
	}
	return msg
}

func TestAdviceShowsItsForecastOnceWorkedOut(t *testing.T) {
	m := still(Options{Paused: true}, 80, 70, fixtures(t)["hot-key-tenant"])
	_, cmd := m.Update(pressed("4"))
	wants(t, m, "forecast: being worked out")
	if _, again := m.Update(pressed("down")); again != nil {
		t.Error("a second request is made while one is in flight")
	}
	if _, again := m.Update(forecastsIn(t, cmd)); again != nil {
		t.Error("what is known is asked for again")
	}
	wants(t, m, "forecast: refusals 45.4M → ")
	wants(t, m, "(modelled)")
	wants(t, m, "no forecast: how often clients try now isn't known")
	if strings.Contains(seen(m), "being worked out") {
		t.Errorf("something is still being worked out:\n%s", seen(m))
	}
	wants(t, m, "that the cause is right")
}

func TestForecastsOfALaterStepAreNeverShown(t *testing.T) {
	in := incident(t, "hot-key-tenant")
	half := diagnose(in[:len(in)/2])
	m := still(Options{Paused: true}, 80, 40, half, fixtures(t)["hot-key-tenant"])
	_, cmd := m.Update(pressed("4"))
	_, cmd = m.Update(forecastsIn(t, cmd))
	if cmd != nil {
		t.Error("what is known is asked for again")
	}
	m.history.at = 0
	wants(t, m, "forecast: being worked out")
	early := forecastsIn(t, m.forecast())
	m.Update(early)
	wants(t, m, "forecast: refusals ")
	if early.of != half {
		t.Error("the forecast is not of the step shown")
	}
	m.history.at = 1
	if f, known := m.forecastOf(m.shownEvent(), 1); !known || f.Before.Throttled != early.list[1].Before.Throttled {
		t.Error("on the way on, the forecast of the step before doesn't stand")
	}
	forecastsIn(t, m.forecast())
}

func TestNoForecastIsMadeForPanesThatShowNone(t *testing.T) {
	m := still(Options{Paused: true}, 80, 40, fixtures(t)["hot-key-tenant"])
	for _, pane := range []string{"1", "2", "3", "5", "6", "7", "?"} {
		if _, cmd := m.Update(pressed(pane)); cmd != nil {
			t.Errorf("pane %s asks for %T", pane, cmd())
		}
	}
	drill := still(Options{Paused: true, Drill: true}, 80, 40, fixtures(t)["hot-key-tenant"])
	if _, cmd := drill.Update(pressed("4")); cmd != nil {
		t.Error("a drill asks for forecasts")
	}
	quiet := still(Options{Paused: true}, 80, 40, analysis.New().Diagnose())
	if _, cmd := quiet.Update(pressed("4")); cmd != nil {
		t.Error("without an event forecasts are asked for")
	}
}
