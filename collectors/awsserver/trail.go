package awsserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// TrailEvent is a call that CloudTrail logged.
type TrailEvent struct {
	At   time.Time
	Name string
	User string
	// InvokedBy is the AWS service that called for its user, "" for none.
	InvokedBy string
	// ErrorCode is set where the call failed.
	ErrorCode string
	// Request are its parameters, as CloudTrail spells them.
	Request map[string]any
}

// lookupEvents tells the newest first, 50 at most.
func (s *Server) lookupEvents(in document) (document, error) {
	attributes := in.list("LookupAttributes")
	if len(attributes) > 1 {
		return nil, &refusal{code: "InvalidLookupAttributesException", status: http.StatusBadRequest, message: "one attribute at most"}
	}
	start, err := in.moment("StartTime")
	if err != nil {
		return nil, err
	}
	end, err := in.moment("EndTime")
	if err != nil {
		return nil, err
	}
	events := []any{}
	for _, e := range slices.Backward(s.cfg.Trail) {
		for _, a := range attributes {
			if d := asDocument(a); d.text("AttributeKey") != "EventName" || d.text("AttributeValue") != e.Name {
				e.Name = ""
			}
		}
		if e.Name == "" || e.At.Before(start) || e.At.After(end) || e.At.After(s.cfg.Now()) || len(events) == 50 {
			continue
		}
		record, err := json.Marshal(map[string]any{
			"eventVersion": "1.08", "eventName": e.Name, "errorCode": e.ErrorCode,
			"userIdentity":      map[string]any{"type": "IAMUser", "userName": e.User, "arn": "arn:aws:iam::111122223333:user/" + e.User, "invokedBy": e.InvokedBy},
			"requestParameters": e.Request, "responseElements": nil,
		})
		if err != nil {
			return nil, err
		}
		events = append(events, document{
			"EventId": "00000000-0000-4000-8000-000000000000", "EventName": e.Name, "EventSource": "dynamodb.amazonaws.com",
			"EventTime": e.At, "Username": e.User, "ReadOnly": "false", "CloudTrailEvent": string(record), "Resources": []any{},
		})
	}
	return document{"Events": events}, nil
}
