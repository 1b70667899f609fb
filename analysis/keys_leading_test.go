package analysis

import (
	"fmt"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// TestHotKeyIsFoundAmongKeysThatNeverRecur ranks 50 new keys each minute for two hours
// beside the hot key of another hour.
func TestHotKeyIsFoundAmongKeysThatNeverRecur(t *testing.T) {
	b := benchDay(180, 0, 25)
	for i := range b.Rankings {
		if b.Rankings[i].Kind.Throttled() {
			continue
		}
		for n := range 2 * 3000 {
			at := caseStart.Add(time.Duration(n/50) * time.Minute)
			b.Rankings[i].Contributors = append(b.Rankings[i].Contributors, telemetry.Contributor{
				Key: telemetry.Key{Partition: fmt.Sprintf("once-%04d", n)}, Points: []telemetry.Point{{Time: at, Value: 2000}},
			})
		}
	}
	a := New()
	d := a.Observe(b)
	e := d.Leading()
	if e == nil || e.Cause != HotKey || len(e.Keys) == 0 || e.Keys[0].Key.Partition != "key-0" {
		t.Fatalf("the leading event is %+v", e)
	}
	if n := len(a.facts.keyTracks(d.Tables[0].Resources[0].ID)); n > MaxKeys {
		t.Errorf("%d keys are laid out", n)
	}
}
