// Package awsserver is an AWS for tests: it answers the calls that package
// collectors makes from a telemetry.Batch, over the protocols that AWS speaks.
// CloudWatch answers in CBOR (the SDK's choice), in JSON 1.0 and in XML (the
// AWS CLI's, by version); DynamoDB, its streams, Application Auto Scaling and
// CloudTrail in JSON; STS in XML.
//
// The batch's times are shifted so that its window begins when Config says, and
// a point is told only when its period has ended and Config.Delay has passed, so
// that an incident unfolds before whoever polls. Rankings are made anew for the
// window that is asked for, as Contributor Insights does.
//
// Faults make single actions fail in the ways AWS and networks do. Calls lists
// what was asked. Neither signatures nor permissions are checked (the one MFA
// code is 123456), and nothing
// can be changed through it.
//
// Tests alone import this package. Client reaches a Server without a network, so
// that a test in a synctest bubble can.
package awsserver
