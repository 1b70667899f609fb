package analysis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var verdictStart = time.Date(2026, 3, 2, 23, 31, 0, 0, time.UTC)

// tenantEvent is a hot key that still stands.
func tenantEvent() *Event {
	refused := 5120.0
	return &Event{
		Resource:  telemetry.TableID{Account: "111122223333", Region: "eu-west-1", Table: "orders"}.Resource(),
		Direction: telemetry.Write, Start: verdictStart, End: verdictStart.Add(9 * time.Minute), Ongoing: true,
		Cause: HotKey, Limit: telemetry.KeyRangeLimit, Confidence: 0.97, ThrottledEvents: 5300,
		Keys: []EventKey{{
			Key:  telemetry.Key{Partition: "TENANT#123"},
			Rate: &Estimate{Likely: 950, Low: 940, High: 960}, ThrottledEvents: &refused,
		}},
		Refused:         &Range{Low: 1.0 / 6, High: 1.0 / 6},
		Demand:          &Estimate{Likely: 2600, Low: 1000, High: 4000},
		Hottest:         &Hottest{Rate: 1000, Low: 980, High: 1017, Ceiling: 1000, At: verdictStart},
		Recommendations: []Recommendation{{Summary: "shard TENANT#123 over 4 keys"}},
		WontHelp:        []WontHelp{{Fix: "more table capacity"}, {Fix: "switching to on-demand"}, {Fix: "a third"}},
	}
}

func changed(change func(*Event)) *Event {
	e := tenantEvent()
	change(e)
	return e
}

