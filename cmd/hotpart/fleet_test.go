package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

// amidQuiet adds tables with indexes that refuse nothing, which come first by name.
func amidQuiet(b telemetry.Batch, tables, indexes int) telemetry.Batch {
	home := b.Tables[0].ID
	for i := range tables {
		id := telemetry.TableID{Account: home.Account, Region: home.Region, Table: fmt.Sprintf("a-quiet-%03d", i)}
		table := telemetry.Table{ID: id, Status: "ACTIVE", Mode: telemetry.ModeOnDemand}
		resources := []telemetry.ResourceID{id.Resource()}
		for j := range indexes {
			table.Indexes = append(table.Indexes, telemetry.Index{Name: fmt.Sprintf("by-%d", j), Status: "ACTIVE"})
			resources = append(resources, id.WithIndex(table.Indexes[j].Name))
		}
		b.Tables = append(b.Tables, table)
		for _, r := range resources {
			for _, d := range telemetry.Directions {
				b.Series = append(b.Series, telemetry.Series{
					ID:     telemetry.SeriesID{Resource: r, Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum},
					Period: time.Minute, Status: telemetry.Complete, Points: []telemetry.Point{},
				})
			}
		}
	}
	return b
}

func TestWatchWithoutATableShowsTheOneInTroubleFirst(t *testing.T) {
	b := amidQuiet(whole(t, "hot-key-tenant"), 8, 0)
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
	listed := term.shows("8 tables without refusals")
	if strings.Contains(listed, "a-quiet") || !strings.Contains(listed, name) {
		t.Errorf("the table in trouble isn't the one that is listed:\n%s", listed)
	}
	term.command("send-keys / quiet-007 Enter")
	term.shows("a-quiet-007 ")
	term.command("send-keys Enter")
	term.shows("all of a-quiet-007 is asked for")
	term.command("send-keys q q")
	term.shows("status=0")
}

func TestSeveralRegionsAreDiagnosedAndRecordedSideBySide(t *testing.T) {
	b := whole(t, "hot-key-tenant")
	name := b.Tables[0].ID.Table
	servers := inRegions(b, "eu-west-1,us-east-1", awsserver.Config{Begin: time.Now().Truncate(time.Minute).Add(-40 * time.Minute)})
	onAWS(t, servers, "eu-west-1")
	servers["us-east-1"].Fail("DescribeLimits", awsserver.Fault{Kind: awsserver.Deny})
	status, out, errs := hotpart(t, "diagnose", name, "--region", "eu-west-1,us-east-1", "--last", "40m")
	for _, words := range []string{name + " in us-east-1", name + " in eu-west-1", "us-east-1: the account: dynamodb:DescribeLimits is denied"} {
		if status != statusDone || !strings.Contains(out, words) {
			t.Errorf("status %d, no %q in\n%s\n%s", status, words, out, errs)
		}
	}
	path := filepath.Join(t.TempDir(), "both.hotpart")
	status, _, errs = hotpart(t, "record", name, "--region", "eu-west-1,us-east-1", "-o", path, "--for", "1ms")
	if status != statusDone || !strings.Contains(errs, "in eu-west-1, us-east-1") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, out, errs = hotpart(t, "diagnose", "--from", path); status != statusDone || !strings.Contains(out, name+" in us-east-1") {
		t.Errorf("status %d: %s\n%s", status, out, errs)
	}
	if status, _, errs = hotpart(t, "diagnose", name, "--region", "eu-west-1,"); status != statusUsage || !strings.Contains(errs, "empty name") {
		t.Errorf("status %d: %s", status, errs)
	}
}
