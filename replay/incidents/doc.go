// Package incidents is the library of built-in incidents: recordings that can be
// replayed without an AWS account, for a first look and for practice.
//
// Each is an hour or two of one invented table, with invented keys and accounts,
// embedded as a recording NAME.hotpart. They come from a per-second model of
// DynamoDB, told as the AWS CLI would tell it, with delay and truncation. One was
// made from its capture directory with
//
//	hotpart import DIR -o replay/incidents/NAME.hotpart
//
// The package holds no verdict: what hotpart says of an incident is worked out
// from its data like any other's. It works with package replay, which reads the
// recordings, and is read by cmd/hotpart.
package incidents
