package capture

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

type targetsDocument struct {
	ScalableTargets []struct {
		scalable
		MinCapacity, MaxCapacity number
		SuspendedState           struct{ DynamicScalingOutSuspended bool }
	}
}

type policiesDocument struct {
	ScalingPolicies []struct {
		scalable
		TargetTrackingScalingPolicyConfiguration struct{ TargetValue number }
	}
}

type activitiesDocument struct {
	ScalingActivities []struct {
		scalable
		StartTime, EndTime             stamp
		Description, Cause, StatusCode text
	}
}

// scalable is what Application Auto Scaling calls one direction of a table or
// index.
type scalable struct {
	ResourceID        text `json:"ResourceId"`
	ScalableDimension text
}

// resource reads table/TABLE and table/TABLE/index/INDEX with dimensions such as
// dynamodb:index:WriteCapacityUnits. ok is false for other services.
func (s scalable) resource(n *names) (id telemetry.ResourceID, d telemetry.Direction, ok bool) {
	path := strings.Split(string(s.ResourceID), "/")
	if path[0] != "table" || len(path) < 2 || path[1] == "" {
		return id, "", false
	}
	switch dimension := string(s.ScalableDimension); {
	case !strings.HasPrefix(dimension, "dynamodb:"):
		return id, "", false
	case strings.HasSuffix(dimension, "ReadCapacityUnits"):
		d = telemetry.Read
	case strings.HasSuffix(dimension, "WriteCapacityUnits"):
		d = telemetry.Write
	default:
		return id, "", false
	}
	index := ""
	if len(path) >= 4 && path[2] == "index" {
		index = path[3]
	}
	return n.resource(path[1], index, ""), d, true
}

// scaling joins targets and policies of the same resource and direction.
func (d *decoder) scaling(targets []found[targetsDocument], policies []found[policiesDocument]) {
	for _, doc := range targets {
		for _, t := range doc.value.ScalableTargets {
			if at := d.target(t.scalable); at != nil {
				at.Min, at.Max = t.MinCapacity.rate(), t.MaxCapacity.rate()
				at.Suspended = t.SuspendedState.DynamicScalingOutSuspended
			}
		}
	}
	for _, doc := range policies {
		for _, p := range doc.value.ScalingPolicies {
			percent := p.TargetTrackingScalingPolicyConfiguration.TargetValue
			if percent.value <= 0 {
				continue
			}
			if at := d.target(p.scalable); at != nil {
				at.Percent = percent.float()
			}
		}
	}
}

type targetKey struct {
	resource  telemetry.ResourceID
	direction telemetry.Direction
}

// target is the entry of a resource and direction, a new one where there is none
// yet, nil for other services.
func (d *decoder) target(s scalable) *telemetry.ScalingTarget {
	id, direction, ok := s.resource(d.names)
	if !ok {
		return nil
	}
	key := targetKey{id, direction}
	i, known := d.targetAt[key]
	if !known {
		i = len(d.batch.Targets)
		d.targetAt[key] = i
		d.batch.Targets = append(d.batch.Targets, telemetry.ScalingTarget{Resource: id, Direction: direction})
	}
	return &d.batch.Targets[i]
}

// activities lists what auto scaling did, oldest first.
func (d *decoder) activities(docs []found[activitiesDocument]) {
	for _, doc := range docs {
		for _, a := range doc.value.ScalingActivities {
			id, direction, ok := a.resource(d.names)
			if !ok || a.StartTime.time.IsZero() {
				continue
			}
			d.batch.Activities = append(d.batch.Activities, telemetry.ScalingActivity{
				Resource: id, Direction: direction, Start: a.StartTime.time, End: a.EndTime.time,
				Capacity: capacitySet(string(a.Description)), Status: string(a.StatusCode),
				Description: string(a.Description), Cause: string(a.Cause),
			})
		}
	}
	slices.SortStableFunc(d.batch.Activities, func(a, b telemetry.ScalingActivity) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return a.End.Compare(b.End)
	})
}

// settingCapacity is the sentence that Application Auto Scaling writes (AWS CLI,
// "describe-scaling-activities", examples).
var settingCapacity = regexp.MustCompile(`(?i)^setting (?:read|write) capacity units to ([0-9][0-9,]*)`)

func capacitySet(description string) *telemetry.Rate {
	match := settingCapacity.FindStringSubmatch(description)
	if match == nil {
		return nil
	}
	units, err := strconv.ParseFloat(strings.ReplaceAll(match[1], ",", ""), 64)
	if err != nil {
		return nil
	}
	r := telemetry.Rate(units)
	return &r
}
