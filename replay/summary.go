package replay

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Summary is what a recording holds.
type Summary struct {
	Header  Header
	Sources []telemetry.Source // as recorded, in the order met
	// Start and End span all windows; zero without batches.
	Start, End time.Time
	// Batches counts those that hold anything.
	Batches int
	// Resources are all tables and indexes with a description or a series, by name.
	Resources []telemetry.ResourceID
	// Marks counts those told, each once.
	Marks int
	// Points and Ranked count the values of series and of key rankings.
	Points, Ranked int
	Damage         []error
}

// Summarize reads a recording to its end.
func Summarize(ctx context.Context, r *Reader) (Summary, error) {
	s := Summary{Header: r.Header()}
	resources := map[telemetry.ResourceID]bool{}
	var marks []telemetry.Mark
	for {
		b, err := r.Next(ctx)
		s.Damage = r.Damage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		s.add(b, resources)
		marks = telemetry.SortMarks(append(marks, b.Marks...))
	}
	s.Marks = len(marks)
	for id := range resources {
		s.Resources = append(s.Resources, id)
	}
	slices.SortFunc(s.Resources, telemetry.ResourceID.Compare)
	return s, nil
}

func (s *Summary) add(b telemetry.Batch, resources map[telemetry.ResourceID]bool) {
	if !b.Window.Start.Before(b.Window.End) && len(b.Series)+len(b.Rankings)+len(b.Tables) == 0 {
		return // the word of damage at the end alone
	}
	s.Batches++
	if s.Start.IsZero() || b.Window.Start.Before(s.Start) {
		s.Start = b.Window.Start
	}
	if b.Window.End.After(s.End) {
		s.End = b.Window.End
	}
	if b.Source != (telemetry.Source{}) && !slices.Contains(s.Sources, b.Source) {
		s.Sources = append(s.Sources, b.Source)
	}
	for _, t := range b.Tables {
		resources[t.ID.Resource()] = true
		for _, index := range t.Indexes {
			resources[t.ID.WithIndex(index.Name)] = true
		}
	}
	for _, series := range b.Series {
		if series.ID.Resource.Table != "" {
			resources[series.ID.Resource] = true
		}
		s.Points += len(series.Points)
	}
	for _, ranking := range b.Rankings {
		for _, k := range ranking.Contributors {
			s.Ranked += len(k.Points)
		}
	}
}
