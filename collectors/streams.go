package collectors

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// maxStreamPages bounds one description of a stream, 100 shards a page: about
// five seconds at ten calls a second.
const maxStreamPages = 50

// stream reads the shards of a table's stream, page by page.
func (l *Live) stream(table telemetry.Table, into *telemetry.Shards) task {
	return func(ctx context.Context) []telemetry.Warning {
		s := telemetry.Shards{Table: table.ID, Stream: table.StreamARN, Shards: []telemetry.Shard{}}
		in := &dynamodbstreams.DescribeStreamInput{StreamArn: &table.StreamARN}
		for range maxStreamPages {
			out, err := l.shardsPage(ctx, in)
			if err != nil && len(s.Shards) == 0 {
				return l.trouble(err, describeStream, table.ID.Resource())
			}
			if err != nil || out.StreamDescription == nil {
				break
			}
			for _, shard := range out.StreamDescription.Shards {
				id := aws.ToString(shard.ShardId)
				s.Shards = append(s.Shards, telemetry.Shard{
					ID: id, Parent: aws.ToString(shard.ParentShardId), Opened: telemetry.ShardOpened(id),
					Open: shard.SequenceNumberRange == nil || aws.ToString(shard.SequenceNumberRange.EndingSequenceNumber) == "",
				})
			}
			next := out.StreamDescription.LastEvaluatedShardId
			if aws.ToString(next) == "" {
				*into = s
				return nil
			}
			in.ExclusiveStartShardId = next
		}
		s.Truncated = true
		*into = s
		return []telemetry.Warning{{
			Code: telemetry.PartialDataCode, Resource: table.ID.Resource(),
			Text: fmt.Sprintf("%s: its stream has more than the %d shards that were read: its partitions are at least as many as the open ones", table.ID.Table, len(s.Shards)),
		}}
	}
}

func (l *Live) shardsPage(ctx context.Context, in *dynamodbstreams.DescribeStreamInput) (out *dynamodbstreams.DescribeStreamOutput, err error) {
	if err := l.streamPace.wait(ctx, time.Now()); err != nil {
		return nil, err
	}
	err = l.call(ctx, 0, func(ctx context.Context) (err error) {
		out, err = l.streams.DescribeStream(ctx, in)
		return err
	})
	return out, err
}
