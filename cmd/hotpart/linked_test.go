package main

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

func TestATableOfALinkedAccountIsDiagnosedByItsMetricsAndTheReportSaysWhatIsMissing(t *testing.T) {
	b := whole(t, "hot-key-tenant")
	home := b.Tables[0].ID
	began := time.Now().Truncate(time.Minute).Add(-40 * time.Minute)
	linked := awsserver.New(awsserver.Config{Batch: b, Begin: began})
	own := telemetry.Batch{Window: b.Window, Tables: []telemetry.Table{{
		ID: telemetry.TableID{Account: "999900001111", Region: home.Region, Table: "own"}, Status: "ACTIVE", Mode: telemetry.ModeOnDemand,
	}}}
	server := awsserver.New(awsserver.Config{Batch: own, Begin: began, Linked: []*awsserver.Server{linked}})
	onAWS(t, server, home.Region)

	for _, args := range [][]string{{home.Table}, {"arn:aws:dynamodb:" + home.Region + ":" + home.Account + ":table/" + home.Table}} {
		status, out, errs := hotpart(t, append([]string{"diagnose", "--linked-accounts", "--last", "40m"}, args...)...)
		for _, words := range []string{home.Table, "account " + home.Account + " is seen by its metrics alone", "--profile", "capacity mode unknown", "limit              key range", "no key is known", "for account " + home.Account + ", with its credentials (--profile)"} {
			if status != statusDone || !strings.Contains(out, words) {
				t.Errorf("status %d, no %q in\n%s%s", status, words, out, errs)
			}
		}
		if !strings.Contains(errs, "linked accounts, of which metrics alone are told: "+home.Account+" "+home.Region) {
			t.Errorf("stderr says\n%s", errs)
		}
	}
	if status, _, errs := hotpart(t, "diagnose", home.Table); status != statusFailed || !strings.Contains(errs, "there is no table") {
		t.Errorf("without the flag: status %d, %s", status, errs)
	}
	if status, _, errs := hotpart(t, "diagnose", "--linked-accounts", "--alarm", "x"); status != statusUsage || !strings.Contains(errs, "not both") {
		t.Errorf("with an alarm: status %d, %s", status, errs)
	}
}
