package replay

import (
	"bytes"
	"context"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// FuzzReader feeds anything to a Reader. Whatever can be read must survive being
// written and read again.
func FuzzReader(f *testing.F) {
	whole := record(f, minutes(0, 32)...)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(gunzip(f, whole)))
	f.Add([]byte("{\"kind\":\"header\",\"format\":\"hotpart.recording\",\"version\":1}\n{\"kind\":\"batch\"}\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r, err := NewReader(bytes.NewReader(input))
		if err != nil {
			return
		}
		var batches []telemetry.Batch
		for len(batches) < 100 {
			b, err := r.Next(context.Background())
			if err != nil {
				break
			}
			batches = append(batches, b)
		}
		again := record(t, batches...)
		if !bytes.Equal(again, record(t, play(t, again)...)) {
			t.Error("what was read is not what was written")
		}
	})
}
