package incidents

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/replay"
)

func TestEveryIncidentIsAWholeRecording(t *testing.T) {
	for _, incident := range All {
		t.Run(incident.Name, func(t *testing.T) {
			r, err := Open(incident.Name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := replay.Summarize(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Damage) > 0 || s.Batches < 60 || s.Points == 0 || len(s.Resources) == 0 {
				t.Errorf("%d batches, %d points, %d resources, damage %v", s.Batches, s.Points, len(s.Resources), s.Damage)
			}
			if incident.Title == "" || !strings.HasSuffix(incident.Description, ".") {
				t.Error("the incident isn't described")
			}
		})
	}
}

func TestEveryEmbeddedRecordingIsListed(t *testing.T) {
	paths, err := fs.Glob(files, "*.hotpart")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != len(All) {
		t.Errorf("%d recordings are embedded, %d incidents listed", len(paths), len(All))
	}
}

func TestUnknownNameIsAnError(t *testing.T) {
	for _, name := range []string{"", "nonesuch", "../incidents/hot-key-tenant"} {
		if _, err := Open(name); err == nil {
			t.Errorf("%q opens", name)
		}
	}
}
