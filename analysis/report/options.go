package report

import "time"

// Options are how a report is written.
type Options struct {
	// Mask numbers the keys (key-1, key-2, …) instead of showing them.
	Mask bool
	// Location is the zone that times are shown in; nil is UTC. JSON is always UTC,
	// and so is the verdict.
	Location *time.Location
}

func (o Options) location() *time.Location {
	if o.Location == nil {
		return time.UTC
	}
	return o.Location
}
