package collectors

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func tool(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("other people's programs take seconds to start")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

func TestAnswersArriveOverARealConnection(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	loopback := httptest.NewServer(serve(b))
	defer loopback.Close()
	l, err := Open(t.Context(), Config{Tables: tableNames(b), Region: b.Tables[0].ID.Region, EndpointURL: loopback.URL, Now: func() time.Time { return b.Window.End.Add(time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Fetch(t.Context(), b.Window)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, b, got)
}

// AWS's own command line is a client that nobody here wrote.
func TestTheAWSCommandLineUnderstandsTheServer(t *testing.T) {
	aws := tool(t, "aws")
	b := streamed(incident(t, "index-pressure"), 3)
	environment(t)
	loopback := httptest.NewServer(serve(b))
	defer loopback.Close()
	table, rule := b.Tables[0].ID.Table, b.Rankings[0].Rule
	start, end := b.Window.Start.Format(time.RFC3339), b.Window.End.Format(time.RFC3339)
	query := `[{"Id":"m0","MetricStat":{"Metric":{"Namespace":"AWS/DynamoDB","MetricName":"ConsumedWriteCapacityUnits","Dimensions":[{"Name":"TableName","Value":"` + table + `"}]},"Period":60,"Stat":"Sum"}}]`
	tests := []struct {
		line string
		want string
	}{
		{"sts get-caller-identity", b.Tables[0].ID.Account},
		{"dynamodb list-tables", table},
		{"dynamodb describe-table --table-name " + table, `"TableStatus": "ACTIVE"`},
		{"dynamodb describe-contributor-insights --table-name " + table, `"ContributorInsightsStatus"`},
		{"dynamodbstreams describe-stream --stream-arn " + b.Tables[0].StreamARN, `"ShardId"`},
		{"application-autoscaling describe-scalable-targets --service-namespace dynamodb", `"ScalableTargets"`},
		{"cloudwatch get-metric-data --start-time " + start + " --end-time " + end + " --metric-data-queries " + query, `"StatusCode": "Complete"`},
		{"cloudwatch get-insight-rule-report --period 60 --order-by Maximum --rule-name " + rule + " --start-time " + start + " --end-time " + end, `"Contributors"`},
	}
	for _, test := range tests {
		words := strings.Fields(test.line)
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(t.Context(), aws, append(words, "--endpoint-url", loopback.URL, "--region", "eu-west-1", "--output", "json")...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Errorf("aws %s: %v: %s", strings.Join(words[:2], " "), err, errs.String())
			continue
		}
		if !json.Valid(out.Bytes()) || !strings.Contains(out.String(), test.want) {
			t.Errorf("aws %s: no %s in %.300s", strings.Join(words[:2], " "), test.want, out.String())
		}
	}
}

// Moto is an AWS that nobody here wrote. It knows no CBOR and no Contributor
// Insights, so that much fails; what it describes must be read right.
func TestAForeignServerIsUnderstood(t *testing.T) {
	moto := tool(t, "moto_server")
	environment(t)
	port := freePort(t)
	endpoint := "http://127.0.0.1:" + port
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, moto, "-H", "127.0.0.1", "-p", port)
	cmd.Env = os.Environ()
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	if !listens(endpoint) {
		t.Skip("moto_server doesn't answer")
	}
	createTable(t, endpoint)
	l, err := Open(t.Context(), Config{Tables: []string{"orders"}, EndpointURL: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	b, err := l.Fetch(t.Context(), telemetry.Window{Start: now.Add(-time.Hour), End: now})
	if err != nil {
		t.Fatal(err)
	}
	table := b.Tables[0]
	if table.ID != (telemetry.TableID{Account: "123456789012", Region: "eu-west-1", Table: "orders"}) || table.Mode != telemetry.ModeProvisioned ||
		*table.Capacity.Provisioned.Write != 7 || len(table.Indexes) != 1 || table.Keys[0] != (telemetry.KeyAttribute{Name: "pk", Role: "HASH", Type: "S"}) {
		t.Errorf("got %+v", table)
	}
	if len(b.Quotas) != 1 || len(b.Shards) != 1 || len(b.Shards[0].Shards) == 0 {
		t.Errorf("quotas %+v, shards %+v", b.Quotas, b.Shards)
	}
	if len(b.Warnings) == 0 {
		t.Error("what it can't do isn't warned of")
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// listens waits for a server that is being started.
func listens(endpoint string) bool {
	for range 100 {
		response, err := http.Get(endpoint)
		if err == nil {
			_ = response.Body.Close()
			return true
		}
		timer := time.NewTimer(100 * time.Millisecond)
		<-timer.C
	}
	return false
}

func createTable(t *testing.T, endpoint string) {
	t.Helper()
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithBaseEndpoint(endpoint))
	if err != nil {
		t.Fatal(err)
	}
	throughput := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5), WriteCapacityUnits: aws.Int64(7)}
	_, err = dynamodb.NewFromConfig(cfg).CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), ProvisionedThroughput: throughput,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-status"), ProvisionedThroughput: throughput,
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("status"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestACompanysOwnCertificateAuthorityIsTrusted(t *testing.T) {
	b := incident(t, "hot-key-tenant")
	environment(t)
	loopback := httptest.NewTLSServer(serve(b))
	defer loopback.Close()
	bundle := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: loopback.Certificate().Raw})
	if err := os.WriteFile(bundle, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CA_BUNDLE", bundle)
	l, err := Open(t.Context(), Config{Tables: tableNames(b), EndpointURL: loopback.URL})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.Fetch(t.Context(), b.Window); err != nil || len(got.Tables) != len(b.Tables) {
		t.Error(err)
	}
}
