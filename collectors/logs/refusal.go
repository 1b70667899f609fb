package logs

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// refusal is what one record tells of one limit.
type refusal struct {
	resource  telemetry.ResourceID // without Table where it isn't told
	limit     telemetry.Limit
	direction telemetry.Direction // "" where it isn't told
}

// found is what one record tells.
type found struct {
	refusals  []refusal
	operation string // "PutItem", or "" where it isn't told
	attempts  int    // of the SDK, the first included; 0 where not told
	request   string // AWS's id of the request, or ""
}

var (
	// reasonWord is one of the 16 reasons (API Reference, "ThrottlingReason").
	reasonWord = regexp.MustCompile(`(Table|Index)(Read|Write)(ProvisionedThroughput|KeyRangeThroughput|AccountLimit|MaxOnDemandThroughput)Exceeded`)
	arnWord    = regexp.MustCompile(`arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:[0-9]*:table/[A-Za-z0-9_.-]+(?:/index/[A-Za-z0-9_.-]+)?`)
	// errorCode is an error by which DynamoDB refuses for throughput (Developer Guide,
	// "Error handling"), with or without its ending.
	errorCode = regexp.MustCompile(`ProvisionedThroughputExceeded|RequestLimitExceeded|ThrottlingException|ThrottlingError`)
	// tableWord is a table's name as SDKs print a request's parameters.
	tableWord     = regexp.MustCompile(`\\?["']?\bTable_?[Nn]ame\\?["']?\s*[:=]\s*\\?["']?([A-Za-z0-9_.-]{3,255})`)
	operationWord = regexp.MustCompile(`\b(` + strings.Join(telemetry.APIOperations, "|") + `)(?:Command|Request|Async|Input|Operation)?\b`)
	attemptsWord  = regexp.MustCompile(`(?i)(max retries: |number of attempts, |attempt count: |"?attempts"?[:=] ?)([0-9]{1,4})`)
	requestWord   = regexp.MustCompile(`(?i)request[ _-]?id\\?["']?\s*[:=]\s*\\?["']?([A-Z0-9-]{16,64})`)
)

var limitsOfReasons = map[string]telemetry.Limit{
	"ProvisionedThroughput": telemetry.ProvisionedLimit,
	"KeyRangeThroughput":    telemetry.KeyRangeLimit,
	"AccountLimit":          telemetry.AccountLimit,
	"MaxOnDemandThroughput": telemetry.MaxOnDemandLimit,
}

// texts tell the limit where there are no reasons. "Provisioned throughput" is said
// of partitions too, so it tells none (Developer Guide, "Error handling"; messages as
// seen in public logs).
var texts = []struct {
	text  string
	limit telemetry.Limit
}{
	{"Throughput exceeds the maximum OnDemandThroughput", telemetry.MaxOnDemandLimit},
	{"Throughput exceeds the current throughput limit for your account", telemetry.AccountLimit},
	{"Throughput exceeds the current capacity", telemetry.KeyRangeLimit},
	{"The level of configured provisioned throughput", telemetry.UnknownLimit},
	{"Rate of requests exceeds the allowed throughput", telemetry.UnknownLimit},
}

// understand says what a record tells; ok is false where it tells of no refusal by
// DynamoDB's tables.
func understand(record string) (f found, ok bool) {
	if m := operationWord.FindStringSubmatch(record); m != nil {
		f.operation = m[1]
	}
	f.refusals = byReasons(record)
	if len(f.refusals) == 0 {
		r, ok := byError(record, f.operation)
		if !ok {
			return found{}, false
		}
		f.refusals = []refusal{r}
	}
	if d, ok := telemetry.OperationDirection(f.operation); ok {
		for i := range f.refusals {
			if f.refusals[i].direction == "" {
				f.refusals[i].direction = d
			}
		}
	}
	if m := attemptsWord.FindStringSubmatch(record); m != nil {
		f.attempts, _ = strconv.Atoi(m[2])
		if strings.EqualFold(m[1], "max retries: ") {
			f.attempts++
		}
	}
	if m := requestWord.FindStringSubmatch(record); m != nil {
		f.request = m[1]
	}
	return f, true
}

// byReasons reads ThrottlingReasons in whatever notation: each reason goes with the
// ARN of the same rank, or with the only one.
func byReasons(record string) []refusal {
	reasons := reasonWord.FindAllStringSubmatch(record, -1)
	arns := arnWord.FindAllString(record, -1)
	var out []refusal
	for i, m := range reasons {
		r := refusal{limit: limitsOfReasons[m[3]], direction: telemetry.Direction(strings.ToLower(m[2]))}
		switch {
		case len(arns) == len(reasons):
			r.resource, _ = telemetry.ParseARN(arns[i])
		case len(arns) > 0 && !slices.ContainsFunc(arns, func(a string) bool { return a != arns[0] }):
			r.resource, _ = telemetry.ParseARN(arns[0])
		case len(arns) == 0:
			r.resource.Table = tableNamed(record)
		}
		if m[1] == "Table" {
			r.resource.Index = ""
		}
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// byError reads an error without reasons.
func byError(record, operation string) (refusal, bool) {
	limit, told := telemetry.UnknownLimit, false
	for _, t := range texts {
		if strings.Contains(record, t.text) {
			limit, told = t.limit, true
			break
		}
	}
	code := errorCode.FindString(record)
	about := told || operation != "" || strings.Contains(strings.ToLower(record), "dynamodb")
	switch {
	case code == "" && !told,
		!about && code != "ProvisionedThroughputExceeded",
		strings.Contains(record, "for shard"), strings.Contains(record, "Kinesis"),
		strings.Contains(record, "Subscriber limit exceeded"): // of CreateTable and its like
		return refusal{}, false
	}
	r := refusal{limit: limit}
	if arn := arnWord.FindString(record); arn != "" {
		r.resource, _ = telemetry.ParseARN(arn)
	} else {
		r.resource.Table = tableNamed(record)
	}
	return r, true
}

// tableNamed is the table that a request's printed parameters name, or "".
func tableNamed(record string) string {
	if m := tableWord.FindStringSubmatch(record); m != nil {
		return m[1]
	}
	return ""
}
