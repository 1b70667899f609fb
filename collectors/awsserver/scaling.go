package awsserver

import (
	"slices"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// scalable is how Application Auto Scaling names one direction of a resource.
func scalable(id telemetry.ResourceID, d telemetry.Direction) document {
	path, kind := "table/"+id.Table, "table"
	if id.Index != "" {
		path, kind = path+"/index/"+id.Index, "index"
	}
	units := "ReadCapacityUnits"
	if d == telemetry.Write {
		units = "WriteCapacityUnits"
	}
	return document{"ServiceNamespace": "dynamodb", "ResourceId": path, "ScalableDimension": "dynamodb:" + kind + ":" + units}
}

func (s *Server) describeTargets(in document) (document, error) {
	wanted := in.texts("ResourceIds")
	list := []any{}
	for _, t := range s.cfg.Batch.Targets {
		d := scalable(t.Resource, t.Direction)
		if t.Min == nil && t.Max == nil || len(wanted) > 0 && !slices.Contains(wanted, d.text("ResourceId")) {
			continue
		}
		d["MinCapacity"], d["MaxCapacity"] = whole(t.Min), whole(t.Max)
		d["SuspendedState"] = document{"DynamicScalingOutSuspended": t.Suspended}
		d["CreationTime"], d["RoleARN"] = s.moved(s.cfg.Batch.Window.Start), "arn:aws:iam::111122223333:role/scaling"
		list = append(list, d)
	}
	return document{"ScalableTargets": list}, nil
}

func (s *Server) describePolicies(in document) (document, error) {
	list := []any{}
	for _, t := range s.cfg.Batch.Targets {
		d := scalable(t.Resource, t.Direction)
		if t.Percent == nil || in.text("ResourceId") != "" && d.text("ResourceId") != in.text("ResourceId") {
			continue
		}
		d["PolicyName"], d["PolicyType"] = "tracking", "TargetTrackingScaling"
		d["TargetTrackingScalingPolicyConfiguration"] = document{"TargetValue": *t.Percent}
		list = append(list, d)
	}
	return document{"ScalingPolicies": list}, nil
}

// describeActivities lists the newest first, and none that is still to come.
func (s *Server) describeActivities(in document) (document, error) {
	list := []any{}
	for _, a := range slices.Backward(s.cfg.Batch.Activities) {
		d := scalable(a.Resource, a.Direction)
		start, end := s.moved(a.Start), s.moved(a.End)
		if start.After(s.cfg.Now()) || in.text("ResourceId") != "" && d.text("ResourceId") != in.text("ResourceId") {
			continue
		}
		if end.After(s.cfg.Now()) {
			end = s.moved(telemetry.ScalingActivity{}.End)
		}
		d["ActivityId"], d["StartTime"], d["StatusCode"] = "activity", start, a.Status
		d.with("EndTime", end)
		d["Description"], d["Cause"] = a.Description, a.Cause
		list = append(list, d)
	}
	return document{"ScalingActivities": list}, nil
}
