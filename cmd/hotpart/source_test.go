package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/replay/scenario"
)

func TestBuiltInNamesAreDistinct(t *testing.T) {
	for _, i := range incidents.All {
		if slices.Contains(scenario.Names(), i.Name) {
			t.Errorf("%q names an incident and a scenario", i.Name)
		}
	}
}

func TestIncidentsAndScenariosOpenByName(t *testing.T) {
	a := app{in: strings.NewReader("")}
	for _, name := range []string{"hot-key-tenant", "hot-write-key"} {
		in, err := a.load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		want := telemetry.Source{Kind: telemetry.SourceRecording, Name: name}
		if len(in.batches) < 60 || in.batches[0].Source != want {
			t.Errorf("%s: %d batches from %v", name, len(in.batches), in.batches[0].Source)
		}
		if got := in.window.End.Sub(in.window.Start); got <= 0 || in.window.Period <= 0 {
			t.Errorf("%s: window %v", name, in.window)
		}
	}
}
