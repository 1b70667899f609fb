package collectors

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var clients = map[string]reflect.Type{
	"dynamodb":                reflect.TypeFor[dynamodbClient](),
	"dynamodb (streams)":      reflect.TypeFor[streamsClient](),
	"cloudwatch":              reflect.TypeFor[cloudwatchClient](),
	"cloudtrail":              reflect.TypeFor[cloudtrailClient](),
	"application-autoscaling": reflect.TypeFor[scalingClient](),
	"sts":                     reflect.TypeFor[stsClient](),
}

func TestEveryCallOnlyReads(t *testing.T) {
	reads := regexp.MustCompile("^(Get|Describe|List|Lookup)[A-Z]")
	for service, client := range clients {
		for method := range client.Methods() {
			if !reads.MatchString(method.Name) {
				t.Errorf("%s: %s may change something", service, method.Name)
			}
		}
	}
}

func TestThePolicyAllowsWhatIsCalledAndNothingElse(t *testing.T) {
	var called []string
	for service, client := range clients {
		prefix, _, _ := strings.Cut(service, " ")
		for method := range client.Methods() {
			called = append(called, prefix+":"+method.Name)
		}
	}
	var policy struct {
		Statement []struct{ Action []string }
	}
	if err := json.Unmarshal([]byte(Policy()), &policy); err != nil {
		t.Fatal(err)
	}
	allowed := policy.Statement[0].Action
	slices.Sort(called)
	slices.Sort(allowed)
	if !slices.Equal(called, allowed) {
		t.Errorf("called %v, allowed %v", called, allowed)
	}
}

func TestTheREADMEShowsThePolicy(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```json\n"+Policy()+"```") {
		t.Errorf("the README's policy isn't:\n%s", Policy())
	}
}
