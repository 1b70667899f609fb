package tui

import (
	"errors"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestTroubleSaysWhatToTypeAtEveryWidth(t *testing.T) {
	d := table(5, map[string][]telemetry.Rate{"a": steady(5, 900)})
	m := held(d, 200, 30)
	wall := d.Window.End
	m.now = func() time.Time { return wall }
	m.ended = false
	m.Update(diagnosisMsg{err: errors.New("describe table \"orders\": the security token has expired\nhint: aws sso login --profile prod")})
	wall = wall.Add(35 * time.Second)
	m.Update(retryMsg{})
	wants(t, m, " ! describe table \"orders\": the security token has expired, for 35 s; the data above stay · aws sso login --profile prod")
	for _, w := range []int{100, 80, 64} {
		m.width = w
		wants(t, m, ", for 35 s · aws sso login --profile prod")
	}
}

func TestWhatAKeyDidHidesTroubleForAMomentOnly(t *testing.T) {
	d := table(5, map[string][]telemetry.Rate{"a": steady(5, 900)})
	m := held(d, 100, 30)
	wall := d.Window.End
	m.now = func() time.Time { return wall }
	m.ended = false
	m.Update(diagnosisMsg{err: errors.New("no route to host")})
	press(m, "s")
	wants(t, m, "sorted, worst first")
	wall = wall.Add(time.Minute)
	m.Update(retryMsg{})
	wants(t, m, "! no route to host")
}

func TestAPlaceThatTellsNothingStandsInTheLastLineOfALiveScreen(t *testing.T) {
	d := table(5, map[string][]telemetry.Rate{"a": steady(5, 900)})
	d.Warnings = []telemetry.Warning{
		{Code: telemetry.Denied, Text: "the account: its quotas are not known; allow dynamodb:DescribeLimits"},
		{Code: telemetry.Unanswered, Text: "us-east-1: nothing is told since 10:04 UTC: the credentials have expired; aws sso login"},
	}
	m := still(Options{Live: true}, 100, 30, d)
	wants(t, m, " ! us-east-1: nothing is told since 10:04 UTC: the credentials have expired · aws sso login")
	m.typed("3")
	wants(t, m, " ! us-east-1: nothing")
	if m = still(Options{}, 100, 30, d); m.footerLine(100) != m.hints(100) {
		t.Errorf("a replay shows what no one can mend: %s", m.footerLine(100))
	}
}

func TestWhatFailedForAllTablesGivesWayToWhy(t *testing.T) {
	d := table(5, map[string][]telemetry.Rate{"a": steady(5, 900)})
	m := held(d, 80, 30)
	m.ended = false
	m.Update(diagnosisMsg{err: errors.New("the account: cloudwatch:GetMetricData had no answer for 20 s\nhint: it is asked for again")})
	wants(t, m, " ! had no answer for 20 s, for 0 s · it is asked for again")
}
