package analysis

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// allowance is the table-wide limit in force in one step. rate is 0 where there is
// none or it is unknown; age is how old the value is.
type allowance struct {
	rate telemetry.Rate
	age  time.Duration
}

// setting is a capacity that holds from a time on.
type setting struct {
	at   time.Time
	rate telemetry.Rate
	// exact is set where a scaling action or a description dates the change, not
	// only a five-minute point.
	exact bool
	cause string
}

// capacity is the provisioned capacity, or the on-demand maximum, in each step:
// a step line from five-minute points, sharpened by what dates a change exactly.
func (f *facts) capacity(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) []allowance {
	out := make([]allowance, f.steps())
	settings := f.settings(id, dir, mode)
	if len(settings) == 0 {
		return out
	}
	next := 0
	current := settings[0]
	for i := range out {
		for next < len(settings) && settings[next].at.Before(f.at(i+1)) {
			current = settings[next]
			next++
		}
		out[i] = allowance{rate: current.rate, age: max(0, f.at(i).Sub(current.at))}
	}
	return out
}

// settings lists the capacities set over time, oldest first. Before the first the
// first holds. A five-minute point that mixes two settings (its mean lies between
// its neighbours) is dropped where a scaling action explains it.
func (f *facts) settings(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) []setting {
	metric, stat := telemetry.Provisioned(dir), telemetry.Average
	if mode == telemetry.ModeOnDemand {
		metric, stat = telemetry.OnDemandMax(dir), telemetry.Maximum
	}
	var out []setting
	if t := f.series[telemetry.SeriesID{Resource: id, Metric: metric, Stat: stat}]; t != nil {
		for _, p := range t.points {
			out = append(out, setting{at: p.Time, rate: telemetry.Rate(p.Value)})
		}
	}
	described := f.describedCapacity(id, dir, mode)
	if len(out) == 0 && described != nil {
		out = append(out, setting{at: f.window.Start, rate: *described})
	}
	if mode != telemetry.ModeOnDemand {
		out = f.sharpen(out, id, dir)
	}
	return out
}

// sharpen puts dated changes among the five-minute points and removes the points
// whose five minutes a dated change falls in.
func (f *facts) sharpen(points []setting, id telemetry.ResourceID, dir telemetry.Direction) []setting {
	var dated []setting
	for _, a := range f.activities[scaledID{id, dir}] {
		at := a.End
		if at.IsZero() {
			at = a.Start
		}
		if a.Capacity != nil && at.After(f.window.Start) && at.Before(f.window.End) && succeeded(a.Status) {
			dated = append(dated, setting{at: at, rate: *a.Capacity, exact: true, cause: "auto scaling"})
		}
	}
	if len(dated) == 0 {
		return f.datePoints(points, id)
	}
	out := slices.DeleteFunc(points, func(p setting) bool {
		return slices.ContainsFunc(dated, func(d setting) bool {
			return !d.at.Before(p.at) && d.at.Before(p.at.Add(fiveMinutes)) && p.at.After(f.window.Start)
		})
	})
	out = append(out, dated...)
	slices.SortStableFunc(out, func(a, b setting) int { return a.at.Compare(b.at) })
	return out
}

// fiveMinutes is how often capacity settings are published (Developer Guide,
// "DynamoDB metrics and dimensions").
const fiveMinutes = 5 * time.Minute

// datePoints moves a change between two points to the time that the description
// gives for the last increase or decrease, where that lies in between.
func (f *facts) datePoints(points []setting, id telemetry.ResourceID) []setting {
	c, ok := f.described(id)
	if !ok {
		return points
	}
	for i := 1; i < len(points); i++ {
		at := c.LastDecrease
		if points[i].rate > points[i-1].rate {
			at = c.LastIncrease
		}
		if points[i].rate != points[i-1].rate && at.After(points[i-1].at) && at.Before(points[i].at.Add(fiveMinutes)) {
			points[i].at, points[i].exact = at, true
		}
	}
	return points
}

func succeeded(status string) bool { return status == "" || status == "Successful" }

// described is a resource's capacity as DescribeTable tells it.
func (f *facts) described(id telemetry.ResourceID) (telemetry.Capacity, bool) {
	t := f.tables[id.TableID]
	if t == nil {
		return telemetry.Capacity{}, false
	}
	if id.Index == "" {
		return t.Capacity, true
	}
	for _, x := range t.Indexes {
		if x.Name == id.Index {
			return x.Capacity, true
		}
	}
	return telemetry.Capacity{}, false
}

// describedCapacity is the described limit of the mode; nil where there is none.
func (f *facts) describedCapacity(id telemetry.ResourceID, dir telemetry.Direction, mode telemetry.Mode) *telemetry.Rate {
	c, ok := f.described(id)
	if !ok {
		return nil
	}
	if mode == telemetry.ModeOnDemand {
		return c.OnDemandMax.In(dir)
	}
	return c.Provisioned.In(dir)
}

// quota is the account's per-table limit in a direction, and whether AWS told it
// (else it is 0).
func (f *facts) quota(id telemetry.TableID, dir telemetry.Direction) telemetry.Rate {
	account := telemetry.TableID{Account: id.Account, Region: id.Region}
	t := f.series[telemetry.SeriesID{
		Resource: account.Resource(), Metric: telemetry.AccountTableMax(dir), Stat: telemetry.Maximum,
	}]
	if t != nil && len(t.points) > 0 {
		return telemetry.Rate(t.points[len(t.points)-1].Value)
	}
	if q := f.quotas[account]; q != nil && q.PerTable.In(dir) != nil {
		return *q.PerTable.In(dir)
	}
	return 0
}
