package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// quietEnough is how long refusals must have stopped before a step counts as verified.
const quietEnough = 10 * time.Minute

// Runbook is the walkthrough for one of the diagnosis's events, with its names, numbers
// and commands. Steps that the data show as done or as open say so.
func (d *Diagnosis) Runbook(e *Event) []Step {
	t, r := d.place(e)
	if r == nil {
		return Runbook(e.Cause)
	}
	a := &adviser{table: t, res: r, event: e, load: r.Load(e.Direction)}
	steps := a.checks()
	steps = append(steps, a.decisions()...)
	if a.raiseFits() && a.covered() {
		steps = append(steps, Step{Phase: ActPhase, Text: "raise what " + a.place() + " is allowed: " + a.raisedText(), Commands: []string{a.describe()}, State: DoneStep})
	}
	for _, x := range e.Recommendations {
		steps = append(steps, Step{Phase: ActPhase, Text: x.Summary, Commands: x.Commands, State: a.actState(x)})
		if s := d.Sharding(e, x); s != nil {
			steps[len(steps)-1].Sharding = s
			for _, text := range s.Migration() {
				steps = append(steps, Step{Phase: ActPhase, Text: text})
			}
		}
	}
	steps = append(steps, d.verifySteps(a)...)
	for _, text := range handOver {
		steps = append(steps, Step{Phase: HandOverPhase, Text: text})
	}
	return append(steps, d.Afterwards(e)...)
}

func (a *adviser) checks() []Step {
	id := a.res.ID
	where := strings.Join(append([]string{"table " + id.Table}, a.known("account "+id.Account, id.Account, "Region "+id.Region, id.Region)...), ", ")
	steps := []Step{
		{Phase: CheckPhase, Text: "make sure that you act on " + where, Commands: []string{a.aws("sts", "get-caller-identity"), a.describe()}},
		a.limitStep(),
	}
	switch a.event.Cause {
	case HotKey, HotPartition, LargeItem, Undetermined:
		steps = append(steps, a.keyStep())
	case TableCapacity, GSIPressure:
		steps = append(steps, a.usedStep())
		if a.event.Limit == telemetry.KeyRangeLimit {
			steps[len(steps)-1] = a.keyStep()
		}
	}
	return append(append(steps, a.usersStep()...), a.changeStep(), a.callersStep())
}

// known keeps the texts whose value isn't "", given as pairs.
func (a *adviser) known(pairs ...string) []string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, pairs[i])
		}
	}
	return out
}

func (a *adviser) limitStep() Step {
	e := a.event
	s := Step{Phase: CheckPhase, Commands: []string{a.watch()}}
	if e.Limit == telemetry.UnknownLimit || e.LimitInferred {
		s.State = OpenStep
		s.Text = fmt.Sprintf("find out which limit refuses: %s is inferred, no metric named it", limitPhrase(e.Limit))
		return s
	}
	s.State = DoneStep
	s.Text = fmt.Sprintf("%s refuses %ss of %s: %s refusals", limitPhrase(e.Limit), e.work(), a.place(), telemetry.Thousands(e.ThrottledEvents))
	return s
}

func (a *adviser) keyStep() Step {
	e := a.event
	s := Step{Phase: CheckPhase, State: OpenStep, Text: "name the key: none is ranked"}
	if len(e.Keys) == 0 {
		if a.keysKnown() {
			s.State, s.Text = DoneStep, "keys are ranked and none of them explains it"
		}
		return s
	}
	k := e.Keys[0]
	s.Text = k.Key.Partition + " is refused; its load isn't known"
	if k.Rate != nil {
		s.State = DoneStep
		s.Text = fmt.Sprintf("%s draws %s to %s %s/s; one partition serves %s", k.Key.Partition,
			telemetry.Thousands(k.Rate.Low), telemetry.Thousands(k.Rate.High), e.Direction.Unit(), telemetry.Thousands(a.ceiling()))
	}
	return s
}

func (a *adviser) usedStep() Step {
	used, allowed := a.event.usedOfAllowed(a.load)
	if allowed <= 0 {
		return Step{Phase: CheckPhase, State: OpenStep, Text: "compare consumption with what " + a.place() + " is allowed, which isn't known", Commands: []string{a.describe()}}
	}
	return Step{Phase: CheckPhase, State: DoneStep, Text: fmt.Sprintf("%s used %s of %s %s/s where most was refused", a.place(), telemetry.Thousands(used), telemetry.Thousands(allowed), a.event.Direction.Unit())}
}

