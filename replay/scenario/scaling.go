package scenario

import (
	"fmt"
	"math"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// scaler is Application Auto Scaling at work: it raises after two minutes above
// the target and lowers after fifteen well below it (Developer Guide, "Managing
// throughput capacity automatically with DynamoDB auto scaling"), later by what
// metrics and the update take.
type scaler struct {
	*Scaling
	unit         *unit
	above, below int
	due          int // second in which a change takes effect; never when none
	to           telemetry.Rate
	began        int
	activities   []telemetry.ScalingActivity
	atMaximum    bool
}

// lag is how many seconds pass from an alarm to the new capacity: metrics and
// alarm about two minutes, the update itself about one. Assumption.
const lag = 180

func newScaler(s *Scaling, u *unit) *scaler { return &scaler{Scaling: s, unit: u, due: never} }

// scale lets a policy look at the minute before this one.
func (w *world) scale(s *scaler) {
	d := dir(s.Direction)
	if s.due != never {
		if w.second >= s.due {
			w.setCapacity(s.unit, s.Direction, false, s.to)
			s.due, s.above, s.below = never, 0, 0
		}
		return
	}
	if s.unit.now == nil {
		return
	}
	has := s.unit.provisioned[d]
	used := telemetry.Units(s.unit.now.units[d]).Per(time.Minute)
	s.above, s.below = s.above+1, s.below+1
	if used <= has*telemetry.Rate(s.Target) {
		s.above = 0
	}
	if used >= has*telemetry.Rate(s.Target-0.2) {
		s.below = 0
	}
	to := telemetry.Rate(math.Ceil(float64(used) / s.Target))
	switch {
	case s.above >= 2:
		s.atMaximum = to > s.Max
		w.order(s, min(to, s.Max), "AlarmHigh")
	case s.below >= 15:
		w.order(s, max(to, s.Min), "AlarmLow")
	}
}

// order begins an update, if it would change anything.
func (w *world) order(s *scaler, to telemetry.Rate, alarm string) {
	s.above, s.below = 0, 0
	if to == s.unit.provisioned[dir(s.Direction)] {
		return
	}
	s.to, s.due, s.began = to, w.second+lag, w.second+lag-40
	resource := "table/" + w.s.Table.Name
	if s.unit.name != "" {
		resource += "/index/" + s.unit.name
	}
	s.activities = append(s.activities, telemetry.ScalingActivity{
		Resource: w.s.id(s.unit.name), Direction: s.Direction,
		Start: w.s.Start.Add(seconds(s.began)), End: w.s.Start.Add(seconds(s.due)),
		Capacity: &to, Status: "Successful",
		Description: fmt.Sprintf("Setting %s capacity units to %.0f.", s.Direction, float64(to)),
		Cause: fmt.Sprintf("monitor alarm TargetTracking-%s-%s in state ALARM triggered policy $%s-scaling-policy",
			resource, alarm, w.s.Table.Name),
	})
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

func (s *Scenario) id(index string) telemetry.ResourceID {
	return telemetry.TableID{Account: s.Account, Region: s.Region, Table: s.Table.Name}.WithIndex(index)
}
