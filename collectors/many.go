package collectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Many asks about the same tables in several accounts and Regions, side by side; with
// one place it is that Live. A place that fails costs a warning, and the others go on.
// Meter, Look and Compare may be called at any time, everything else by one goroutine at a time.
type Many struct {
	places []*place
	budget float64
	now    func() time.Time
	wished wishes     // by Compare
	mu     sync.Mutex // for the places' live
}

// place is one profile in one Region.
type place struct {
	label string
	cfg   Config
	// live is nil where there are no credentials; they are looked for again.
	live  *Live
	tried time.Time // for credentials
	// err is why the last poll told nothing, and since when; nil where it did.
	err   error
	since time.Time
	// said are the last poll's warnings, which hold until the next.
	said []telemetry.Warning
}

// reopenEvery is how often credentials are looked for again where there were none.
const reopenEvery = 5 * time.Minute

// OpenMany opens each profile in each Region; none of either is the one that the AWS
// CLI would take. ARNs among the tables are asked for in their own Region only. The
// error is not nil only where no place could be opened.
func OpenMany(ctx context.Context, cfg Config, profiles, regions []string) (*Many, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	m := &Many{budget: cfg.Budget, now: cfg.Now, wished: make(wishes, 1)}
	one := len(profiles) < 2 && len(regions) < 2
	for _, profile := range orDefault(profiles) {
		for _, region := range orDefault(regions) {
			c := cfg
			c.Profile, c.Region = profile, region
			if !one {
				c.Budget, c.beside = 0, true
				c.Tables = inRegion(cfg.Tables, region)
			}
			if len(c.Tables) == 0 && len(cfg.Tables) > 0 {
				continue
			}
			if len(profiles) > 1 {
				c.alias = profile
			}
			m.places = append(m.places, &place{label: strings.TrimSpace(c.alias + " " + region), cfg: c})
		}
	}
	return m, m.open(ctx)
}

// orDefault is one empty name where there are none.
func orDefault(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// inRegion leaves out the ARNs of other Regions.
func inRegion(tables []string, region string) []string {
	return slices.DeleteFunc(slices.Clone(tables), func(name string) bool {
		id, ok := telemetry.ParseARN(name)
		return ok && region != "" && id.Region != region
	})
}

// open opens what isn't, one after the other, for each may ask for an MFA code. A
// profile's credentials serve all of its Regions.
func (m *Many) open(ctx context.Context) error {
	var first error
	opened := map[string]*Live{}
	for _, p := range m.places {
		if p.live != nil {
			opened[p.cfg.Profile] = p.live
			continue
		}
		p.tried = m.now()
		var l *Live
		var err error
		if other := opened[p.cfg.Profile]; other != nil && p.cfg.Region != "" {
			l = other.in(p.cfg)
		} else if l, err = Open(ctx, p.cfg); err != nil {
			if p.err == nil {
				p.since = m.now()
			}
			p.err = err
			if first == nil {
				first = err
			}
			continue
		}
		opened[p.cfg.Profile] = l
		m.mu.Lock()
		p.live, p.err = l, nil
		m.mu.Unlock()
		p.label = strings.TrimSpace(p.cfg.alias + " " + l.region)
	}
	if len(m.places) == 0 {
		return errors.New("none of the tables is in a Region that is asked\nhint: --region, with the Region of each table's ARN")
	}
	if len(m.live()) == 0 {
		return first
	}
	return nil
}

// live are the places that can be asked.
func (m *Many) live() []*place {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.places), func(p *place) bool { return p.live == nil })
}

// Places names what is asked, such as "eu-west-1" or "prod eu-west-1, prod us-east-1".
func (m *Many) Places() string {
	var labels []string
	for _, p := range m.places {
		labels = append(labels, p.label)
	}
	return strings.Join(labels, ", ")
}

// Look asks that, of a fleet, a table be asked for in full from the next poll on,
// whether it refuses or not, until another is named.
func (m *Many) Look(table telemetry.TableID) {
	for _, p := range m.live() {
		p.live.Look(table)
	}
}

// Alarm finds an alarm in the places, one after the other. From then on only the place
// that knows it is asked.
func (m *Many) Alarm(ctx context.Context, name string) (Alarm, error) {
	var first error
	for _, p := range m.live() {
		al, err := p.live.Alarm(ctx, name)
		if err == nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.places = []*place{p}
			p.live.cfg.Budget, p.live.cfg.beside = m.budget, false
			return al, nil
		}
		if first == nil {
			first = err
		}
	}
	return Alarm{}, first
}

// Focus says which tables to ask for, and how far back Next begins, instead of what
// Config said. It is for before the first poll.
func (m *Many) Focus(tables []string, since time.Duration) {
	for _, p := range m.live() {
		p.live.Focus(tables, since)
	}
}

// Meter adds up what was asked of all places.
func (m *Many) Meter() Meter {
	var sum Meter
	for _, p := range m.live() {
		one := p.live.Meter()
		sum.Calls += one.Calls
		sum.Metrics += one.Metrics
		sum.MetricsAPoll += one.MetricsAPoll
		sum.Every = max(sum.Every, one.Every)
	}
	return sum
}

