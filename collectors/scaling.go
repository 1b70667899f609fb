package collectors

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	"github.com/aws/aws-sdk-go-v2/service/applicationautoscaling/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// maxPages bounds any answer in pages, should AWS never end it.
const maxPages = 20

// scaling is what auto scaling told: a slot for each resource, so that each call
// writes to its own.
type scaling struct {
	resources  []telemetry.ResourceID
	targets    [][]types.ScalableTarget
	policies   [][]types.ScalingPolicy
	activities [][]types.ScalingActivity
}

func newScaling(resources []telemetry.ResourceID) *scaling {
	n := len(resources)
	return &scaling{
		resources: resources, targets: make([][]types.ScalableTarget, n),
		policies: make([][]types.ScalingPolicy, n), activities: make([][]types.ScalingActivity, n),
	}
}

// targetsACall is how many resources one call may name.
const targetsACall = 50

func (s *scaling) tasks(l *Live) []task {
	var tasks []task
	for i := 0; i < len(s.resources); i += targetsACall {
		group := s.resources[i:min(i+targetsACall, len(s.resources))]
		tasks = append(tasks, func(ctx context.Context) []telemetry.Warning {
			var err error
			s.targets[i], err = l.scalableTargets(ctx, group)
			return l.trouble(err, describeTargets, group[0].TableID.Resource())
		})
	}
	for i, id := range s.resources {
		tasks = append(tasks, func(ctx context.Context) []telemetry.Warning {
			var err error
			s.policies[i], err = l.scalingPolicies(ctx, id)
			return l.trouble(err, describePolicies, id)
		}, func(ctx context.Context) []telemetry.Warning {
			var err error
			s.activities[i], err = l.scalingActivities(ctx, id)
			return l.trouble(err, describeActivities, id)
		})
	}
	return tasks
}

func (l *Live) scalableTargets(ctx context.Context, of []telemetry.ResourceID) ([]types.ScalableTarget, error) {
	in := &applicationautoscaling.DescribeScalableTargetsInput{ServiceNamespace: types.ServiceNamespaceDynamodb}
	for _, id := range of {
		in.ResourceIds = append(in.ResourceIds, scalingID(id))
	}
	var all []types.ScalableTarget
	err := l.pages(ctx, &in.NextToken, func(ctx context.Context) (*string, error) {
		out, err := l.scaling.DescribeScalableTargets(ctx, in)
		if err != nil {
			return nil, err
		}
		all = append(all, out.ScalableTargets...)
		return out.NextToken, nil
	})
	return all, err
}

func (l *Live) scalingPolicies(ctx context.Context, id telemetry.ResourceID) ([]types.ScalingPolicy, error) {
	in := &applicationautoscaling.DescribeScalingPoliciesInput{ServiceNamespace: types.ServiceNamespaceDynamodb, ResourceId: aws.String(scalingID(id))}
	var all []types.ScalingPolicy
	err := l.pages(ctx, &in.NextToken, func(ctx context.Context) (*string, error) {
		out, err := l.scaling.DescribeScalingPolicies(ctx, in)
		if err != nil {
			return nil, err
		}
		all = append(all, out.ScalingPolicies...)
		return out.NextToken, nil
	})
	return all, err
}