func TestVerdictSummaries(t *testing.T) {
	tests := []struct {
		name  string
		event *Event
		title string
		want  string
	}{
		{"hot key still standing", tenantEvent(), "HOT KEY", "writes · TENANT#123 fills one partition: about 1,000 of 1,000 WCU/s (modelled) since 23:31 · 1 in 6 writes refused"},
		{
			"hot key over after midnight", changed(func(e *Event) { e.Ongoing, e.End = false, verdictStart.Add(time.Hour) }),
			"HOT KEY", "writes · TENANT#123 fills one partition: about 1,000 of 1,000 WCU/s (modelled) from 23:31 to Mar 3 00:31, over · 1 in 6 writes refused",
		},
		{
			"two hot keys", changed(func(e *Event) {
				e.Keys = append(e.Keys, EventKey{Key: telemetry.Key{Partition: "TENANT#9"}, Rate: e.Keys[0].Rate})
			}),
			"HOT KEY", "writes · TENANT#123 and TENANT#9 fill a partition each: about 1,000 of 1,000 WCU/s (modelled) since 23:31 · 1 in 6 writes refused",
		},
		{
			"wide model says its range", changed(func(e *Event) { e.Hottest.Low = 700 }),
			"HOT KEY", "writes · TENANT#123 fills one partition: 700 to 1,017 of 1,000 WCU/s (modelled) since 23:31 · 1 in 6 writes refused",
		},
		{
			"neighbours share a partition only as far as the data tell", changed(func(e *Event) {
				e.Cause, e.Hottest, e.Refused = HotPartition, nil, nil
				e.Keys = []EventKey{{Key: telemetry.Key{Partition: "A"}}, {Key: telemetry.Key{Partition: "B"}}, {Key: telemetry.Key{Partition: "C"}}}
			}), "HOT PARTITION", "writes · A, B and 1 more are consistent with sharing one full partition since 23:31 · 5,300 refusals",
		},
		{
			"index blocks base writes", changed(func(e *Event) {
				e.Cause, e.Limit, e.Resource.Index, e.Hottest = GSIPressure, telemetry.ProvisionedLimit, "by-status", nil
			}), "GSI PRESSURE", "writes · index by-status refuses, which blocks writes to the table: 1,000 WCU/s served since 23:31 · 1 in 6 writes refused",
		},
		{
			"index reads block nothing", changed(func(e *Event) {
				e.Cause, e.Limit, e.Resource.Index, e.Direction, e.Keys, e.Hottest = GSIPressure, telemetry.KeyRangeLimit, "by-status", telemetry.Read, nil, nil
			}), "GSI PRESSURE", "reads · index by-status refuses; no write to the table is blocked: one of its partitions is full since 23:31 · 1 in 6 reads refused",
		},
		{
			"on-demand maximum", changed(func(e *Event) { e.Cause, e.Limit = TableCapacity, telemetry.MaxOnDemandLimit }),
			"ON-DEMAND MAXIMUM", "writes · the table's own on-demand maximum is reached: 1,000 WCU/s served since 23:31 · 1 in 6 writes refused",
		},
		{
			"quota", changed(func(e *Event) { e.Cause, e.Limit, e.Demand = AccountQuota, telemetry.AccountLimit, nil }),
			"ACCOUNT QUOTA", "writes · the account's per-table quota is reached since 23:31 · 1 in 6 writes refused",
		},
		{
			"undetermined", changed(func(e *Event) { e.Cause = Undetermined }),
			"UNDETERMINED", "writes · refused at a partition's limit for a reason the data don't show since 23:31 · 1 in 6 writes refused",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := tt.event.Verdict()
			if v.Title != tt.title {
				t.Errorf("title %q, want %q", v.Title, tt.title)
			}
			if diff := cmp.Diff(tt.want, v.Summary); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerdictNamesAdviceAndWhatNotToDo(t *testing.T) {
	v := tenantEvent().Verdict()
	want := Verdict{
		Title: v.Title, Summary: v.Summary, Sure: "97 % sure",
		DoNow: "shard TENANT#123 over 4 keys", WontHelp: "more table capacity, switching to on-demand",
	}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
}

func TestVerdictSaysWhatTheTableIsAllowed(t *testing.T) {
	e := changed(func(e *Event) { e.Cause, e.Limit = TableCapacity, telemetry.ProvisionedLimit })
	d := &Diagnosis{Events: []*Event{e}, Tables: []*Table{{ID: e.Resource.TableID, Resources: []*Resource{{
		ID: e.Resource, Read: &Load{},
		Write: &Load{Minutes: []Minute{{Start: e.Start, Consumed: 498, State: telemetry.Known, Capacity: 500}}},
	}}}}}
	want := "writes · the table's provisioned throughput is used up: 498 of 500 WCU/s since 23:31 · 1 in 6 writes refused"
	if got := d.Verdict().Summary; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLeadingEventStandsThenRefusesMost(t *testing.T) {
	over := changed(func(e *Event) { e.Ongoing, e.ThrottledEvents = false, 1e6 })
	note := changed(func(e *Event) { e.Confidence, e.ThrottledEvents = 0.2, 1e9 })
	small := changed(func(e *Event) { e.ThrottledEvents = 10 })
	big := tenantEvent()
	d := &Diagnosis{Events: []*Event{over, note, small, big}}
	if d.Leading() != big {
		t.Errorf("leading event is %+v", d.Leading())
	}
	if d := (&Diagnosis{Events: []*Event{note}}); d.Leading() != nil {
		t.Error("a note leads")
	}
}

func TestQuietVerdictIsHealthyOnlyWhereRefusalsAreKnown(t *testing.T) {
	known := Minute{State: telemetry.Known, ThrottleState: telemetry.Known}
	quiet := func(write ...Minute) *Diagnosis {
		return &Diagnosis{
			Window: telemetry.Window{Start: verdictStart, End: verdictStart.Add(20 * time.Minute)},
			Tables: []*Table{{Resources: []*Resource{{Read: &Load{Minutes: []Minute{known}}, Write: &Load{Minutes: write}}}}},
		}
	}
	sweptOnly := quiet(Minute{ThrottleState: telemetry.Known})
	sweptOnly.Tables[0].Resources[0].Read.RefusalsOnly = true
	sweptOnly.Tables[0].Resources[0].Write.RefusalsOnly = true
	tests := []struct {
		name string
		d    *Diagnosis
		want Verdict
	}{
		{"all known", quiet(known), Verdict{Title: "HEALTHY", Summary: "no refusals · 1 table from 23:31 to 23:51"}},
		{"refusals alone were asked for", sweptOnly, Verdict{Title: "HEALTHY", Summary: "no refusals · 1 table from 23:31 to 23:51, for refusals only"}},
		{"writes unknown", quiet(Minute{}), Verdict{Title: "NO EVENT", Summary: "none found, but refusals are unknown for 1 of 2 reads and writes of tables and indexes · 1 table from 23:31 to 23:51"}},
		{"nothing yet", &Diagnosis{}, Verdict{Title: "NO EVENT", Summary: "none found, but no table is known yet · 0 tables"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.d.Verdict()); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedTextIsARangeBecauseRetriesCountOneByOne(t *testing.T) {
	tests := []struct {
		refused *Range
		events  float64
		want    string
	}{
		{&Range{1.0 / 60, 1.0 / 6}, 1, "1 in 60 to 1 in 6 writes refused"},
		{&Range{0.05, 0.62}, 1, "5 % to 62 % of writes refused"},
		{&Range{0, 0.001}, 1, "up to 1 in 1,000 writes refused"},
		{&Range{1.0 / 12345, 1.0 / 12345}, 1, "1 in 12,000 writes refused"},
		{nil, 7600, "7,600 refusals"},
		{nil, 0, "no refusals counted"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			e := &Event{Direction: telemetry.Write, Refused: tt.refused, ThrottledEvents: tt.events}
			if got := e.RefusedText(); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestDoNowMendsRatherThanSheds(t *testing.T) {
	backOff := Recommendation{Action: BackOffRetries, Stage: RelieveNow, Summary: "back off"}
	shard := Recommendation{Action: ShardKey, Stage: FixThisWeek, Summary: "shard"}
	redesign := Recommendation{Action: RedesignKey, Stage: Redesign, Summary: "redesign"}
	wait := Recommendation{Action: BackOffRetries, Stage: DoNothing, Summary: "do nothing"}
	tests := []struct {
		name  string
		cause Cause
		list  []Recommendation
		want  string
	}{
		{"none", HotKey, nil, ""},
		{"mending first", HotKey, []Recommendation{shard, redesign}, "shard"},
		{"shedding before mending", HotKey, []Recommendation{backOff, shard, redesign}, "shard"},
		{"nothing mends soon", HotKey, []Recommendation{backOff, redesign}, "back off"},
		{"nothing to do", HotPartition, []Recommendation{wait, shard}, "do nothing"},
		{"cause unknown", Undetermined, []Recommendation{backOff, shard}, "back off"},
	}
	for _, test := range tests {
		e := changed(func(e *Event) { e.Cause, e.Recommendations = test.cause, test.list })
		if got := e.Verdict().DoNow; got != test.want {
			t.Errorf("%s: do now %q, want %q", test.name, got, test.want)
		}
	}
}