// Next is the next poll of the places that are due, as Live.Next's of one. An error
// says that no place told anything.
func (m *Many) Next(ctx context.Context) (telemetry.Batch, error) {
	if len(m.places) == 1 {
		return m.places[0].live.Next(ctx)
	}
	for {
		if err := m.reopen(ctx); err != nil {
			return telemetry.Batch{}, err
		}
		due, pause := m.due()
		wish, err := m.wished.rest(ctx, pause)
		if err != nil {
			return telemetry.Batch{}, err
		}
		if wish != nil {
			b, ok, err := m.compare(ctx, *wish)
			if ok || err != nil {
				return b, err
			}
			continue
		}
		start := due[0].live.due().Start
		for _, p := range due[1:] {
			start = earlierOf(start, p.live.due().Start)
		}
		b, told := m.all(ctx, due, func(ctx context.Context, l *Live) (telemetry.Batch, error) {
			return l.once(ctx, start)
		})
		if err := ctx.Err(); err != nil {
			return telemetry.Batch{}, err
		}
		if told {
			m.spend()
			b.Warnings = append(b.Warnings, warnOfBudget(m.Meter(), m.budget)...)
			return b, nil
		}
		if err := m.failure(); err != nil {
			return telemetry.Batch{}, err
		}
	}
}

// reopen looks for credentials again where there were none; nobody is asked for a code
// any more.
func (m *Many) reopen(ctx context.Context) error {
	due := false
	for _, p := range m.places {
		p.cfg.Prompt = nil
		due = due || p.live == nil && m.now().Sub(p.tried) >= reopenEvery
	}
	if due {
		_ = m.open(ctx) // each place keeps its own reason
	}
	return ctx.Err()
}

// due are the places that are polled next, and how long that is away.
func (m *Many) due() (due []*place, pause time.Duration) {
	const together = 5 * time.Second
	live := m.live()
	pauses := make([]time.Duration, len(live))
	for i, p := range live {
		if !p.live.attempted.IsZero() {
			pauses[i] = p.live.pause()
		}
	}
	pause = slices.Min(pauses)
	for i, p := range live {
		if pauses[i] <= pause+together {
			due = append(due, p)
		}
	}
	return due, pause
}

// all asks places at the same time and joins what they told. told is false where that
// is nothing.
func (m *Many) all(ctx context.Context, places []*place, ask func(context.Context, *Live) (telemetry.Batch, error)) (b telemetry.Batch, told bool) {
	batches := make([]telemetry.Batch, len(places))
	var running sync.WaitGroup
	for i, p := range places {
		running.Go(func() {
			var err error
			if batches[i], err = ask(ctx, p.live); err != nil && p.err == nil {
				p.since = m.now()
			}
			p.err = err
		})
	}
	running.Wait()
	for i, p := range places {
		if p.err == nil {
			p.said = batches[i].Warnings
			join(&b, batches[i])
			told = true
		}
	}
	b.Warnings = m.warnings()
	return b, told
}

// join adds what one place told; all were asked for the same time, but for a minute where
// their clocks differ.
func join(b *telemetry.Batch, more telemetry.Batch) {
	if b.FetchedAt.IsZero() {
		b.Source, b.Window = more.Source, more.Window
	}
	b.Window.Start = earlierOf(b.Window.Start, more.Window.Start)
	if more.Window.End.After(b.Window.End) {
		b.Window.End = more.Window.End
	}
	if more.FetchedAt.After(b.FetchedAt) {
		b.FetchedAt = more.FetchedAt
	}
	b.Tables = append(b.Tables, more.Tables...)
	b.Insights = append(b.Insights, more.Insights...)
	b.Quotas = append(b.Quotas, more.Quotas...)
	b.Shards = append(b.Shards, more.Shards...)
	b.Targets = append(b.Targets, more.Targets...)
	b.Activities = append(b.Activities, more.Activities...)
	b.Series = append(b.Series, more.Series...)
	b.Rankings = append(b.Rankings, more.Rankings...)
	b.Marks = append(b.Marks, more.Marks...)
}

// warnings say which places tell nothing now, since when, and what to type, and what
// the others said last.
func (m *Many) warnings() []telemetry.Warning {
	var out, said []telemetry.Warning
	for _, p := range m.places {
		if p.err == nil {
			for _, w := range p.said {
				w.Text = p.label + ": " + w.Text
				said = append(said, w)
			}
			continue
		}
		what, hint, _ := strings.Cut(p.err.Error(), "\nhint: ")
		text := fmt.Sprintf("%s: nothing is told since %s UTC: %s", p.label, p.since.UTC().Format("15:04"), what)
		if hint != "" {
			text += "; " + hint
		}
		out = append(out, telemetry.Warning{Code: telemetry.Unanswered, Text: text})
	}
	return append(out, said...)
}

// failure is why nothing is told at all; nil where a place tells something.
func (m *Many) failure() error {
	var first *place
	for _, p := range m.places {
		if p.err == nil {
			return nil
		}
		if first == nil {
			first = p
		}
	}
	return fmt.Errorf("%s: %w", first.label, first.err)
}

// spend puts the polls of all places so far apart that together they stay within the
// budget.
func (m *Many) spend() {
	every := spacing(m.Meter().MetricsAPoll, m.budget)
	for _, p := range m.live() {
		p.live.meter.every.Store(int64(every))
	}
}

// Fetch asks all places for one window, as Live.Fetch does of one.
func (m *Many) Fetch(ctx context.Context, w telemetry.Window) (telemetry.Batch, error) {
	if len(m.places) == 1 {
		return m.places[0].live.Fetch(ctx, w)
	}
	b, told := m.all(ctx, m.live(), func(ctx context.Context, l *Live) (telemetry.Batch, error) { return l.Fetch(ctx, w) })
	if err := ctx.Err(); err != nil {
		return telemetry.Batch{}, err
	}
	if !told {
		return b, m.failure()
	}
	return b, nil
}

func earlierOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
