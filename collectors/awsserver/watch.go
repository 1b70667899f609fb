package awsserver

import (
	"slices"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// watching is how Contributor Insights watches a table or index, from a time on.
type watching struct {
	status, mode string
	since        time.Time
}

// Watch changes the state of Contributor Insights on a table or index, as somebody
// would who turns it on or off: its rules rank keys from now on.
func (s *Server) Watch(id telemetry.ResourceID, status, mode string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch[id] = watching{status, mode, s.cfg.Now()}
}

// insights are the states as they are now.
func (s *Server) insights() []telemetry.Insights {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.cfg.Batch.Insights)
	for i, in := range all {
		w, changed := s.watch[in.Resource]
		if !changed {
			continue
		}
		all[i].Status, all[i].Mode, all[i].Updated = w.status, w.mode, w.since.Add(-s.shift)
		all[i].Rules = slices.DeleteFunc(slices.Clone(in.Rules), func(rule string) bool {
			kind, _ := telemetry.RuleKindOf(rule)
			return w.status == "DISABLED" || w.status == "FAILED" || w.mode == "THROTTLED_KEYS" && !kind.Throttled()
		})
		if all[i].Failure = ""; w.status == "FAILED" {
			all[i].Failure = "LimitExceededException: the account has as many rules as it may"
		}
	}
	return all
}

// ranksFrom is since when a rule ranks keys; zero for as long as there are any. ok is
// false where there is no such rule, or none yet.
func (s *Server) ranksFrom(rule string) (since time.Time, ok bool) {
	for _, in := range s.insights() {
		if slices.Contains(in.Rules, rule) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.watch[in.Resource].since, true
		}
	}
	return time.Time{}, false
}

// Region is where the server's tables are.
func (s *Server) Region() string { return s.home().Region }
