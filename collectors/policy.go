package collectors

import (
	"fmt"
	"strings"
)

// Permission is one IAM action that is used, and what isn't known without it.
type Permission struct {
	Action string
	Lost   string
}

// The permissions, by the name that errors and doctor use.
var (
	describeTable       = Permission{"dynamodb:DescribeTable", "its mode, capacity, indexes and keys are not known"}
	describeLimits      = Permission{"dynamodb:DescribeLimits", "the account's quotas are not known"}
	describeInsights    = Permission{"dynamodb:DescribeContributorInsights", "its keys are not known"}
	listTables          = Permission{"dynamodb:ListTables", "tables have to be named"}
	describeStream      = Permission{"dynamodb:DescribeStream", "its partitions are estimated without its stream"}
	getMetricData       = Permission{"cloudwatch:GetMetricData", "there are no metrics"}
	listMetrics         = Permission{"cloudwatch:ListMetrics", "--linked-accounts finds no account"}
	getInsightReport    = Permission{"cloudwatch:GetInsightRuleReport", "these keys are not known"}
	describeAlarms      = Permission{"cloudwatch:DescribeAlarms", "--alarm finds no alarm"}
	describeAlarmPast   = Permission{"cloudwatch:DescribeAlarmHistory", "when an alarm that is over went off is not known"}
	describeTargets     = Permission{"application-autoscaling:DescribeScalableTargets", "what auto scaling may do is not known"}
	describePolicies    = Permission{"application-autoscaling:DescribeScalingPolicies", "auto scaling's target is not known"}
	describeActivities  = Permission{"application-autoscaling:DescribeScalingActivities", "what auto scaling did is not known"}
	lookupEvents        = Permission{"cloudtrail:LookupEvents", "who changed the tables is not known"}
	getCallerIdentity   = Permission{"sts:GetCallerIdentity", "the account is known by the tables' descriptions only"}
	permissionsInPolicy = []Permission{
		describeTable, describeLimits, describeInsights, listTables, describeStream,
		getMetricData, listMetrics, getInsightReport, describeAlarms, describeAlarmPast,
		describeTargets, describePolicies, describeActivities,
		lookupEvents, getCallerIdentity,
	}
)

// Permissions lists every IAM action that this package uses.
func Permissions() []Permission {
	return append([]Permission(nil), permissionsInPolicy...)
}

// Policy is the IAM policy, as JSON, that allows all of it and nothing else. It
// names no resources; a stricter one may name the tables, their indexes and
// streams, and the rules arn:aws:cloudwatch:*:*:insight-rule/DynamoDBContributorInsights*.
func Policy() string {
	actions := make([]string, len(permissionsInPolicy))
	for i, p := range permissionsInPolicy {
		actions[i] = fmt.Sprintf("      %q", p.Action)
	}
	return `{
  "Version": "2012-10-17",
  "Statement": [{
    "Effect": "Allow",
    "Action": [
` + strings.Join(actions, ",\n") + `
    ],
    "Resource": "*"
  }]
}
`
}
