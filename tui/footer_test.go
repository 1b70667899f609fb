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
