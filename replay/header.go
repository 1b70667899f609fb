package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Format is the name that every header carries.
const Format = "hotpart.recording"

// Version is the version of the format that a Writer writes. A change that an
// older reader could misread raises it.
const Version = 1

// Header describes a recording as a whole. It is the first line of each member.
type Header struct {
	// Format and Version are set by the Writer.
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Tool is the program that made the recording, with its version.
	Tool    string `json:"tool,omitempty"`
	Account string `json:"account,omitempty"`
	Region  string `json:"region,omitempty"`
	// Resources are the tables and indexes that were asked for; empty for all.
	Resources []telemetry.ResourceID `json:"resources,omitempty"`
	// PeriodSeconds is the time between two polls; 0 where unknown.
	PeriodSeconds int `json:"period_seconds,omitempty"`
	// Truth is what the maker of a synthetic recording knows to have happened; nil
	// for a real one. No verdict may depend on it.
	Truth json.RawMessage `json:"truth,omitempty"`
}

// ErrNotRecording means that the input is something else altogether.
var ErrNotRecording = errors.New("not a hotpart recording")

// check reports why a reader can't go on with a header, or nil.
func (h Header) check() error {
	switch {
	case h.Format != Format:
		return fmt.Errorf("%w: the first line has no format %q", ErrNotRecording, Format)
	case h.Version > Version:
		return fmt.Errorf("recording has format version %d, this program reads up to %d\nhint: a newer hotpart made it: update hotpart", h.Version, Version)
	case h.Version < 1:
		return fmt.Errorf("%w: format version %d", ErrNotRecording, h.Version)
	}
	return nil
}
