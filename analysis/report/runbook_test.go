package report

import (
	"bytes"
	"errors"
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
