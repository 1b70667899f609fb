package collectors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go/middleware"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// survey is what the calls that describe have told: it changes slowly, so that
// it is asked for every few minutes only.
type survey struct {
	at time.Time
	// watched are all tables asked for, with those that couldn't be described.
	watched    []telemetry.TableID
	tables     []telemetry.Table
	quotas     []telemetry.Quotas
	insights   []telemetry.Insights
	shards     []telemetry.Shards
	targets    []telemetry.ScalingTarget
	activities []telemetry.ScalingActivity
	warnings   []telemetry.Warning
	// failed is why the first table that couldn't be described couldn't.
	failed error
	// gone are the tables that don't exist.
	gone []telemetry.TableID
	// shared are the indexes of tables of a linked account, which aren't described.
	shared map[string][]string
}

// survey makes the first round of calls for the tables that were named: the
// caller's identity, the account's limits and the tables' descriptions.
func (l *Live) survey(ctx context.Context) (*survey, error) {
	for _, name := range l.cfg.Tables {
		if id, ok := telemetry.ParseARN(name); ok && id.Region != l.region {
			return nil, fmt.Errorf("table %q is in %s, not in %s\nhint: --region %s", telemetry.Clean(id.Table), telemetry.Clean(id.Region), l.region, telemetry.Clean(id.Region))
		}
	}
	s, err := l.describe(ctx, l.cfg.Tables, true)
	if err != nil {
		return nil, err
	}
	if len(s.gone) > 0 {
		return nil, l.unknownTable(ctx, s.gone[0].Table)
	}
	return s, nil
}

// describe asks what the tables are, and with limits what the account may do.
func (l *Live) describe(ctx context.Context, names []string, limits bool) (*survey, error) {
	if l.cfg.linked != "" {
		return l.undescribed(names), nil
	}
	s := &survey{at: l.now()}
	described := make([]*telemetry.Table, len(names))
	failures := make([]error, len(names))
	var tasks []task
	if limits {
		tasks = append(tasks, l.limits(&s.quotas))
	}
	var account, who string
	if l.account == l.cfg.alias {
		tasks = append(tasks, func(ctx context.Context) []telemetry.Warning {
			account, who = l.identity(ctx)
			return nil
		})
	}
	skews := make([]time.Duration, len(names))
	for i, name := range names {
		tasks = append(tasks, func(ctx context.Context) []telemetry.Warning {
			described[i], skews[i], failures[i] = l.table(ctx, name)
			return nil
		})
	}
	s.warnings = parallel(ctx, tasks)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.adjust(skews)
	if account != "" {
		l.account, l.who = account, who
	}
	if l.account == "" {
		l.account = l.cfg.alias
	}
	l.settle(s, names, described, failures)
	return s, nil
}

// settle puts into a survey what came of the tables' descriptions.
func (l *Live) settle(s *survey, names []string, described []*telemetry.Table, failures []error) {
	for i, name := range names {
		if table := described[i]; table != nil {
			table.At = l.now()
			l.account = table.ID.Account
			s.watched = append(s.watched, table.ID)
			s.tables = append(s.tables, *table)
			continue
		}
		id := l.named(name)
		if _, gone := errors.AsType[*types.ResourceNotFoundException](failures[i]); gone {
			s.gone = append(s.gone, id)
			continue
		}
		s.watched = append(s.watched, id)
		s.warnings = append(s.warnings, l.trouble(failures[i], describeTable, id.Resource())...)
		if s.failed == nil {
			s.failed = failures[i]
		}
	}
	for i := range s.quotas {
		s.quotas[i].Account = l.account
	}
}

// named is the table of a name or ARN, before AWS has said more of it.
func (l *Live) named(name string) telemetry.TableID {
	if id, ok := telemetry.ParseARN(name); ok {
		return id.TableID
	}
	return telemetry.TableID{Account: l.account, Region: l.region, Table: name}
}

// maxListPages bounds a list of tables, 100 a page: an account may have 10,000 in a
// Region (Service Quotas, "Tables per account per Region").
const maxListPages = 100

// allTables lists the tables of the account and Region, by name; of a linked account
// those that were used within three hours.
func (l *Live) allTables(ctx context.Context) ([]string, error) {
	if l.cfg.linked != "" {
		return l.sharedTables(ctx)
	}
	var all []string
	in := &dynamodb.ListTablesInput{}
	for range maxListPages {
		var out *dynamodb.ListTablesOutput
		err := l.call(ctx, 0, func(ctx context.Context) (err error) {
			out, err = l.dynamodb.ListTables(ctx, in)
			return err
		})
		if err != nil {
			return all, err
		}
		all = append(all, out.TableNames...)
		next := aws.ToString(out.LastEvaluatedTableName)
		if next == "" || next == aws.ToString(in.ExclusiveStartTableName) {
			return all, nil
		}
		in.ExclusiveStartTableName = &next
	}
	return all, nil
}

