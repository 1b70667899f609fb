package logs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzLogs reads anything as a log. Whatever it is: no panic, points in order and in
// whole minutes, a window that holds the last of them, and the same again.
func FuzzLogs(f *testing.F) {
	f.Add("2026-03-02T10:04:05.123Z PutItem ThrottlingException RequestID: GP7EABCDEFGHIJKLMNOP attempts: 9\n\tat x\n")
	f.Add(`{"timestamp":1772445845010,"message":"{\"reason\":\"TableReadKeyRangeThroughputExceeded\",\"resource\":\"` + arn + `/index/i\"}"}`)
	f.Add("3/2/2026, 10:04:39.692 AM ProvisionedThroughputExceeded Query TableName: 'orders'\n[02/Mar/2026:12:04:05 +0200] RequestLimitExceeded DynamoDB Scan")
	f.Add("2026-03-02 10:04:05+0200 Throughput exceeds the maximum OnDemandThroughput BatchGetItem")
	f.Fuzz(func(t *testing.T, log string) {
		first, err := Decode(strings.NewReader(log), "fuzz")
		if err != nil {
			return
		}
		if _, err := json.Marshal(first); err != nil {
			t.Errorf("write the batch: %v", err)
		}
		if w := first.Window; !w.Start.Before(w.End) || w.End.Sub(w.Start) > maxWindow {
			t.Errorf("window %v", w)
		}
		for _, s := range first.Series {
			if s.ID.Resource.Table == "" || len(s.Points) == 0 {
				t.Errorf("series %v has %d points", s.ID, len(s.Points))
			}
			for i, p := range s.Points {
				if p.Time.Second() != 0 || i > 0 && !s.Points[i-1].Time.Before(p.Time) || p.Time.After(first.Window.End) {
					t.Errorf("%v: point %d at %v", s.ID, i, p.Time)
				}
			}
		}
		second, _ := Decode(strings.NewReader(log), "fuzz")
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("the second time: %s", diff)
		}
	})
}
