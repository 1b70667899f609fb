#!/bin/sh
# Writes a capture directory for hotpart. It needs the AWS CLI and nothing else,
# and it only reads. Then: hotpart diagnose --from DIR
#
# usage: sh THIS [DIR]
#
# Each GetMetricData and GetInsightRuleReport call costs what AWS asks for the
# metrics in it: less than a cent for a table with two indexes and an hour.
set -u
start='@START@'
end='@END@'
dir=${1:-'@DIR@'}

call() { aws @OPTIONS@--output json "$@"; }
text() { aws @OPTIONS@--output text "$@"; }

umask 077
mkdir -p "$dir" && cd "$dir" || exit 1
missing=''

# save FILE ARGUMENT...: keeps an answer of the AWS CLI. What can't be had is
# left out, and said at the end.
save() {
  file=$1
  shift
  printf '%s\n' "$file" >&2
  if call "$@" >"$file.part"; then
    mv "$file.part" "$file"
  else
    rm -f "$file.part"
    missing="$missing $file"
  fi
}

# query METRIC STATISTIC DIMENSIONS [PERIOD]: one entry of a list of queries.
query() {
  [ "$count" -eq 0 ] || printf ',\n'
  count=$((count + 1))
  printf '{"Id":"m%d","MetricStat":{"Metric":{"Namespace":"AWS/DynamoDB","MetricName":"%s","Dimensions":[%s]},"Period":%d,"Stat":"%s"}}' \
    "$count" "$1" "$3" "${4:-60}" "$2"
}

# resource DIMENSIONS: the queries that a table and an index have in common.
resource() {
  for way in Read Write; do
    for statistic in Sum Maximum Average SampleCount; do
      query "Consumed${way}CapacityUnits" "$statistic" "$1"
    done
    query "Provisioned${way}CapacityUnits" Average "$1"
    query "OnDemandMax${way}RequestUnits" Maximum "$1"
    for limit in '' KeyRangeThroughput ProvisionedThroughput MaxOnDemandThroughput AccountLimit; do
      query "$way${limit}ThrottleEvents" Sum "$1"
    done
  done
}

# operations DIMENSIONS: the queries that only a table has.
operations() {
  query TransactionConflict Sum "$1"
  query ConditionalCheckFailedRequests Sum "$1"
  for operation in GetItem BatchGetItem Query Scan TransactGetItems PutItem UpdateItem DeleteItem BatchWriteItem TransactWriteItems; do
    of="$1,{\"Name\":\"Operation\",\"Value\":\"$operation\"}"
    query ThrottledRequests Sum "$of"
    query SuccessfulRequestLatency SampleCount "$of"
    query SuccessfulRequestLatency Average "$of"
    query SuccessfulRequestLatency p99 "$of"
    query SystemErrors Sum "$of"
  done
}

# metrics SUFFIX TABLE [INDEX]: asks for the metrics of a table or an index.
metrics() {
  of="{\"Name\":\"TableName\",\"Value\":\"$2\"}"
  [ $# -lt 3 ] || of="$of,{\"Name\":\"GlobalSecondaryIndexName\",\"Value\":\"$3\"}"
  {
    count=0
    printf '['
    resource "$of"
    if [ $# -lt 3 ]; then
      operations "$of"
      query AccountMaxTableLevelReads Maximum '' 300
      query AccountMaxTableLevelWrites Maximum '' 300
    fi
    printf ']\n'
  } >"metric-data-queries.$1.json"
  save "get-metric-data.$1.json" cloudwatch get-metric-data --start-time "$start" --end-time "$end" \
    --metric-data-queries "file://metric-data-queries.$1.json"
}

# insights SUFFIX ARGUMENT...: the state of Contributor Insights, and its reports.
insights() {
  state="describe-contributor-insights.$1.json"
  shift
  save "$state" dynamodb describe-contributor-insights "$@"
  [ -f "$state" ] || return 0
  for rule in $(tr ',' '\n' <"$state" | sed -n 's/.*"\(DynamoDBContributorInsights-[^"]*\)".*/\1/p'); do
    save "insight-report.$rule.json" cloudwatch get-insight-rule-report --rule-name "$rule" \
      --start-time "$start" --end-time "$end" --period 60 --max-contributor-count 25 --order-by Maximum
  done
}

# scaling SUFFIX TARGET: what Application Auto Scaling may do, and did.
scaling() {
  for what in targets policies activities; do
    ids=--resource-id
    name=describe-scaling-$what
    [ $what = targets ] && ids=--resource-ids && name=describe-scalable-targets
    save "$name.$1.json" application-autoscaling "$name" --service-namespace dynamodb $ids "$2"
  done
}

table() {
  save "describe-table.$1.json" dynamodb describe-table --table-name "$1"
  if [ ! -f "describe-table.$1.json" ]; then
    printf 'table %s cannot be described: is it in this account and Region?\n' "$1" >&2
    return
  fi
  insights "$1" --table-name "$1"
  metrics "$1" "$1"
  scaling "$1" "table/$1"
  stream=$(tr ',' '\n' <"describe-table.$1.json" | sed -n 's/.*"LatestStreamArn": *"\([^"]*\)".*/\1/p')
  [ -z "$stream" ] || save "describe-stream.$1.json" dynamodbstreams describe-stream --stream-arn "$stream"
  for index in $(text dynamodb describe-table --table-name "$1" --query 'Table.GlobalSecondaryIndexes[].IndexName'); do
    [ "$index" != None ] || continue
    insights "$1.$index" --table-name "$1" --index-name "$index"
    metrics "$1.$index" "$1" "$index"
    scaling "$1.$index" "table/$1/index/$index"
  done
}

save describe-limits.json dynamodb describe-limits
@TABLES@
account=$(text sts get-caller-identity --query Account) || account=
printf '{"start":"%s","end":"%s","fetched_at":"%s","account":"%s","region":"%s"}\n' \
  "$start" "$end" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$account" "$(sed -n 's/.*arn:aws[^:]*:dynamodb:\([^:]*\):.*/\1/p' describe-table.*.json | head -n 1)" >capture.json

[ -z "$missing" ] || printf 'not to be had:%s\n' "$missing" >&2
for had in describe-table.*.json get-metric-data.*.json; do
  if [ -f "$had" ]; then
    printf 'now: hotpart diagnose --from %s\n' "$dir" >&2
    exit
  fi
done
printf 'nothing was had that can be diagnosed\n' >&2
exit 1
