package collectors

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/processcreds"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	"github.com/aws/aws-sdk-go-v2/service/cloudtrail"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go/logging"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Config says what to watch and how to reach AWS. Its zero value is what the AWS
// CLI would do: the environment's or the default profile's credentials and
// Region.
type Config struct {
	Profile, Region, EndpointURL string
	// Tables are names or ARNs; none means every table of the account and
	// Region: all are watched for refusals, and those that refuse, up to MaxTables,
	// are asked for in full.
	Tables []string
	// Budget is the most that polling may cost, in dollars an hour: polls come less
	// often where that is needed. Zero is no bound.
	Budget float64
	// Since is how far Next's first batch reaches back; zero is an hour.
	Since time.Duration
	// beside says that other places are asked at the same time, for the same window.
	beside bool
	// linked is the account that is asked through this one, a monitoring account; "" for
	// none.
	linked string
	// alias is what the account is called as long as nothing tells its number; "" for none.
	alias string
	// Prompt asks for a line, such as an MFA code; nil where nobody can be asked.
	Prompt func(question string) (string, error)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// HTTPClient replaces the SDK's own; nil as a rule. With another client the
	// SDK refuses AWS_CA_BUNDLE.
	HTTPClient *http.Client
}

// Live asks AWS. Meter and Look may be called at any time, everything else by one
// goroutine at a time.
type Live struct {
	cfg     Config
	loaded  aws.Config
	region  string
	account string // "" until known
	who     string // the caller's ARN, "" until known
	// skew is how far AWS's clock is ahead of ours, zero below maxSkew.
	skew time.Duration

	dynamodb   dynamodbClient
	streams    streamsClient
	cloudwatch cloudwatchClient
	cloudtrail cloudtrailClient
	scaling    scalingClient
	sts        stsClient

	meter      meter
	streamPace pacer
	reportPace pacer

	// What Next remembers between polls.
	known     *survey
	used      usage
	shared    map[string][]string // a linked account's tables, with their indexes
	trail     trail
	wished    wishes           // by Compare
	fleet     fleet            // where no table is named
	begun     time.Time        // the start of the first poll's window
	last      telemetry.Window // of the last poll that had an answer
	failures  int              // polls since then that had none
	attempted time.Time        // zero before the first poll

	looked atomic.Pointer[telemetry.TableID] // by Look; nil for none
}

// Limits on finding credentials. Off EC2 nobody answers for an instance's role;
// what goes through a network or another program takes its time.
const (
	roleLimit       = 2 * time.Second
	credentialLimit = 10 * time.Second
	processLimit    = time.Minute
)

