package capture

import (
	"github.com/hotpart/hotpart/analysis/telemetry"
)

type streamDocument struct {
	StreamDescription struct {
		StreamArn, TableName text
		Shards               []struct {
			ShardID             text `json:"ShardId"`
			ParentShardID       text `json:"ParentShardId"`
			SequenceNumberRange struct{ EndingSequenceNumber text }
		}
		LastEvaluatedShardID text `json:"LastEvaluatedShardId"`
	}
}

// streams joins the pages of each stream's description.
func (d *decoder) streams(docs []found[streamDocument]) {
	type stream struct {
		table telemetry.TableID
		arn   string
	}
	at := map[stream]int{}
	for _, doc := range docs {
		s := doc.value.StreamDescription
		id, ok := telemetry.ParseARN(string(s.StreamArn))
		table := firstNonEmpty(string(s.TableName), id.Table)
		if table == "" {
			d.useless(doc.file, doc.line, "no description of a table's stream")
			continue
		}
		shards := telemetry.Shards{Table: d.names.table(table, id.Account), Shards: []telemetry.Shard{}}
		if ok {
			shards.Stream = string(s.StreamArn)
		}
		key := stream{shards.Table, shards.Stream}
		i, again := at[key]
		if !again {
			i = len(d.batch.Shards)
			at[key] = i
			d.batch.Shards = append(d.batch.Shards, shards)
		}
		for _, shard := range s.Shards {
			d.batch.Shards[i].Shards = append(d.batch.Shards[i].Shards, telemetry.Shard{
				ID: string(shard.ShardID), Parent: string(shard.ParentShardID),
				Open: shard.SequenceNumberRange.EndingSequenceNumber == "", Opened: telemetry.ShardOpened(string(shard.ShardID)),
			})
		}
		d.batch.Shards[i].Truncated = s.LastEvaluatedShardID != ""
	}
	for i := range d.batch.Shards {
		s := &d.batch.Shards[i]
		s.Shards = distinctShards(s.Shards)
		if s.Truncated {
			d.r.warn(telemetry.PartialDataCode, s.Table.Resource(), "%s: the description of its stream ends before the last shard: further pages were not saved", s.Table.Table)
		}
	}
}

// distinctShards keeps the last description of each shard, in the order first
// seen.
func distinctShards(all []telemetry.Shard) []telemetry.Shard {
	at := make(map[string]int, len(all))
	kept := all[:0]
	for _, shard := range all {
		if i, again := at[shard.ID]; again {
			kept[i] = shard
			continue
		}
		at[shard.ID] = len(kept)
		kept = append(kept, shard)
	}
	return kept
}