// usersStep says what it was to users, where requests are counted.
func (a *adviser) usersStep() []Step {
	u := a.event.Users
	if u == nil {
		return nil
	}
	said := append([]string{u.Operations[0].Text(), u.Absorbed()}, u.Apart()...)
	return []Step{{Phase: CheckPhase, State: DoneStep, Text: "what users felt: " + strings.Join(said, "; ")}}
}

// changeStep tells the last change before the event, as far as changes are recorded.
func (a *adviser) changeStep() Step {
	s := Step{Phase: CheckPhase, Text: "ask what was deployed or started before " + clock(a.event.Start) + " UTC"}
	for _, c := range a.table.Changes {
		if c.At.Before(a.event.Start.Add(time.Minute)) && a.event.Start.Sub(c.At) <= time.Hour {
			s.Text += "; at " + clock(c.At) + ": " + c.Text
		}
	}
	for _, text := range a.event.Context {
		s.Text += "; " + text
	}
	return s
}

func (a *adviser) decisions() []Step {
	var out []Step
	if sp := a.event.Splitting; sp != nil {
		text := "no split will cure it: " + sp.Why
		if sp.Cures {
			text = "a split is likely to cure it: " + sp.Why
		}
		out = append(out, Step{Phase: DecidePhase, Text: text, State: DoneStep})
	}
	for _, w := range a.event.WontHelp {
		out = append(out, Step{Phase: DecidePhase, Text: "rule out " + w.Fix + ": " + w.Why})
	}
	if len(out) == 0 {
		for _, text := range plans[a.event.Cause].decide {
			out = append(out, Step{Phase: DecidePhase, Text: text})
		}
	}
	return out
}

// actState says whether the data show an action as taken. Code changes don't show.
func (a *adviser) actState(r Recommendation) StepState {
	done := false
	switch r.Action {
	case RaiseProvisioned, RaiseIndexCapacity, RaiseOnDemandMaximum:
		return OpenStep // advised only where what is in force doesn't cover it
	case SwitchToOnDemand:
		done = a.onDemand()
	case EnableInsights:
		done = a.keysKnown()
	case WaitForSplit:
		done = !a.event.Ongoing || a.has(SplitInProgress) || a.splitSince()
	default:
		return UnknownStep
	}
	if done {
		return DoneStep
	}
	return OpenStep
}

func (a *adviser) splitSince() bool {
	for _, c := range a.table.Changes {
		if c.Kind == PartitionSplit && !c.At.Before(a.event.Start) {
			return true
		}
	}
	return false
}

// verifySteps tell from the refusals whether it is over for good.
func (d *Diagnosis) verifySteps(a *adviser) []Step {
	e := a.event
	quiet := Step{Phase: VerifyPhase, Text: "no refusals for ten minutes", Commands: []string{a.watch()}, State: OpenStep}
	if !e.Ongoing && d.Window.End.Sub(e.End) >= quietEnough {
		quiet.State = DoneStep
		quiet.Text = fmt.Sprintf("no sustained refusals since %s UTC, at least %d minutes", clock(e.End), int(d.Window.End.Sub(e.End).Minutes()))
	}
	load := Step{Phase: VerifyPhase, Text: "the load is back or still there, so it is cured and not just quiet", State: UnknownStep}
	during, after := a.meanLoad(e.Start, e.End), a.meanLoad(e.End, d.Window.End)
	if !e.Ongoing && during > 0 && after > 0 {
		load.State = OpenStep
		load.Text = fmt.Sprintf("the load after it is %s of what it was: wait for a peak like it", percent(after/during))
		if after >= 0.9*during {
			load.State = DoneStep
			load.Text = fmt.Sprintf("the load after it is %s of what it was, so it is cured and not just quiet", percent(after/during))
		}
	}
	return []Step{quiet, load}
}

// meanLoad is the mean of the known minutes in a span; 0 where none is known.
func (a *adviser) meanLoad(from, to time.Time) float64 {
	var sum float64
	n := 0
	for _, m := range a.load.Minutes {
		if m.State == telemetry.Known && !m.Start.Before(from) && m.Start.Before(to) {
			sum += float64(m.Consumed)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