// Open finds credentials and a Region as the AWS CLI does. It asks AWS nothing
// but what the credentials need (a role, an SSO session). Its errors say in a
// line that begins with "hint:" what to type.
func Open(ctx context.Context, cfg Config) (*Live, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Since <= 0 {
		cfg.Since = time.Hour
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var limit *time.Timer
	loaded, err := config.LoadDefaultConfig(ctx, options(cfg, func() func() {
		if limit != nil {
			limit.Stop()
		}
		return func() {
			if limit != nil {
				limit.Reset(credentialLimit)
			}
		}
	})...)
	if err != nil {
		return nil, credentialError(cfg, err)
	}
	if loaded.Region == "" {
		return nil, errNoRegion
	}
	limit = time.AfterFunc(patience(loaded.Credentials), cancel)
	defer limit.Stop()
	if _, err := loaded.Credentials.Retrieve(ctx); err != nil {
		return nil, credentialError(cfg, err)
	}
	return newLive(cfg, loaded), nil
}

// options are those of the SDK. paused is called while a person is asked, and
// what it returns when the answer is there.
func options(cfg Config, paused func() func()) []func(*config.LoadOptions) error {
	// The SDK warns on stderr, which would tear the screen.
	opts := []func(*config.LoadOptions) error{config.WithLogger(logging.Nop{})}
	if cfg.Profile != "" {
		opts = append(opts, config.WithSharedConfigProfile(cfg.Profile))
	}
	if cfg.Region != "" {
		opts = append(opts, config.WithRegion(cfg.Region))
	}
	if cfg.EndpointURL != "" {
		opts = append(opts, config.WithBaseEndpoint(cfg.EndpointURL))
	}
	if cfg.HTTPClient != nil {
		opts = append(opts, config.WithHTTPClient(cfg.HTTPClient))
	}
	return append(opts, config.WithAssumeRoleCredentialOptions(func(o *stscreds.AssumeRoleOptions) {
		o.TokenProvider = func() (string, error) {
			if cfg.Prompt == nil {
				return "", errNobodyToAsk
			}
			resume := paused()
			defer resume()
			return cfg.Prompt("MFA code for " + telemetry.Clean(aws.ToString(o.SerialNumber)) + ": ")
		}
	}))
}

// patience is how long credentials may take to be found.
func patience(p aws.CredentialsProvider) time.Duration {
	switch {
	case aws.IsCredentialsProvider(p, (*processcreds.Provider)(nil)):
		return processLimit
	case aws.IsCredentialsProvider(p, (*ssocreds.Provider)(nil)), aws.IsCredentialsProvider(p, (*stscreds.AssumeRoleProvider)(nil)),
		aws.IsCredentialsProvider(p, (*stscreds.WebIdentityRoleProvider)(nil)):
		return credentialLimit
	}
	return roleLimit
}

// Polls come often enough to be the retry; the SDK's own attempts are for what
// passes in seconds.
const attempts = 3

func newLive(cfg Config, loaded aws.Config) *Live {
	loaded.RetryMaxAttempts = attempts
	if loaded.HTTPClient == nil {
		loaded.HTTPClient = awshttp.NewBuildableClient()
	}
	loaded.HTTPClient = boundedClient{loaded.HTTPClient}
	if cfg.EndpointURL != "" {
		loaded.BaseEndpoint = &cfg.EndpointURL
	}
	return &Live{
		cfg: cfg, loaded: loaded, region: loaded.Region, wished: make(wishes, 1), used: usage{},
		dynamodb: dynamodb.NewFromConfig(loaded), streams: dynamodbstreams.NewFromConfig(loaded),
		cloudwatch: cloudwatch.NewFromConfig(loaded), scaling: applicationautoscaling.NewFromConfig(loaded),
		cloudtrail: cloudtrail.NewFromConfig(loaded), sts: sts.NewFromConfig(loaded),
		// DescribeStream: at most 10 calls a second (API reference).
		streamPace: pacer{gap: 100 * time.Millisecond},
		// GetInsightRuleReport: 20 calls a second (CloudWatch quotas).
		reportPace: pacer{gap: 55 * time.Millisecond},
	}
}

// Focus says which tables to ask for, and how far back Next begins, instead of what
// Config said. It is for before the first poll.
func (l *Live) Focus(tables []string, since time.Duration) {
	l.cfg.Tables, l.cfg.Since = tables, since
}

// in is a Live with the same credentials in another Region.
func (l *Live) in(cfg Config) *Live {
	cfg.Now, cfg.Since = l.cfg.Now, l.cfg.Since
	loaded := l.loaded.Copy()
	loaded.Region = cfg.Region
	return newLive(cfg, loaded)
}

// now is the time by AWS's clock, as far as it is known to differ from ours.
func (l *Live) now() time.Time { return l.cfg.Now().Add(l.skew).UTC() }

// Look asks that, of a fleet, a table be asked for in full from the next poll on,
// whether it refuses or not, until another is named.
func (l *Live) Look(table telemetry.TableID) { l.looked.Store(&table) }

// opened is the table that Look named, the zero value for none.
func (l *Live) opened() telemetry.TableID {
	if id := l.looked.Load(); id != nil {
		return *id
	}
	return telemetry.TableID{}
}
