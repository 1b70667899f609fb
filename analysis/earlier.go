package analysis

import (
	"cmp"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Earlier is a load at the same times of an earlier day, as measured.
type Earlier struct {
	Ago time.Duration
	// Minutes are one for each of the load's. Start, Consumed and State alone are set,
	// Start to the time then.
	Minutes []Minute
}

// earlierID names a series of an earlier day.
type earlierID struct {
	series telemetry.SeriesID
	ago    time.Duration
}

func (f *facts) addEarlier(e telemetry.Earlier) {
	id := earlierID{e.ID, e.Ago}
	t := f.earlier[id]
	if t == nil {
		t = &track{}
		f.earlier[id] = t
	}
	t.period = e.Period
	t.points = mergePoints(t.points, e.Points)
}

// earlierLoads are a load's earlier days, the nearest first.
func (f *facts) earlierLoads(id telemetry.ResourceID, dir telemetry.Direction) []Earlier {
	wanted := telemetry.SeriesID{Resource: id, Metric: telemetry.Consumed(dir), Stat: telemetry.Sum}
	var out []Earlier
	for e, t := range f.earlier {
		if e.series != wanted || t.period < f.period() {
			continue
		}
		day := Earlier{Ago: e.ago, Minutes: make([]Minute, f.steps())}
		next := 0
		for i := range day.Minutes {
			m := &day.Minutes[i]
			m.Start = f.at(i).Add(-e.ago)
			for next < len(t.points) && !t.points[next].Time.Add(t.period).After(m.Start) {
				next++
			}
			if next < len(t.points) && !t.points[next].Time.After(m.Start) {
				m.State, m.Consumed = telemetry.Known, telemetry.Units(t.points[next].Value).Per(t.period)
			}
		}
		out = append(out, day)
	}
	slices.SortFunc(out, func(a, b Earlier) int { return cmp.Compare(a.Ago, b.Ago) })
	return out
}
