package awsserver

import (
	"net/http"
	"time"
)

// FaultKind is a way to fail.
type FaultKind string

// The kinds of fault.
const (
	Deny        FaultKind = "deny"         // AccessDeniedException
	Expire      FaultKind = "expire"       // ExpiredTokenException
	Throttle    FaultKind = "throttle"     // ThrottlingException
	Break       FaultKind = "break"        // InternalServerError, status 500
	Gone        FaultKind = "gone"         // ResourceNotFoundException
	Reset       FaultKind = "reset"        // the connection ends without an answer
	Hang        FaultKind = "hang"         // no answer until the caller gives up
	Garbage     FaultKind = "garbage"      // an answer that is no answer
	Partial     FaultKind = "partial"      // metrics are PartialData for ever
	InternalOne FaultKind = "internal_one" // the first metric is InternalError
	EndlessLoop FaultKind = "endless_loop" // the same NextToken for ever
	Message     FaultKind = "message"      // a message about all metrics
	Hollow      FaultKind = "hollow"       // an answer without members
)

// Fault makes an action fail.
type Fault struct {
	Kind FaultKind
	// Times is how often; zero is for ever.
	Times int
	// Index, where set, limits it to calls that name this index; Table alike.
	Table, Index string
}

// Fail makes an action fail from now on. An action has one fault at a time; one
// with the Kind "" ends it.
func (s *Server) Fail(action string, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[action] = &f
}

// fault is the action's fault, if it is in force.
func (s *Server) fault(action string, in document) FaultKind {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.faults[action]
	if f == nil || f.Index != "" && in.text("IndexName") != f.Index || f.Table != "" && in.text("TableName") != f.Table {
		return ""
	}
	if f.Times > 0 {
		if f.Times--; f.Times == 0 {
			delete(s.faults, action)
		}
	}
	return f.Kind
}

// inject fails the call, or reports that it is to be answered.
func (k FaultKind) inject(w http.ResponseWriter, r *http.Request, p protocol) bool {
	refuse := func(status int, code, message string) bool {
		p.fail(w, &refusal{code: code, status: status, message: message})
		return true
	}
	switch k {
	case Deny:
		return refuse(http.StatusBadRequest, "AccessDeniedException", "User: arn:aws:iam::111122223333:user/oncall is not authorized to perform this action")
	case Expire:
		return refuse(http.StatusBadRequest, "ExpiredTokenException", "The security token included in the request is expired")
	case Throttle:
		return refuse(http.StatusBadRequest, "ThrottlingException", "Rate exceeded")
	case Break:
		return refuse(http.StatusInternalServerError, "InternalServerError", "The request processing has failed because of an unknown error")
	case Gone:
		return refuse(http.StatusBadRequest, "ResourceNotFoundException", "Requested resource not found")
	case Reset:
		panic(http.ErrAbortHandler)
	case Hang:
		wait(r, time.Hour)
		panic(http.ErrAbortHandler)
	case Garbage:
		p.send(w, http.StatusOK, []byte("<html>a proxy's page</html>"))
		return true
	}
	return false
}

// bend changes an answer, mostly one of metrics.
func (k FaultKind) bend(out document) document {
	results := out.list("MetricDataResults")
	switch k {
	case Partial:
		for _, r := range results {
			asDocument(r)["StatusCode"] = "PartialData"
		}
	case InternalOne:
		if len(results) > 0 {
			asDocument(results[0])["StatusCode"] = "InternalError"
		}
	case Hollow:
		return document{}
	case EndlessLoop:
		out["NextToken"] = "again"
	case Message:
		out["Messages"] = []any{document{"Code": "ArithmeticError", "Value": "One or more data-points have been dropped"}}
	}
	return out
}
