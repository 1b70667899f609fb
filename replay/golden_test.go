package replay

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var writeGolden = flag.Bool("write-golden", false, "write testdata/v1.hotpart; once per format version, then never again")

// TestRecordingsOfEarlierVersionsStillLoad reads a recording that was written
// when version 1 was new. The file is never written again.
func TestRecordingsOfEarlierVersionsStillLoad(t *testing.T) {
	path := filepath.Join("testdata", "v1.hotpart")
	batches := minutes(0, 45)
	if *writeGolden {
		if err := os.WriteFile(path, record(t, batches...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recording, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(batches, play(t, recording), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
