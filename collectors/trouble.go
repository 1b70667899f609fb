package collectors

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// callLimit bounds one call with all its attempts.
const callLimit = 20 * time.Second

// call makes one call within its limit and counts it.
func (l *Live) call(ctx context.Context, metrics int, do func(ctx context.Context) error) error {
	l.meter.call(metrics)
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	return do(ctx)
}

// trouble is what a call that failed means for the batch: what failed, why, what
// isn't known for it, and what to type. Nil for no error.
func (l *Live) trouble(err error, p Permission, about telemetry.ResourceID) []telemetry.Warning {
	if err == nil {
		return nil
	}
	code, reason, remedy := l.reason(err, p)
	text := fmt.Sprintf("%s: %s %s: %s", subject(about), p.Action, reason, p.Lost)
	if remedy != "" {
		text += "; " + remedy
	}
	return []telemetry.Warning{{Code: code, Text: text, Resource: about}}
}

// reason tells one kind of failure from another: the warning's code, the reason
// as words that follow the action's name, and what to do.
func (l *Live) reason(err error, p Permission) (code, reason, remedy string) {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch {
		case denied(api):
			return telemetry.Denied, "is denied", "allow " + p.Action
		case expired(api):
			return telemetry.Denied, "is refused: the credentials have expired", l.loginHint()
		case unknownCaller(api):
			return telemetry.Denied, "is refused: AWS doesn't know these credentials", "check --profile and AWS_ACCESS_KEY_ID"
		case throttled(api):
			return telemetry.Retrying, "is throttled", "it is asked for again"
		case api.ErrorFault() == smithy.FaultServer, serverStatus(err):
			return telemetry.InternalErrorCode, "failed in AWS (" + api.ErrorCode() + ")", "it is asked for again"
		}
		return telemetry.InternalErrorCode, "failed (" + api.ErrorCode() + ": " + api.ErrorMessage() + ")", ""
	}
	if strings.Contains(err.Error(), "refresh cached credentials") {
		return telemetry.Denied, "has no credentials any more (" + lastReason(err) + ")", l.loginHint()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return telemetry.Retrying, fmt.Sprintf("had no answer for %.0f s", callLimit.Seconds()), "it is asked for again"
	}
	if _, ok := errors.AsType[*smithy.DeserializationError](err); ok {
		return telemetry.InternalErrorCode, "had an answer that isn't AWS's", "check --endpoint-url and proxies"
	}
	_, network := errors.AsType[*net.OpError](err)
	_, lookup := errors.AsType[*net.DNSError](err)
	_, request := errors.AsType[*url.Error](err)
	if network || lookup || request {
		return telemetry.Retrying, "cannot reach AWS (" + lastReason(err) + ")", "check the network, the Region"
	}
	return telemetry.InternalErrorCode, "failed (" + lastReason(err) + ")", ""
}

// serverStatus reports an answer that blames the server: errors that AWS's model
// doesn't list carry no fault of their own.
func serverStatus(err error) bool {
	response, ok := errors.AsType[*smithyhttp.ResponseError](err)
	return ok && response.HTTPStatusCode() >= http.StatusInternalServerError
}

func (l *Live) loginHint() string {
	if l.cfg.Profile != "" {
		return "aws sso login --profile " + l.cfg.Profile
	}
	return "renew them, as with aws sso login"
}

// subject names what a warning is about.
func subject(id telemetry.ResourceID) string {
	if id.Table == "" {
		return "the account"
	}
	return id.String()
}
