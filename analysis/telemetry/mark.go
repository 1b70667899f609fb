package telemetry

import (
	"cmp"
	"slices"
	"time"
)

// Mark is something that happened beside the table, such as a deploy. It is told
// for context and is never a cause by itself.
type Mark struct {
	At   time.Time `json:"at"`
	Kind MarkKind  `json:"kind"`
	// Text is one line from outside; it is cleaned where it is shown.
	Text string `json:"text"`
	// Resource is what it is about; zero for all of it.
	Resource ResourceID `json:"resource,omitzero"`
}

// MarkKind says who tells of a mark.
type MarkKind string

// The kinds of mark: a person's; a call that changed a table or how it is scaled
// or watched, as CloudTrail logged it; and the alarm that one came for.
const (
	NoteMark   MarkKind = "mark"
	UpdateMark MarkKind = "update"
	AlarmMark  MarkKind = "alarm"
)

// Concerns reports whether a mark is about a table: it names it, or nothing.
func (m Mark) Concerns(id TableID) bool {
	return m.Resource == (ResourceID{}) || m.Resource.TableID == id
}

// SortMarks orders marks oldest first, those of the same time by their text, and
// drops those told twice. It works in place.
func SortMarks(marks []Mark) []Mark {
	slices.SortStableFunc(marks, func(a, b Mark) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Resource.String(), b.Resource.String()))
	})
	return slices.CompactFunc(marks, func(a, b Mark) bool {
		return a.At.Equal(b.At) && a.Kind == b.Kind && a.Text == b.Text && a.Resource == b.Resource
	})
}
