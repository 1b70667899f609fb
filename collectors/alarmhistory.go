package collectors

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
)

// alarmed is when an alarm last went to ALARM, and when it left it after that, by its
// history, of which CloudWatch keeps 30 days; both are zero where that doesn't tell.
func (l *Live) alarmed(ctx context.Context, name string) (since, until time.Time) {
	in := &cloudwatch.DescribeAlarmHistoryInput{
		AlarmName: &name, HistoryItemType: types.HistoryItemTypeStateUpdate, ScanBy: types.ScanByTimestampDescending,
		AlarmTypes: []types.AlarmType{types.AlarmTypeMetricAlarm, types.AlarmTypeCompositeAlarm}, MaxRecords: aws.Int32(100),
	}
	out, err := l.alarmHistory(ctx, in)
	if err != nil {
		return since, until
	}
	for _, item := range out.AlarmHistoryItems {
		if stateOf(item) == string(types.StateValueAlarm) {
			return when(item.Timestamp), until
		}
		until = when(item.Timestamp)
	}
	return time.Time{}, time.Time{}
}

func (l *Live) alarmHistory(ctx context.Context, in *cloudwatch.DescribeAlarmHistoryInput) (out *cloudwatch.DescribeAlarmHistoryOutput, err error) {
	err = l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.cloudwatch.DescribeAlarmHistory(ctx, in)
		return err
	})
	return out, err
}

// stateOf is the state that an entry of an alarm's history leads to; "" for none.
func stateOf(item types.AlarmHistoryItem) string {
	var data struct {
		NewState struct {
			StateValue string `json:"stateValue"`
		} `json:"newState"`
	}
	if err := json.Unmarshal([]byte(aws.ToString(item.HistoryData)), &data); err == nil && data.NewState.StateValue != "" {
		return data.NewState.StateValue
	}
	_, to, _ := strings.Cut(aws.ToString(item.HistorySummary), " to ")
	return strings.TrimSpace(to)
}
