package telemetry

import "time"

// Earlier is a series at the same hours of an earlier day, for comparison. No verdict
// rests on it, and it lies outside its batch's window.
type Earlier struct {
	ID SeriesID `json:"id"`
	// Ago is how long before, in whole days. The points have the times that they had
	// then.
	Ago    time.Duration `json:"ago"`
	Period time.Duration `json:"period"`
	Points []Point       `json:"points"`
}
