package awsserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Alarm is one of CloudWatch's alarms: on one metric, on several in an expression, or
// composite.
type Alarm struct {
	Name    string
	Metrics []AlarmMetric
	// Expression combines the metrics; "" for an alarm on one metric alone.
	Expression string
	// Children are the alarms of a composite one's rule.
	Children []string
	// States are what it went to, oldest first.
	States []AlarmState
}

// AlarmMetric is a metric that an alarm is on.
type AlarmMetric struct {
	Namespace, Name string
	Dimensions      map[string]string
}

// AlarmState is a state from a time on: OK, ALARM or INSUFFICIENT_DATA.
type AlarmState struct {
	At    time.Time
	State string
}

func (a Alarm) composite() bool { return len(a.Children) > 0 }

// state is the one at a time.
func (a Alarm) state(now time.Time) AlarmState {
	out := AlarmState{State: "INSUFFICIENT_DATA"}
	for _, s := range a.States {
		if !s.At.After(now) {
			out = s
		}
	}
	return out
}

func (s *Server) describeAlarms(in document) (document, error) {
	wanted := s.cfg.Alarms
	parent := in.text("ChildrenOfAlarmName")
	switch names := in.texts("AlarmNames"); {
	case parent != "" && (len(names) > 0 || len(in.list("AlarmTypes")) > 0):
		return nil, &refusal{code: "ValidationError", status: http.StatusBadRequest, message: "ChildrenOfAlarmName allows no other parameters"}
	case parent != "":
		wanted = s.alarmsWhere(func(a Alarm) bool {
			return slices.ContainsFunc(s.cfg.Alarms, func(p Alarm) bool { return p.Name == parent && slices.Contains(p.Children, a.Name) })
		})
	case len(names) > 0:
		wanted = s.alarmsWhere(func(a Alarm) bool { return slices.Contains(names, a.Name) })
	case in.text("AlarmNamePrefix") != "":
		wanted = s.alarmsWhere(func(a Alarm) bool { return strings.HasPrefix(a.Name, in.text("AlarmNamePrefix")) })
	}
	metric, composite := []any{}, []any{}
	for _, a := range wanted {
		d := document{"AlarmName": a.Name, "AlarmArn": "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:" + a.Name}
		now := a.state(s.cfg.Now())
		d["StateValue"] = now.State
		d.with("StateUpdatedTimestamp", now.At)
		switch {
		case a.composite():
			if parent != "" || slices.Contains(in.texts("AlarmTypes"), "CompositeAlarm") {
				composite = append(composite, d)
			}
		default:
			if parent == "" {
				a.describe(d)
			}
			metric = append(metric, d)
		}
	}
	return document{"MetricAlarms": metric, "CompositeAlarms": composite}, nil
}

func (s *Server) alarmsWhere(holds func(Alarm) bool) []Alarm {
	return slices.DeleteFunc(slices.Clone(s.cfg.Alarms), func(a Alarm) bool { return !holds(a) })
}

// describe adds what an alarm is on.
func (a Alarm) describe(d document) {
	if len(a.Metrics) == 1 && a.Expression == "" {
		m := a.Metrics[0]
		d["Namespace"], d["MetricName"], d["Dimensions"] = m.Namespace, m.Name, m.dimensions()
		return
	}
	queries := []any{}
	for i, m := range a.Metrics {
		queries = append(queries, document{
			"Id": "m" + string(rune('1'+i)), "ReturnData": false,
			"MetricStat": document{"Period": 60, "Stat": "Sum", "Metric": document{"Namespace": m.Namespace, "MetricName": m.Name, "Dimensions": m.dimensions()}},
		})
	}
	d["Metrics"] = append(queries, document{"Id": "e1", "Expression": a.Expression, "ReturnData": true})
}

func (m AlarmMetric) dimensions() []any {
	out := []any{}
	for name, value := range m.Dimensions {
		out = append(out, document{"Name": name, "Value": value})
	}
	return out
}

// alarmHistory tells the changes of state, the newest first.
func (s *Server) alarmHistory(in document) (document, error) {
	items := []any{}
	for _, a := range s.cfg.Alarms {
		if a.Name != in.text("AlarmName") || a.composite() && !slices.Contains(in.texts("AlarmTypes"), "CompositeAlarm") {
			continue
		}
		before := "INSUFFICIENT_DATA"
		for _, c := range a.States {
			if c.At.After(s.cfg.Now()) {
				break
			}
			data, err := json.Marshal(map[string]any{
				"version": "1.0", "oldState": map[string]string{"stateValue": before}, "newState": map[string]string{"stateValue": c.State},
			})
			if err != nil {
				return nil, err
			}
			items = append(items, document{
				"AlarmName": a.Name, "HistoryItemType": "StateUpdate", "Timestamp": c.At,
				"HistorySummary": "Alarm updated from " + before + " to " + c.State, "HistoryData": string(data),
			})
			before = c.State
		}
	}
	slices.Reverse(items)
	return document{"AlarmHistoryItems": items}, nil
}
