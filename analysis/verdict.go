package analysis

import (
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Verdict answers in words what a reader needs first. Its strings are one line
// each, hold names and keys as they came, and are cleaned where they are shown.
type Verdict struct {
	// Title is the cause in capitals, or HEALTHY, or NO EVENT where the data don't
	// let one say that all is well.
	Title string
	// Summary says where, what, how much and since when; times are UTC.
	Summary string
	// Sure is the confidence, such as "97 % sure", or "cause unknown"; "" where there is
	// no event.
	Sure string
	// DoNow is what to do first against the cause, WontHelp what not to reach for; "" for none.
	DoNow, WontHelp string
}

// Leading is the event that the verdict is about: one that still stands before one
// that is over, then the one with the most refusals, weighed by confidence. Notes
// never lead; nil where there is nothing but notes.
func (d *Diagnosis) Leading() *Event {
	var best *Event
	for _, e := range d.Events {
		if e.Note() {
			continue
		}
		if best == nil || e.outranks(best) {
			best = e
		}
	}
	return best
}

func (e *Event) outranks(other *Event) bool {
	if e.Ongoing != other.Ongoing {
		return e.Ongoing
	}
	return e.ThrottledEvents*e.Confidence > other.ThrottledEvents*other.Confidence
}

// Verdict is the verdict on the leading event, or what was looked at where there is
// none.
func (d *Diagnosis) Verdict() Verdict {
	e := d.Leading()
	if e == nil {
		return d.quietVerdict()
	}
	v := d.VerdictOn(e)
	if len(d.Tables) > 1 {
		v.Summary = d.Namer()(e.Resource.TableID.Resource()) + " · " + v.Summary
	}
	return v
}

// VerdictOn is the verdict on one of the diagnosis's events, with the measured
// load at hand.
func (d *Diagnosis) VerdictOn(e *Event) Verdict { return e.verdict(d.LoadOf(e)) }

// LoadOf is the load that an event is about; nil where the event's resource isn't
// among the diagnosis's tables.
func (d *Diagnosis) LoadOf(e *Event) *Load {
	if _, r := d.place(e); r != nil {
		return r.Load(e.Direction)
	}
	return nil
}

// place finds an event's table and resource; nil where they aren't known.
func (d *Diagnosis) place(e *Event) (*Table, *Resource) {
	i, known := slices.BinarySearchFunc(d.Tables, e.Resource.TableID, func(t *Table, id telemetry.TableID) int { return t.ID.Compare(id) })
	if !known {
		return nil, nil
	}
	for _, r := range d.Tables[i].Resources {
		if r.ID == e.Resource {
			return d.Tables[i], r
		}
	}
	return nil, nil
}

// Verdict is the verdict on the event by itself, without the measured load: what a
// table is allowed is then not said.
func (e *Event) Verdict() Verdict { return e.verdict(nil) }

func (e *Event) verdict(l *Load) Verdict {
	v := Verdict{
		Title:   e.title(),
		Summary: strings.Join([]string{e.work() + "s", e.what(l) + " " + e.span(), e.RefusedText()}, " · "),
		Sure:    percent(e.Confidence) + " sure",
	}
	if e.Cause == Undetermined {
		v.Sure = "cause unknown"
	}
	v.DoNow = e.doNow()
	const most = 2
	var fixes []string
	for _, w := range e.WontHelp[:min(most, len(e.WontHelp))] {
		fixes = append(fixes, w.Fix)
	}
	v.WontHelp = strings.Join(fixes, ", ")
	return v
}

// doNow is the first thing to do that mends the event's cause: retries that back off only
// shed its load. Where nothing mends it soon, or the cause isn't known, it is the first of
// all; "" for none.
func (e *Event) doNow() string {
	if len(e.Recommendations) == 0 {
		return ""
	}
	for _, r := range e.Recommendations {
		if e.Cause == Undetermined || r.Stage == DoNothing || r.Stage == Redesign {
			break
		}
		if r.Action != BackOffRetries {
			return r.Summary
		}
	}
	return e.Recommendations[0].Summary
}

func (e *Event) title() string {
	if e.Cause == TableCapacity && e.Limit == telemetry.MaxOnDemandLimit {
		return strings.ToUpper(telemetry.Words(e.Limit))
	}
	return strings.ToUpper(telemetry.Words(e.Cause))
}

// work is the singular of what the event refuses: read or write.
func (e *Event) work() string { return string(e.Direction) }

// Namer gives resources their names in this diagnosis: with the Region where there are
// tables of several, and with the account likewise. Names are cleaned where they are shown.
func (d *Diagnosis) Namer() func(telemetry.ResourceID) string {
	var accounts, regions bool
	for _, t := range d.Tables {
		accounts = accounts || t.ID.Account != d.Tables[0].ID.Account
		regions = regions || t.ID.Region != d.Tables[0].ID.Region
	}
	return func(id telemetry.ResourceID) string {
		name := id.String()
		if regions {
			name += " in " + id.Region
		}
		if accounts {
			name += " of " + id.Account
		}
		return name
	}
}

// Caller says with whose credentials the commands of an event's advice are to be run,
// where those at hand may be another account's: the data tell of several, or of one that
// is linked. "" where that needs no word.
func (d *Diagnosis) Caller(e *Event) string {
	account := e.Resource.Account
	other := slices.ContainsFunc(d.Tables, func(t *Table) bool { return t.ID.Account != account }) ||
		slices.ContainsFunc(d.Warnings, func(w telemetry.Warning) bool {
			return w.Code == telemetry.LinkedAccount && w.Resource.Account == account
		})
	if !other || account == "" {
		return ""
	}
	return "for account " + account + ", with its credentials (--profile)"
}
