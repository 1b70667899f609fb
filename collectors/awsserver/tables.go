package awsserver

import (
	"slices"
	"strings"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// home is the account and Region of the batch's first table; emulators' zeros
// where there is none.
func (s *Server) home() telemetry.TableID {
	for _, t := range s.cfg.Batch.Tables {
		return t.ID
	}
	return telemetry.TableID{Account: "000000000000", Region: "us-east-1"}
}

func (s *Server) callerIdentity(document) (document, error) {
	account := s.home().Account
	if account == "" {
		account = "000000000000"
	}
	return document{"Account": account, "UserId": "AIDAEXAMPLE", "Arn": "arn:aws:iam::" + account + ":user/oncall"}, nil
}

// assumeRole gives credentials for an hour to whoever asks.
func (s *Server) assumeRole(in document) (document, error) {
	if in.text("SerialNumber") != "" && in.text("TokenCode") != "123456" {
		return nil, &refusal{code: "AccessDenied", status: 403, message: "MultiFactorAuthentication failed with invalid MFA one time pass code."}
	}
	return document{
		"AssumedRoleUser": document{"Arn": in.text("RoleArn"), "AssumedRoleId": "AROAEXAMPLE:hotpart"},
		"Credentials": document{
			"AccessKeyId": "ASIAEXAMPLE", "SecretAccessKey": "secret", "SessionToken": "token",
			"Expiration": s.cfg.Now().Add(time.Hour),
		},
	}, nil
}

// tablesAPage is how many names one call lists (ListTables, API reference).
const tablesAPage = 100

func (s *Server) listTables(in document) (document, error) {
	tables := s.cfg.Batch.Tables
	from := 0
	if after := in.text("ExclusiveStartTableName"); after != "" {
		from = 1 + slices.IndexFunc(tables, func(t telemetry.Table) bool { return t.ID.Table == after })
	}
	to := min(from+tablesAPage, len(tables))
	names := []any{}
	for _, t := range tables[from:to] {
		names = append(names, t.ID.Table)
	}
	out := document{"TableNames": names}
	if to < len(tables) {
		out["LastEvaluatedTableName"] = tables[to-1].ID.Table
	}
	return out, nil
}

func (s *Server) table(name string) (telemetry.Table, error) {
	if id, ok := telemetry.ParseARN(name); ok {
		name = id.Table
	}
	i := slices.IndexFunc(s.cfg.Batch.Tables, func(t telemetry.Table) bool { return t.ID.Table == name })
	if i < 0 {
		return telemetry.Table{}, notFound("Table: " + name + " not found")
	}
	return s.cfg.Batch.Tables[i], nil
}

func (s *Server) describeTable(in document) (document, error) {
	t, err := s.table(in.text("TableName"))
	if err != nil {
		return nil, err
	}
	arn := "arn:aws:dynamodb:" + t.ID.Region + ":" + t.ID.Account + ":table/" + t.ID.Table
	out := document{"TableName": t.ID.Table, "TableArn": arn, "TableStatus": t.Status, "AttributeDefinitions": attributes(t)}
	out.with("KeySchema", keySchema(t.Keys)).
		with("TableSizeBytes", t.SizeBytes).with("ItemCount", t.Items).
		with("LatestStreamArn", t.StreamARN).with("CreationDateTime", s.moved(t.Created))
	s.putCapacity(out, t.Capacity, t.Mode)
	billing := document{}.with("LastUpdateToPayPerRequestDateTime", s.moved(t.SwitchedToOnDemand))
	switch t.Mode {
	case telemetry.ModeOnDemand:
		billing["BillingMode"] = "PAY_PER_REQUEST"
	case telemetry.ModeProvisioned:
		billing["BillingMode"] = "PROVISIONED"
	}
	out.with("BillingModeSummary", billing)
	var global, local, replicas []any
	for _, index := range t.Indexes {
		d := document{"IndexName": index.Name, "IndexArn": arn + "/index/" + index.Name, "IndexStatus": index.Status, "Backfilling": index.Backfilling}
		d.with("KeySchema", keySchema(index.Keys)).with("Projection", projection(index.Projection)).
			with("IndexSizeBytes", index.SizeBytes).with("ItemCount", index.Items)
		s.putCapacity(d, index.Capacity, t.Mode)
		global = append(global, d)
	}
	for _, index := range t.LocalIndexes {
		local = append(local, document{"IndexName": index.Name}.with("KeySchema", keySchema(index.Keys)).with("Projection", projection(index.Projection)))
	}
	for _, region := range t.Replicas {
		replicas = append(replicas, document{"RegionName": region, "ReplicaStatus": "ACTIVE"})
	}
	return document{"Table": out.with("GlobalSecondaryIndexes", global).with("LocalSecondaryIndexes", local).with("Replicas", replicas)}, nil
}

// putCapacity writes zeros for provisioned throughput in on-demand mode, as
// DynamoDB does.
func (s *Server) putCapacity(d document, c telemetry.Capacity, mode telemetry.Mode) {
	p := document{"NumberOfDecreasesToday": int64(c.DecreasesToday)}
	p.with("LastIncreaseDateTime", s.moved(c.LastIncrease)).with("LastDecreaseDateTime", s.moved(c.LastDecrease))
	if mode != telemetry.UnknownMode {
		p["ReadCapacityUnits"], p["WriteCapacityUnits"] = whole(c.Provisioned.Read), whole(c.Provisioned.Write)
	}
	d["ProvisionedThroughput"] = p
	if most := c.OnDemandMax; most.Read != nil || most.Write != nil {
		d["OnDemandThroughput"] = document{"MaxReadRequestUnits": orNone(most.Read), "MaxWriteRequestUnits": orNone(most.Write)}
	}
	if warm := c.Warm; warm.Read != nil || warm.Write != nil {
		d["WarmThroughput"] = document{"ReadUnitsPerSecond": whole(warm.Read), "WriteUnitsPerSecond": whole(warm.Write), "Status": "ACTIVE"}
	}
}

func whole(r *telemetry.Rate) int64 {
	if r == nil {
		return 0
	}
	return int64(*r)
}

// orNone is -1 for no maximum.
func orNone(r *telemetry.Rate) int64 {
	if r == nil {
		return -1
	}
	return int64(*r)
}

func attributes(t telemetry.Table) []any {
	all := slices.Clone(t.Keys)
	for _, index := range t.Indexes {
		all = append(all, index.Keys...)
	}
	for _, index := range t.LocalIndexes {
		all = append(all, index.Keys...)
	}
	out := []any{}
	seen := map[string]bool{}
	for _, k := range all {
		if k.Type != "" && !seen[k.Name] {
			seen[k.Name] = true
			out = append(out, document{"AttributeName": k.Name, "AttributeType": k.Type})
		}
	}
	return out
}

func keySchema(keys []telemetry.KeyAttribute) []any {
	var out []any
	for _, k := range keys {
		out = append(out, document{"AttributeName": k.Name, "KeyType": k.Role})
	}
	return out
}

func projection(p telemetry.Projection) document {
	out := document{}.with("ProjectionType", p.Type)
	var names []any
	for _, a := range p.Attributes {
		names = append(names, a)
	}
	return out.with("NonKeyAttributes", names)
}

func (s *Server) describeLimits(document) (document, error) {
	for _, q := range s.cfg.Batch.Quotas {
		return document{
			"AccountMaxReadCapacityUnits": whole(q.PerAccount.Read), "AccountMaxWriteCapacityUnits": whole(q.PerAccount.Write),
			"TableMaxReadCapacityUnits": whole(q.PerTable.Read), "TableMaxWriteCapacityUnits": whole(q.PerTable.Write),
		}, nil
	}
	return nil, &refusal{code: "AccessDeniedException", status: 400, message: "the batch holds no quotas"}
}

func (s *Server) describeInsights(in document) (document, error) {
	t, err := s.table(in.text("TableName"))
	if err != nil {
		return nil, err
	}
	id := t.ID.WithIndex(in.text("IndexName"))
	for _, i := range s.insights() {
		if i.Resource != id {
			continue
		}
		out := document{"TableName": id.Table, "ContributorInsightsStatus": i.Status}
		out.with("IndexName", id.Index).with("ContributorInsightsMode", i.Mode).with("LastUpdateDateTime", s.moved(i.Updated))
		var rules []any
		for _, r := range i.Rules {
			rules = append(rules, r)
		}
		out.with("ContributorInsightsRuleList", rules)
		if name, what, ok := strings.Cut(i.Failure, ": "); ok {
			out["FailureException"] = document{"ExceptionName": name, "ExceptionDescription": what}
		}
		return out, nil
	}
	return nil, notFound("Contributor Insights of " + id.String())
}

func (s *Server) describeStream(in document) (document, error) {
	arn := in.text("StreamArn")
	for _, shards := range s.cfg.Batch.Shards {
		if shards.Stream != arn {
			continue
		}
		from := 0
		if after := in.text("ExclusiveStartShardId"); after != "" {
			from = 1 + slices.IndexFunc(shards.Shards, func(x telemetry.Shard) bool { return x.ID == after })
		}
		to := min(from+s.cfg.ShardsAPage, len(shards.Shards))
		list := []any{}
		for _, shard := range shards.Shards[from:to] {
			sequence := document{"StartingSequenceNumber": "100000000000000000001"}
			if !shard.Open {
				sequence["EndingSequenceNumber"] = "100000000000000000099"
			}
			list = append(list, document{"ShardId": shard.ID, "SequenceNumberRange": sequence}.with("ParentShardId", shard.Parent))
		}
		d := document{"StreamArn": arn, "TableName": shards.Table.Table, "StreamStatus": "ENABLED", "Shards": list}
		if to < len(shards.Shards) {
			d["LastEvaluatedShardId"] = shards.Shards[to-1].ID
		}
		return document{"StreamDescription": d}, nil
	}
	return nil, notFound("Stream: " + arn + " not found")
}
