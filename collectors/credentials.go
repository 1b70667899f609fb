package collectors

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var (
	errNoRegion    = errors.New("no Region is set\nhint: --region eu-west-1, or AWS_REGION, or aws configure set region eu-west-1")
	errNobodyToAsk = errors.New("the profile needs an MFA code and there is no terminal to ask for it")
)

// credentialError says in one line why there are no credentials, and in another
// what to type.
func credentialError(cfg Config, err error) error {
	say := func(what, hint string) error {
		return fmt.Errorf("credentials: %s\nhint: %s", telemetry.Clean(what), telemetry.Clean(hint))
	}
	login, profile := "aws sso login", ""
	if cfg.Profile != "" {
		profile = " --profile " + cfg.Profile
		login += profile
	}
	if missing, ok := errors.AsType[config.SharedConfigProfileNotExistError](err); ok {
		return say(fmt.Sprintf("there is no profile %q", missing.Profile), "aws configure list-profiles shows the profiles there are")
	}
	_, badToken := errors.AsType[*ssocreds.InvalidTokenError](err)
	text := strings.ToLower(err.Error())
	switch {
	case badToken, strings.Contains(text, "sso token"), strings.Contains(text, "sso session") && strings.Contains(text, "expired"):
		return say("the SSO session has expired or was never begun", login)
	case errors.Is(err, errNobodyToAsk):
		return say(errNobodyToAsk.Error(), "run hotpart in a terminal, or export the credentials of a session")
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch {
		case expired(api):
			return say("they have expired", login+", or renew them where they came from")
		case denied(api):
			return say("the role cannot be assumed: "+api.ErrorMessage(), "aws sts get-caller-identity"+profile+" shows who asks")
		}
	}
	switch {
	case strings.Contains(text, "process provider"):
		return say("the profile's credential_process failed: "+lastReason(err), "run the command of credential_process by hand")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), strings.Contains(text, "ec2 imds"), strings.Contains(text, "no ec2"):
		return say("none were found in the environment, in ~/.aws or from an instance's role", "aws configure, or aws sso login --profile NAME and then hotpart with --profile NAME")
	}
	return say(lastReason(err), "aws sts get-caller-identity"+profile+" shows whether the AWS CLI can do better")
}

// lastReason is the innermost error's text, the first where there are several, on one
// line: the SDK wraps errors in layers that tell of its own make.
func lastReason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			inner = several.Unwrap()[0]
		}
		if inner == nil {
			text, _, _ := strings.Cut(err.Error(), "\n")
			return text
		}
		err = inner
	}
}

func expired(err smithy.APIError) bool {
	switch err.ErrorCode() {
	case "ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired":
		return true
	}
	return false
}

// unknownCaller reports credentials that AWS doesn't know.
func unknownCaller(err smithy.APIError) bool {
	switch err.ErrorCode() {
	case "InvalidClientTokenId", "UnrecognizedClientException", "InvalidSignatureException", "SignatureDoesNotMatch",
		"IncompleteSignature", "MissingAuthenticationToken", "MissingAuthenticationTokenException", "InvalidAccessKeyId", "AuthFailure":
		return true
	}
	return false
}

func denied(err smithy.APIError) bool {
	switch err.ErrorCode() {
	case "AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "NotAuthorized", "OptInRequired", "AuthorizationError":
		return true
	}
	return false
}

func throttled(err smithy.APIError) bool {
	switch err.ErrorCode() {
	case "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequestsException", "RequestLimitExceeded",
		"LimitExceededException", "LimitExceeded", "RequestThrottled", "SlowDown", "ProvisionedThroughputExceededException":
		return true
	}
	return false
}
