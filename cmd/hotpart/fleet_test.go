package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// amidQuiet adds tables that refuse nothing, some of which come first by name.
func amidQuiet(b telemetry.Batch, tables int) telemetry.Batch {
	home := b.Tables[0].ID
	for i := range tables {
		id := telemetry.TableID{Account: home.Account, Region: home.Region, Table: fmt.Sprintf("%c-quiet", 'a'+i)}
		b.Tables = append(b.Tables, telemetry.Table{ID: id, Status: "ACTIVE", Mode: telemetry.ModeOnDemand})
		for _, d := range telemetry.Directions {
			b.Series = append(b.Series, telemetry.Series{
				ID:     telemetry.SeriesID{Resource: id.Resource(), Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum},
				Period: time.Minute, Status: telemetry.Complete, Points: []telemetry.Point{},
			})
		}
	}
	return b
}

func TestWatchWithoutATableShowsTheOneInTroubleFirst(t *testing.T) {
	b := amidQuiet(whole(t, "hot-key-tenant"), 8)
	name := b.Tables[0].ID.Table
	onAWS(t, awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Truncate(time.Minute).Add(-40 * time.Minute)}), b.Tables[0].ID.Region)
	term := newTerminal(t, "hotpart watch\necho \"status=$?\"\nread wait\n")
	screen := term.shows("HOT KEY")
	for _, words := range []string{name, b.Tables[0].ID.Region, "live", "/h"} {
		if !strings.Contains(screen, words) {
			t.Errorf("no %q on the screen:\n%s", words, screen)
		}
	}
	term.command("send-keys 7")
	listed := term.shows("h-quiet")
	if strings.Index(listed, name) > strings.Index(listed, "a-quiet") {
		t.Errorf("the table in trouble isn't first:\n%s", listed)
	}
	term.command("send-keys q q")
	term.shows("status=0")
}
