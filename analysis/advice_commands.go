package analysis

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// shellQuote writes a word for a POSIX shell: as it is where nothing in it is special,
// else in single quotes.
func shellQuote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// aws writes one AWS CLI line, in the table's Region where that is known.
func (a *adviser) aws(service, operation string, words ...string) string {
	line := []string{"aws", service, operation}
	if a.res.ID.Region != "" {
		line = append(line, "--region", a.res.ID.Region)
	}
	for i, w := range append(line, words...) {
		if i < len(line) {
			line[i] = shellQuote(w)
		} else {
			line = append(line, shellQuote(w))
		}
	}
	return strings.Join(line, " ")
}

func (a *adviser) updateTable(words ...string) string {
	return a.aws("dynamodb", "update-table", append([]string{"--table-name", a.res.ID.Table}, words...)...)
}

// updateIndex changes one setting of the event's index.
func (a *adviser) updateIndex(setting string, values map[string]int64) string {
	update := []any{map[string]any{"Update": map[string]any{"IndexName": a.res.ID.Index, setting: values}}}
	text, err := json.Marshal(update)
	if err != nil {
		return ""
	}
	return a.updateTable("--global-secondary-index-updates", string(text))
}

// other is the provisioned capacity, or the on-demand maximum, in the direction that the
// event doesn't concern; ok is false where there is none or it isn't known, and then no
// line that sets both can be written.
func (a *adviser) other() (rate float64, ok bool) {
	dir := telemetry.Read
	if a.reads() {
		dir = telemetry.Write
	}
	minutes := a.res.Load(dir).Minutes
	for i := len(minutes) - 1; i >= 0; i-- {
		if minutes[i].Capacity > 0 {
			return float64(minutes[i].Capacity), true
		}
	}
	described := a.capacity().Provisioned
	if a.onDemand() {
		described = a.capacity().OnDemandMax
	}
	if c := described.In(dir); c != nil && *c > 0 {
		return float64(*c), true
	}
	return 0, false
}

// capacity is what the resource is described with; zero where there is no description.
func (a *adviser) capacity() telemetry.Capacity {
	d := a.table.Description
	if d == nil {
		return telemetry.Capacity{}
	}
	if !a.onIndex() {
		return d.Capacity
	}
	for _, x := range d.Indexes {
		if x.Name == a.res.ID.Index {
			return x.Capacity
		}
	}
	return telemetry.Capacity{}
}

// provision is the line that sets provisioned throughput; none where the rate is 0, which
// is unknown, or the other direction's, which must be given too, isn't known.
func (a *adviser) provision(rate float64) []string {
	other, ok := a.other()
	if !ok || rate <= 0 {
		return []string{a.describe()}
	}
	read, write := other, rate
	if a.reads() {
		read, write = rate, other
	}
	if a.onIndex() {
		return []string{a.updateIndex("ProvisionedThroughput", map[string]int64{
			"ReadCapacityUnits": int64(read), "WriteCapacityUnits": int64(write),
		})}
	}
	return []string{a.updateTable("--provisioned-throughput",
		"ReadCapacityUnits="+digits(read)+",WriteCapacityUnits="+digits(write))}
}

// raiseMaximum is the line that sets the on-demand maximum of the event's direction.
func (a *adviser) raiseMaximum(rate float64) string {
	name := "MaxWriteRequestUnits"
	if a.reads() {
		name = "MaxReadRequestUnits"
	}
	if a.onIndex() {
		return a.updateIndex("OnDemandThroughput", map[string]int64{name: int64(rate)})
	}
	return a.updateTable("--on-demand-throughput", name+"="+digits(rate))
}

// warm is the line that pre-warms a table or index; a direction whose rate is 0 is left
// as it is.
func (a *adviser) warm(read, write float64) string {
	values := map[string]int64{}
	var words []string
	add := func(name string, rate float64) {
		if rate > 0 {
			values[name] = int64(rate)
			words = append(words, name+"="+digits(rate))
		}
	}
	add("ReadUnitsPerSecond", read)
	add("WriteUnitsPerSecond", write)
	if a.onIndex() {
		return a.updateIndex("WarmThroughput", values)
	}
	return a.updateTable("--warm-throughput", strings.Join(words, ","))
}

// scaling are the lines that set auto scaling's bounds and target.
func (a *adviser) scaling(low, high, percent float64) []string {
	kind, id := "table", "table/"+a.res.ID.Table
	if a.onIndex() {
		kind, id = "index", id+"/index/"+a.res.ID.Index
	}
	half := "Write"
	if a.reads() {
		half = "Read"
	}
	target := []string{
		"--service-namespace", "dynamodb", "--resource-id", id,
		"--scalable-dimension", "dynamodb:" + kind + ":" + half + "CapacityUnits",
	}
	metric := "DynamoDB" + half + "CapacityUtilization"
	policy := `{"PredefinedMetricSpecification":{"PredefinedMetricType":"` + metric + `"},"TargetValue":` + digits(percent) + `}`
	bounds := []string{target[0], target[1], "--resource-ids", id, target[4], target[5]}
	return []string{
		a.aws("application-autoscaling", "describe-scalable-targets", bounds...),
		a.aws("application-autoscaling", "describe-scaling-policies", target...),
		a.aws("application-autoscaling", "register-scalable-target", append(target,
			"--min-capacity", digits(low), "--max-capacity", digits(high))...),
		a.aws("application-autoscaling", "put-scaling-policy", append(target,
			"--policy-name", metric+":"+id, "--policy-type", "TargetTrackingScaling",
			"--target-tracking-scaling-policy-configuration", policy)...),
	}
}

// describe only reads: the table's settings as they are.
func (a *adviser) describe() string {
	return a.aws("dynamodb", "describe-table", "--table-name", a.res.ID.Table)
}

// watch only reads: the refusals by the event's limit since it began. It ends an hour
// after an event that is over, and leaves half a day or more to paste it while one stands.
func (a *adviser) watch() string {
	e := a.event
	end := e.End.Add(time.Hour)
	if e.Ongoing {
		end = e.End.Add(12 * time.Hour)
		if day := e.Start.Add(24 * time.Hour); day.After(end) {
			end = day
		}
	}
	dimensions := []string{"--dimensions", "Name=TableName,Value=" + e.Resource.Table}
	if e.Resource.Index != "" {
		dimensions = append(dimensions, "Name=GlobalSecondaryIndexName,Value="+e.Resource.Index)
	}
	words := append([]string{
		"--namespace", "AWS/DynamoDB",
		"--metric-name", string(telemetry.ThrottleEvents(e.Direction, e.Limit)),
	}, dimensions...)
	return a.aws("cloudwatch", "get-metric-statistics", append(words,
		"--statistics", "Sum", "--period", strconv.Itoa(watchPeriod(end.Sub(e.Start))),
		"--start-time", e.Start.UTC().Format(time.RFC3339), "--end-time", end.UTC().Format(time.RFC3339))...)
}

// watchPeriod is the shortest period in seconds, whole minutes, that keeps a span within
// the 1,440 points that one call returns (CloudWatch API Reference,
// "GetMetricStatistics").
func watchPeriod(span time.Duration) int {
	const most = 1440
	return 60 * max(1, int(math.Ceil(span.Minutes()/most)))
}

// rateOrNil keeps an unknown rate unknown.
func rateOrNil(rate float64) any {
	if rate <= 0 {
		return nil
	}
	return rate
}

func digits(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
