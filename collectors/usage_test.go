package collectors

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// felt are the operations for which a batch tells percentiles and AWS's own errors.
func felt(b telemetry.Batch) (tails, errors []string) {
	for _, s := range b.Series {
		switch {
		case s.ID.Stat == telemetry.P99:
			tails = append(tails, s.ID.Operation)
		case s.ID.Metric == telemetry.SystemErrors:
			errors = append(errors, s.ID.Operation)
		}
	}
	slices.Sort(tails)
	slices.Sort(errors)
	return tails, errors
}

// An operation that is used only after the first poll is asked for from the poll
// that sees it, and again with each poll after it, whether it is still used or not.
func TestWhatIsFeltIsAskedForOnlyOfOperationsThatAreUsed(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	const early, late = 5 * time.Minute, 45 * time.Minute
	for i, s := range b.Series {
		b.Series[i].Points = slices.DeleteFunc(slices.Clone(s.Points), func(p telemetry.Point) bool {
			at := p.Time.Sub(b.Window.Start)
			return s.ID.Operation == "GetItem" && at > early || s.ID.Operation == "UpdateItem" && at < late
		})
	}
	environment(t)
	synctest.Test(t, func(t *testing.T) {
		server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now()})
		time.Sleep(40 * time.Minute)
		l := connect(t, server, Config{Tables: tableNames(b)})
		want := []string{"GetItem", "PutItem"}
		for range 30 {
			batch := next(t, l)
			if slices.ContainsFunc(batch.Series, func(s telemetry.Series) bool { return s.ID.Operation == "UpdateItem" && len(s.Points) > 0 }) {
				want = []string{"GetItem", "PutItem", "UpdateItem"}
			}
			tails, errors := felt(batch)
			if diff := gocmp.Diff([][]string{want, want}, [][]string{tails, errors}); diff != "" {
				t.Fatalf("%s: (-want +got):\n%s", batch.Window.End, diff)
			}
		}
		if len(want) != 3 {
			t.Error("no update was seen")
		}
	})
}
