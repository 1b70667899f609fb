package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
)

func TestGoldenRunbooks(t *testing.T) {
	d := incident()
	for name, steps := range map[string][]analysis.Step{
		"runbook-bound.md":   d.Runbook(d.Leading()),
		"runbook-unbound.md": analysis.Runbook(analysis.GSIPressure),
	} {
		var out bytes.Buffer
		if err := Runbook(&out, steps); err != nil {
			t.Fatal(err)
		}
		golden(t, name, out.String())
	}
}

func TestRunbookReturnsWriteErrors(t *testing.T) {
	if err := Runbook(brokenWriter{}, analysis.Runbook(analysis.HotKey)); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

func TestGoldenWalk(t *testing.T) {
	d := incident()
	e := d.Leading()
	steps := append(d.Runbook(e), analysis.Step{Phase: "Ours", Text: "page the owner of TENANT#123"})
	log := []analysis.Choice{
		{At: at(60), Shown: at(8), Step: steps[0], Pick: analysis.Done},
		{At: at(61), Shown: at(8), Step: steps[1], Pick: analysis.Done},
		{At: at(62), Shown: at(9), Step: steps[len(steps)-1], Pick: analysis.Skipped},
		{At: at(63), Shown: at(9), Step: steps[1], Pick: analysis.Reopened},
	}
	var out bytes.Buffer
	if err := Walk(&out, d, e, steps, log, Options{Mask: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "walk-masked.md", out.String())
	if strings.Contains(out.String(), "TENANT") {
		t.Error("a masked log shows a key")
	}
	if err := Walk(brokenWriter{}, d, e, steps, log, Options{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
