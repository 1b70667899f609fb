package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// check reports what no single line can tell.
func (s *Scenario) check() error {
	if s.Table.Name == "" {
		return fmt.Errorf("scenario %q: no table", s.Title)
	}
	if s.Length < 5*time.Minute || s.Length > 24*time.Hour || s.Length%time.Minute != 0 {
		return fmt.Errorf("scenario %q: window of %v: want whole minutes, 5m to 24h", s.Title, s.Length)
	}
	if len(s.Loads) == 0 {
		return fmt.Errorf("scenario %q: no load", s.Title)
	}
	resources := []*Resource{&s.Table.Resource}
	for i := range s.Indexes {
		resources = append(resources, &s.Indexes[i].Resource)
		if err := s.Indexes[i].check(); err != nil {
			return err
		}
	}
	for _, r := range resources {
		if r.Partitions < 1 || r.Partitions > 400 {
			return fmt.Errorf("%q: %d partitions: want 1 to 400", r.Name, r.Partitions)
		}
	}
	for i := range s.Loads {
		if err := s.checkLoad(&s.Loads[i]); err != nil {
			return err
		}
	}
	for _, c := range s.Changes {
		if !s.has(c.Index) {
			return fmt.Errorf("change of index %q: there is no such index", c.Index)
		}
	}
	for _, c := range s.Scaling {
		if !s.has(c.Index) || c.Target < 0.2 || c.Target > 0.9 {
			return fmt.Errorf("scaling of index %q to %v: no such index, or target not within 20%% and 90%%", c.Index, c.Target)
		}
	}
	return nil
}

// has reports whether an index of that name exists; "" is the table.
func (s *Scenario) has(index string) bool {
	return index == "" || slices.ContainsFunc(s.Indexes, func(x Index) bool { return x.Name == index })
}

func (x *Index) check() error {
	total := 0.0
	for _, k := range x.Keys {
		total += k.Share
	}
	switch {
	case total > 1.0001:
		return fmt.Errorf("index %q: its keys' shares add up to %.0f%%", x.Name, 100*total)
	case total < 0.9999 && (x.Rest.Count < 1 || x.Rest.Pattern == ""):
		return fmt.Errorf("index %q: no rest for what its keys leave", x.Name)
	case x.Entry < 0.5 || x.Affected < 0 || x.Affected > 1:
		return fmt.Errorf("index %q: entry %v, affected %v out of range", x.Name, x.Entry, x.Affected)
	}
	return nil
}

func (s *Scenario) checkLoad(l *Load) error {
	total := 0.0
	for _, k := range l.Keys {
		total += k.Share
	}
	shares := 0.0
	for _, o := range l.Operations {
		d, ok := telemetry.OperationDirection(o.Name)
		if !ok || d != l.Direction {
			return fmt.Errorf("load %q: %s is not an operation that %ss", l.Name, telemetry.Clean(o.Name), l.Direction)
		}
		shares += o.Share
	}
	switch {
	case l.Direction == "":
		return fmt.Errorf("load %q: neither reads nor writes", l.Name)
	case !s.has(l.Index):
		return fmt.Errorf("load %q: there is no index %q", l.Name, l.Index)
	case len(l.Operations) == 0:
		return fmt.Errorf("load %q: no operations, such as PutItem", l.Name)
	case shares < 0.999 || shares > 1.001:
		return fmt.Errorf("load %q: its operations' shares add up to %.0f%%", l.Name, 100*shares)
	case total > 1.0001:
		return fmt.Errorf("load %q: its keys' shares add up to %.0f%%", l.Name, 100*total)
	case total < 0.9999 && (l.Rest.Count < 1 || l.Rest.Pattern == ""):
		return fmt.Errorf("load %q: no rest for what its keys leave", l.Name)
	case l.Units < 0.5 || l.Large > 0 && l.LargeUnits < l.Units || l.Rate < 0 || l.Rate > 1e6:
		return fmt.Errorf("load %q: rate %v or units %v out of range", l.Name, l.Rate, l.Units)
	case l.Attempts < 1 || l.Attempts > 20:
		return fmt.Errorf("load %q: %d attempts: want 1 to 20", l.Name, l.Attempts)
	}
	return nil
}
