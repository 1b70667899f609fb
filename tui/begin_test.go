package tui

import (
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestALiveDashboardBeginsWithTheIndexItWasToldAndEscReturnsToTheVerdict(t *testing.T) {
	d := diagnose(incident(t, "hot-key-tenant"))
	home := d.Tables[0].ID
	open := telemetry.TableID{Table: home.Table}.WithIndex("by-status")
	m := still(Options{Live: true, Open: open, OpenDirection: telemetry.Read}, 80, 24, d)
	if m.resource != home.WithIndex("by-status") || m.dir != telemetry.Read {
		t.Errorf("it begins with %s, %s", m.resource, m.dir)
	}
	m.receive(diagnosisMsg{diagnosis: d})
	if m.resource.Index != "by-status" {
		t.Errorf("the next poll turns to %s", m.resource)
	}
	press(m, "esc")
	if m.resource != d.Leading().Resource {
		t.Errorf("Esc turns to %s", m.resource)
	}
	for _, without := range []Options{{Live: true}, {Live: true, Open: telemetry.TableID{Table: home.Table}.WithIndex("nosuch")}} {
		if m := still(without, 80, 24, d); m.resource != d.Leading().Resource {
			t.Errorf("%+v begins with %s", without.Open, m.resource)
		}
	}
}

func TestWithoutADirectionTheOneInTroubleIsBegunWith(t *testing.T) {
	id := telemetry.TableID{Table: "orders"}.WithIndex("by-day")
	d := &analysis.Diagnosis{Events: []*analysis.Event{{Resource: id, Direction: telemetry.Read}}}
	if got := troubled(d, id); got != telemetry.Read {
		t.Errorf("begins with %ss", got)
	}
	if got := troubled(d, id.TableID.Resource()); got != telemetry.Write {
		t.Errorf("where nothing is told, begins with %ss", got)
	}
}
