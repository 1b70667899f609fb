package collectors

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudtrail/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// change is a call that changed a table, in words.
type change struct{ table, index, text string }

// trailRecord is what is read of a CloudTrail record (CloudTrail user guide, "CloudTrail
// record contents"; Developer Guide, "Understanding DynamoDB log file entries").
type trailRecord struct {
	ErrorCode    string `json:"errorCode"`
	UserIdentity struct {
		ARN       string `json:"arn"`
		InvokedBy string `json:"invokedBy"`
	} `json:"userIdentity"`
	Request  trailRequest `json:"requestParameters"`
	Response struct {
		Table struct {
			Name string `json:"tableName"`
		} `json:"tableDescription"`
	} `json:"responseElements"`
}

// trailRequest holds the parameters of all the calls.
type trailRequest struct {
	TableName   string       `json:"tableName"`
	IndexName   string       `json:"indexName"`
	BillingMode string       `json:"billingMode"`
	Provisioned *trailUnits  `json:"provisionedThroughput"`
	OnDemand    *trailMost   `json:"onDemandThroughput"`
	Indexes     []indexEdits `json:"globalSecondaryIndexUpdates"`
	TimeToLive  *struct {
		Enabled bool `json:"enabled"`
	} `json:"timeToLiveSpecification"`
	InsightsAction string `json:"contributorInsightsAction"`

	Namespace  string   `json:"serviceNamespace"`
	ResourceID string   `json:"resourceId"`
	Dimension  string   `json:"scalableDimension"`
	Min        *float64 `json:"minCapacity"`
	Max        *float64 `json:"maxCapacity"`
	Tracking   *struct {
		Target float64 `json:"targetValue"`
	} `json:"targetTrackingScalingPolicyConfiguration"`
}

type trailUnits struct {
	Read  *float64 `json:"readCapacityUnits"`
	Write *float64 `json:"writeCapacityUnits"`
}

func (u trailUnits) String() string {
	var out []string
	if u.Read != nil {
		out = append(out, telemetry.Thousands(*u.Read)+" RCU")
	}
	if u.Write != nil {
		out = append(out, telemetry.Thousands(*u.Write)+" WCU")
	}
	return strings.Join(out, ", ")
}

// trailMost are on-demand maxima; -1 takes one away.
type trailMost struct {
	Read  float64 `json:"maxReadRequestUnits"`
	Write float64 `json:"maxWriteRequestUnits"`
}

func (m trailMost) String() string {
	var out []string
	for _, x := range []struct {
		units float64
		name  string
	}{{m.Read, "reads"}, {m.Write, "writes"}} {
		switch {
		case x.units > 0:
			out = append(out, "at most "+telemetry.Thousands(x.units)+" "+x.name+" a second")
		case x.units < 0:
			out = append(out, "no maximum of "+x.name)
		}
	}
	return strings.Join(out, ", ")
}

// indexEdits is one of an UpdateTable's changes of indexes.
type indexEdits struct {
	Create, Update, Delete *struct {
		Name        string      `json:"indexName"`
		Provisioned *trailUnits `json:"provisionedThroughput"`
	}
}

// readChange reads an event. ok is false for what failed, for what is of no table, and for
// UpdateTable by auto scaling, whose actions are told by itself.
func readChange(e types.Event) (c change, ok bool) {
	var r trailRecord
	if err := json.Unmarshal([]byte(aws.ToString(e.CloudTrailEvent)), &r); err != nil {
		// Of a record that isn't as documented only the names are used.
		r.Request = trailRequest{TableName: r.Request.TableName, ResourceID: r.Request.ResourceID}
	}
	name := aws.ToString(e.EventName)
	scaling := strings.Contains(r.UserIdentity.InvokedBy, "application-autoscaling")
	if r.ErrorCode != "" || e.EventTime == nil || name == "UpdateTable" && scaling {
		return c, false
	}
	c.table, c.index = r.Request.TableName, r.Request.IndexName
	if r.Request.ResourceID != "" {
		c.table, c.index = tableOfScalable(r.Request.ResourceID)
	}
	if c.table == "" {
		c.table = r.Response.Table.Name
	}
	if c.table == "" && aws.ToString(e.EventSource) == "dynamodb.amazonaws.com" {
		for _, x := range e.Resources {
			if strings.HasSuffix(aws.ToString(x.ResourceType), "::Table") {
				c.table = aws.ToString(x.ResourceName)
			}
		}
	}
	c.text = name
	if what := r.Request.words(); len(what) > 0 {
		c.text += ": " + strings.Join(what, ", ")
	}
	if who := r.who(aws.ToString(e.Username)); who != "" {
		c.text += " (" + who + ")"
	}
	return c, c.table != "" && (r.Request.Namespace == "" || r.Request.Namespace == "dynamodb")
}

// who made a call: an AWS service by its name, a role with its session, a user.
func (r trailRecord) who(user string) string {
	if service, ok := strings.CutSuffix(r.UserIdentity.InvokedBy, ".amazonaws.com"); ok {
		return service
	}
	if _, role, ok := strings.Cut(r.UserIdentity.ARN, ":assumed-role/"); ok {
		return role
	}
	return user
}

// words are the settings that a call made.
func (r trailRequest) words() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch r.BillingMode {
	case "PAY_PER_REQUEST":
		add("on-demand")
	case "PROVISIONED":
		add("provisioned")
	}
	if r.Provisioned != nil {
		add("%s", r.Provisioned)
	}
	if r.OnDemand != nil {
		add("%s", r.OnDemand)
	}
	for _, x := range r.Indexes {
		switch {
		case x.Create != nil:
			add("new index %s", x.Create.Name)
		case x.Delete != nil:
			add("index %s deleted", x.Delete.Name)
		case x.Update != nil && x.Update.Provisioned != nil:
			add("index %s %s", x.Update.Name, x.Update.Provisioned)
		}
	}
	if r.TimeToLive != nil {
		add("%s", map[bool]string{true: "on", false: "off"}[r.TimeToLive.Enabled])
	}
	if r.InsightsAction != "" {
		add("%s", strings.ToLower(r.InsightsAction))
	}
	_, unit, _ := strings.Cut(r.Dimension, ":")
	if strings.HasSuffix(unit, ":ReadCapacityUnits") {
		add("reads")
	} else if strings.HasSuffix(unit, ":WriteCapacityUnits") {
		add("writes")
	}
	if r.Min != nil && r.Max != nil {
		add("%s to %s", telemetry.Thousands(*r.Min), telemetry.Thousands(*r.Max))
	}
	if r.Tracking != nil {
		add("target %.0f %%", r.Tracking.Target)
	}
	return out
}