// scalingActivities reads one page, the newest: AWS keeps six weeks.
func (l *Live) scalingActivities(ctx context.Context, id telemetry.ResourceID) ([]types.ScalingActivity, error) {
	in := &applicationautoscaling.DescribeScalingActivitiesInput{ServiceNamespace: types.ServiceNamespaceDynamodb, ResourceId: aws.String(scalingID(id))}
	var out *applicationautoscaling.DescribeScalingActivitiesOutput
	err := l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.scaling.DescribeScalingActivities(ctx, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out.ScalingActivities, nil
}

// pages asks for page after page; next points to the request's token.
func (l *Live) pages(ctx context.Context, next **string, page func(context.Context) (*string, error)) error {
	for range maxPages {
		var token *string
		err := l.call(ctx, 0, func(ctx context.Context) (err error) {
			token, err = page(ctx)
			return err
		})
		if err != nil {
			return err
		}
		if aws.ToString(token) == "" || aws.ToString(token) == aws.ToString(*next) {
			return nil
		}
		*next = token
	}
	return nil
}

// scalingID is how Application Auto Scaling names a table or index.
func scalingID(id telemetry.ResourceID) string {
	if id.Index == "" {
		return "table/" + id.Table
	}
	return "table/" + id.Table + "/index/" + id.Index
}

// scalable finds a resource and direction by Application Auto Scaling's names.
func (s *scaling) scalable(id *string, dimension types.ScalableDimension) (telemetry.ResourceID, telemetry.Direction, bool) {
	i := slices.IndexFunc(s.resources, func(r telemetry.ResourceID) bool { return scalingID(r) == aws.ToString(id) })
	if i < 0 {
		return telemetry.ResourceID{}, "", false
	}
	switch {
	case strings.HasSuffix(string(dimension), ":ReadCapacityUnits"):
		return s.resources[i], telemetry.Read, true
	case strings.HasSuffix(string(dimension), ":WriteCapacityUnits"):
		return s.resources[i], telemetry.Write, true
	}
	return telemetry.ResourceID{}, "", false
}

// all joins targets with their policies, in the resources' order, and lists the
// activities oldest first.
func (s *scaling) all() (targets []telemetry.ScalingTarget, activities []telemetry.ScalingActivity) {
	at := func(id *string, dimension types.ScalableDimension) *telemetry.ScalingTarget {
		resource, direction, ok := s.scalable(id, dimension)
		if !ok {
			return nil
		}
		for i := range targets {
			if targets[i].Resource == resource && targets[i].Direction == direction {
				return &targets[i]
			}
		}
		targets = append(targets, telemetry.ScalingTarget{Resource: resource, Direction: direction})
		return &targets[len(targets)-1]
	}
	for _, t := range slices.Concat(s.targets...) {
		if target := at(t.ResourceId, t.ScalableDimension); target != nil {
			target.Min, target.Max = units(t.MinCapacity), units(t.MaxCapacity)
			target.Suspended = t.SuspendedState != nil && aws.ToBool(t.SuspendedState.DynamicScalingOutSuspended)
		}
	}
	for _, p := range slices.Concat(s.policies...) {
		tracking := p.TargetTrackingScalingPolicyConfiguration
		if tracking == nil || aws.ToFloat64(tracking.TargetValue) <= 0 {
			continue
		}
		if target := at(p.ResourceId, p.ScalableDimension); target != nil {
			target.Percent = tracking.TargetValue
		}
	}
	return targets, s.happened()
}

func (s *scaling) happened() []telemetry.ScalingActivity {
	var out []telemetry.ScalingActivity
	for _, a := range slices.Concat(s.activities...) {
		resource, direction, ok := s.scalable(a.ResourceId, a.ScalableDimension)
		if !ok || a.StartTime == nil {
			continue
		}
		out = append(out, telemetry.ScalingActivity{
			Resource: resource, Direction: direction, Start: when(a.StartTime), End: when(a.EndTime),
			Capacity: capacitySet(aws.ToString(a.Description)), Status: string(a.StatusCode),
			Description: aws.ToString(a.Description), Cause: aws.ToString(a.Cause),
		})
	}
	slices.SortStableFunc(out, func(a, b telemetry.ScalingActivity) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return a.End.Compare(b.End)
	})
	return out
}

func units(capacity *int32) *telemetry.Rate {
	if capacity == nil {
		return nil
	}
	r := telemetry.Rate(*capacity)
	return &r
}

// settingCapacity is the sentence that Application Auto Scaling writes (AWS CLI,
// "describe-scaling-activities", examples).
var settingCapacity = regexp.MustCompile(`(?i)^setting (?:read|write) capacity units to ([0-9]+)`)

func capacitySet(description string) *telemetry.Rate {
	match := settingCapacity.FindStringSubmatch(strings.ReplaceAll(description, ",", ""))
	if match == nil {
		return nil
	}
	set, err := strconv.ParseFloat(match[1], 64)
	if err != nil {
		return nil
	}
	r := telemetry.Rate(set)
	return &r
}
