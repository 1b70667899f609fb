package analysis

import (
	"fmt"
	"math"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Prices are list prices in US dollars. A price of 0 isn't known, and what rests on it
// isn't told.
type Prices struct {
	// Of says whose prices they are and from when, such as "us-east-1 list price, April 2026".
	Of string
	// ReadHour and WriteHour are of one provisioned unit for an hour; ReadMillion and
	// WriteMillion of a million on-demand request units.
	ReadHour, WriteHour, ReadMillion, WriteMillion float64
	// InsightsRule is of one Contributor Insights rule for a month, InsightsMillion of a
	// million events that it matches.
	InsightsRule, InsightsMillion float64
	// CacheNodeHour is of the smallest DAX node for an hour.
	CacheNodeHour float64
}

// ListPrices are those of DynamoDB's Standard table class in us-east-1 as public pages
// gave them in April 2026 (Amazon DynamoDB pricing, provisioned and on-demand; Amazon
// CloudWatch pricing, Contributor Insights for DynamoDB; dax.t3.small). What pre-warming
// costs is on no page that could be checked, so it has no figure.
var ListPrices = Prices{
	Of:       "us-east-1 list price, April 2026",
	ReadHour: 0.00013, WriteHour: 0.00065, ReadMillion: 0.125, WriteMillion: 0.625,
	InsightsRule: 0.50, InsightsMillion: 0.03, CacheNodeHour: 0.04,
}

// monthHours is an average month (AWS Pricing Calculator).
const monthHours = 730

// Cost is what a recommendation adds to a month's bill.
type Cost struct {
	// Dollars is below zero where it saves.
	Dollars float64
	Bound   Bound
	// Of says whose prices it rests on, For what is paid; both are short phrases.
	Of, For string
}

// Bound says how a figure is meant.
type Bound string

// The bounds.
const (
	About   Bound = "about"
	AtLeast Bound = "at_least"
	AtMost  Bound = "at_most"
)

// Text is such as "about $1,257 a month more (us-east-1 list price, April 2026): 2,650 WCU
// more".
func (c Cost) Text() string {
	bound := map[Bound]string{AtLeast: "at least", AtMost: "at most"}[c.Bound]
	if bound == "" {
		bound = "about"
	}
	way := "more"
	if c.Dollars < 0 {
		way = "less"
	}
	figure := telemetry.Thousands(math.Abs(c.Dollars))
	if math.Abs(c.Dollars) < 10 {
		figure = fmt.Sprintf("%.2f", math.Abs(c.Dollars))
	}
	return fmt.Sprintf("%s $%s a month %s (%s): %s", bound, figure, way, c.Of, c.For)
}

// Cost says what a recommendation for one of the diagnosis's events adds to a month's
// bill; nil where it adds nothing of itself or what isn't known.
func (d *Diagnosis) Cost(e *Event, r Recommendation, p Prices) *Cost {
	t, res := d.place(e)
	if res == nil {
		return nil
	}
	b := biller{&adviser{table: t, res: res, event: e, load: res.Load(e.Direction)}, p}
	c := b.cost(r)
	if c != nil {
		c.Of = p.Of
	}
	return c
}

// biller works out costs for one event.
type biller struct {
	*adviser
	prices Prices
}

func (b biller) cost(r Recommendation) *Cost {
	rate := float64(r.rate(string(b.event.Direction) + "_units"))
	now, unit := b.capacityNow(), b.event.Direction.Unit()
	switch r.Action {
	case RaiseProvisioned, RaiseIndexCapacity:
		return b.capacityCost(About, rate-now, now > 0 && rate > now, telemetry.Thousands(rate-now)+" "+unit+" more at every hour")
	case TuneAutoScaling:
		return b.scalingCost(float64(r.rate("minimum")), float64(r.rate("maximum")))
	case RaiseOnDemandMaximum:
		price := b.requestPrice(b.event.Direction)
		if price <= 0 || now <= 0 || rate <= now {
			return nil
		}
		return &Cost{Dollars: monthly(rate-now) * price, Bound: AtMost, For: "were all of the higher maximum used all month"}
	case SwitchToOnDemand:
		return b.onDemandCost()
	case EnableInsights:
		return b.insightsCost()
	case CacheReads:
		const nodes = 3 // Developer Guide, "Sizing your DAX cluster": at least three for production
		if b.prices.CacheNodeHour <= 0 {
			return nil
		}
		return &Cost{Dollars: nodes * monthHours * b.prices.CacheNodeHour, Bound: AtLeast, For: "three DAX nodes of the smallest type; what the cache carries saves read units"}
	case EventuallyConsistentReads:
		mean, ok := meanLoad(b.res.Read)
		price := b.requestPrice(telemetry.Read)
		if !ok || !b.onDemand() || price <= 0 {
			return nil
		}
		return &Cost{Dollars: -monthly(mean) / 2 * price, Bound: AtMost, For: "half the read units, at this window's mean load and were all reads strongly consistent"}
	case ShardIndexKey:
		return b.secondIndexCost()
	}
	return nil
}

// capacityCost is of so many provisioned units more at every hour.
func (b biller) capacityCost(bound Bound, units float64, known bool, what string) *Cost {
	price := b.unitPrice(b.event.Direction)
	if !known || price <= 0 {
		return nil
	}
	return &Cost{Dollars: units * monthHours * price, Bound: bound, For: what}
}

// scalingCost is of a higher minimum where that is what changes, else of a higher maximum.
func (b biller) scalingCost(minimum, maximum float64) *Cost {
	unit := b.event.Direction.Unit()
	if low := b.lowest(); low > 0 && minimum > low {
		return b.capacityCost(AtMost, minimum-low, true, "a minimum of "+telemetry.Thousands(minimum)+" instead of "+telemetry.Thousands(low)+" "+unit)
	}
	now := b.capacityNow()
	return b.capacityCost(AtMost, maximum-now, now > 0 && maximum > now, "were the maximum of "+telemetry.Thousands(maximum)+" "+unit+" in force all month")
}

// onDemandCost compares this window's mean load on demand with what is provisioned now,
// of the table and its indexes; nil where either isn't known of one of them.
func (b biller) onDemandCost() *Cost {
	var dollars float64
	for _, r := range b.table.Resources {
		for _, dir := range []telemetry.Direction{telemetry.Read, telemetry.Write} {
			a := adviser{load: r.Load(dir)}
			mean, ok := meanLoad(a.load)
			now, unit, request := a.capacityNow(), b.unitPrice(dir), b.requestPrice(dir)
			if !ok || now <= 0 || unit <= 0 || request <= 0 {
				return nil
			}
			dollars += monthly(mean)*request - now*monthHours*unit
		}
	}
	return &Cost{Dollars: dollars, Bound: About, For: "this window's mean load on demand, against the capacity in force, indexes included; outside a peak it is less"}
}

// insightsCost is of the rules, and of the events as far as requests are counted. A table
// with a sort key has twice the rules and twice the events (Developer Guide, "CloudWatch
// Contributor Insights for DynamoDB: how it works").
func (b biller) insightsCost() *Cost {
	if b.prices.InsightsRule <= 0 {
		return nil
	}
	rules := 2.0
	if b.res.SortKey != "" {
		rules = 4
	}
	c := &Cost{Dollars: rules * b.prices.InsightsRule, Bound: AtLeast, For: fmt.Sprintf("%.0f rules, and the events that they match", rules)}
	requests, ok := b.requests()
	if ok && !b.onIndex() && b.prices.InsightsMillion > 0 {
		c.Dollars += monthly(requests) * rules / 2 * b.prices.InsightsMillion / 1e6
		c.For = fmt.Sprintf("%.0f rules, and the events of this window's %s requests a second; batches and queries match more", rules, telemetry.Thousands(requests))
	}
	return c
}

// requests is the mean number of requests a second in the window; false where one
// direction's aren't known.
func (b biller) requests() (float64, bool) {
	var sum float64
	for _, l := range []*Load{b.res.Read, b.res.Write} {
		n, minutes := 0.0, 0
		for i, m := range l.Minutes {
			if m.Requests >= 0 && i+1 < len(l.Minutes) {
				n += m.Requests / l.Minutes[i+1].Start.Sub(m.Start).Seconds()
				minutes++
			}
		}
		if minutes == 0 {
			return 0, false
		}
		sum += n / float64(minutes)
	}
	return sum, true
}

// secondIndexCost is of the writes that a second index takes while both stand.
func (b biller) secondIndexCost() *Cost {
	if !b.onDemand() {
		now := (&adviser{load: b.res.Write}).capacityNow()
		price := b.unitPrice(telemetry.Write)
		if now <= 0 || price <= 0 {
			return nil
		}
		return &Cost{Dollars: now * monthHours * price, Bound: AtLeast, For: "a second index of the same write capacity, while both stand"}
	}
	mean, ok := meanLoad(b.res.Write)
	price := b.requestPrice(telemetry.Write)
	if !ok || price <= 0 {
		return nil
	}
	return &Cost{Dollars: monthly(mean) * price, Bound: AtLeast, For: "this window's mean writes into a second index, while both stand"}
}

// unitPrice is of one provisioned unit for an hour, requestPrice of one request unit.
func (b biller) unitPrice(d telemetry.Direction) float64 {
	if d == telemetry.Read {
		return b.prices.ReadHour
	}
	return b.prices.WriteHour
}

func (b biller) requestPrice(d telemetry.Direction) float64 {
	if d == telemetry.Read {
		return b.prices.ReadMillion / 1e6
	}
	return b.prices.WriteMillion / 1e6
}

// monthly is how many a month makes of so many a second.
func monthly(rate float64) float64 { return rate * 3600 * monthHours }

// meanLoad is the mean of the known minutes; false where none is.
func meanLoad(l *Load) (float64, bool) {
	var sum float64
	n := 0
	for _, m := range l.Minutes {
		if m.State == telemetry.Known {
			sum += float64(m.Consumed)
			n++
		}
	}
	return sum / float64(max(1, n)), n > 0
}