// place names where tables are looked for.
func (l *Live) place() string {
	if l.account == "" {
		return l.region
	}
	return l.region + " of account " + l.account
}

// identity is the caller's account and ARN, "" where STS doesn't tell. A network
// without a way to STS drops the call: the tables' descriptions tell the account
// too, so it isn't waited for.
func (l *Live) identity(ctx context.Context) (account, arn string) {
	ctx, cancel := context.WithTimeout(ctx, roleLimit)
	defer cancel()
	out, err := l.caller(ctx)
	if err != nil {
		return "", ""
	}
	return aws.ToString(out.Account), aws.ToString(out.Arn)
}

func (l *Live) caller(ctx context.Context) (out *sts.GetCallerIdentityOutput, err error) {
	err = l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.sts.GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
		return err
	})
	return out, err
}

func (l *Live) limits(into *[]telemetry.Quotas) task {
	return func(ctx context.Context) []telemetry.Warning {
		var out *dynamodb.DescribeLimitsOutput
		err := l.call(ctx, 0, func(ctx context.Context) (err error) {
			out, err = l.dynamodb.DescribeLimits(ctx, &dynamodb.DescribeLimitsInput{})
			return err
		})
		if err != nil {
			return l.trouble(err, describeLimits, telemetry.ResourceID{})
		}
		*into = []telemetry.Quotas{{
			Region:     l.region,
			PerTable:   telemetry.Throughput{Read: positive(out.TableMaxReadCapacityUnits), Write: positive(out.TableMaxWriteCapacityUnits)},
			PerAccount: telemetry.Throughput{Read: positive(out.AccountMaxReadCapacityUnits), Write: positive(out.AccountMaxWriteCapacityUnits)},
		}}
		return nil
	}
}

// table describes one table, and says how far AWS's clock is ahead of ours.
func (l *Live) table(ctx context.Context, name string) (*telemetry.Table, time.Duration, error) {
	var out *dynamodb.DescribeTableOutput
	err := l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.dynamodb.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	if out.Table == nil {
		return nil, 0, errors.New("the answer holds no table")
	}
	table := description(l.named(name), out.Table)
	return &table, l.ahead(out.ResultMetadata), nil
}

// ahead is how far the server's clock is ahead of ours by the answer's date,
// which tells whole seconds.
func (l *Live) ahead(m middleware.Metadata) time.Duration {
	server, ok := awsmiddleware.GetServerTime(m)
	if !ok || server.IsZero() {
		return 0
	}
	return server.Sub(l.cfg.Now()).Round(time.Second)
}

// maxSkew is how far clocks may differ before it matters: points appear a minute
// or more after their time.
const maxSkew = 30 * time.Second

func (l *Live) adjust(skews []time.Duration) {
	for _, skew := range skews {
		if skew == 0 {
			continue
		}
		if skew.Abs() < maxSkew {
			skew = 0
		}
		l.skew = skew
		return
	}
}

// failure is the error for a call without which nothing can be said.
func (l *Live) failure(err error, p Permission, about telemetry.ResourceID) error {
	_, reason, remedy := l.reason(err, p)
	text := fmt.Sprintf("%s: %s %s", subject(about), p.Action, reason)
	if remedy != "" {
		text += "\nhint: " + telemetry.Clean(remedy)
	}
	return errors.New(text)
}

// unknownTable says where a table was looked for and which names come near.
func (l *Live) unknownTable(ctx context.Context, name string) error {
	text := fmt.Sprintf("there is no table %q in %s", telemetry.Clean(name), l.place())
	all, err := l.allTables(ctx)
	if err != nil || len(all) == 0 {
		return errors.New(text + "\nhint: check --region and --profile; aws dynamodb list-tables shows the names")
	}
	near := nearest(name, all)
	for i := range near {
		near[i] = telemetry.Clean(near[i])
	}
	return errors.New(text + "\nhint: there is " + strings.Join(near, ", ") + "; else check --region and --profile")
}

// warnOfSkew says that our clock is wrong, for times on screen are AWS's.
func (l *Live) warnOfSkew() []telemetry.Warning {
	if l.skew == 0 {
		return nil
	}
	relation := "behind"
	if l.skew < 0 {
		relation = "ahead of"
	}
	return []telemetry.Warning{{
		Code: telemetry.ClockSkew,
		Text: fmt.Sprintf("this machine's clock is %s %s AWS's: times are AWS's", l.skew.Abs().Round(time.Second), relation),
	}}
}
