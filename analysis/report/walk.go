package report

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Walk writes what was chosen, step by step, while somebody walked through the runbook of
// an event, oldest first: a Markdown table and then the steps as they stand, ticked by
// the choices before the data.
func Walk(w io.Writer, d *analysis.Diagnosis, e *analysis.Event, steps []analysis.Step, log []analysis.Choice, o Options) error {
	m := &markdownWriter{out: bufio.NewWriter(w)}
	b := newBuilder(d, o)
	m.line("# Runbook: " + escapeMarkdown(fmt.Sprintf("%s on %s, %ss since %s", telemetry.Words(e.Cause), telemetry.Clean(e.Resource.String()), e.Direction, b.moment(e.Start))))
	m.gap()
	m.line("| when | the incident's time | choice | step |")
	m.line("| --- | --- | --- | --- |")
	picked := map[string]analysis.Pick{}
	for _, c := range log {
		picked[c.Step.Text] = c.Pick
		m.line("| " + b.moment(c.At) + " | " + b.moment(c.Shown) + " | " + string(c.Pick) + " | " + escapeMarkdown(b.text(c.Step.Text)) + " |")
	}
	m.gap()
	for i := range steps {
		switch picked[steps[i].Text] {
		case analysis.Done:
			steps[i].State = analysis.DoneStep
		case analysis.Skipped:
			steps[i].State, steps[i].Text = analysis.UnknownStep, "skipped: "+steps[i].Text
		}
	}
	m.checklist(steps, b)
	if err := m.out.Flush(); err != nil {
		return fmt.Errorf("write runbook: %w", err)
	}
	return nil
}

func (b *builder) moment(t time.Time) string { return t.In(b.zone).Format("2006-01-02 15:04:05 MST") }
