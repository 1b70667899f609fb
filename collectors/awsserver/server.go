package awsserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Config says what a server tells, and when.
type Config struct {
	Batch telemetry.Batch
	// Begin is the time to which the start of the batch's window is moved; zero
	// leaves all times as they are.
	Begin time.Time
	// Now is the server's clock; nil is time.Now.
	Now func() time.Time
	// Delay is how long after its period a point is published.
	Delay time.Duration
	// Latency is how long each call takes.
	Latency time.Duration
	// PointsAPage bounds a page of metrics; zero is CloudWatch's own bound.
	PointsAPage int
	// ShardsAPage bounds a page of a stream; zero is DynamoDB's own bound.
	ShardsAPage int
	// Linked are the accounts for which this one is a monitoring account, whose metrics it
	// then tells too. They are asked for nothing else through it.
	Linked []*Server
	// Alarms are CloudWatch's, their times as they are told.
	Alarms []Alarm
	// Trail are the calls that CloudTrail logged, oldest first, their times as they are
	// told.
	Trail []TrailEvent
}

// Call is one request that was answered, or made to fail.
type Call struct {
	Action  string // such as GetMetricData
	At      time.Time
	Metrics int // how many were asked for
}

// Server answers AWS's calls. It is an http.Handler.
type Server struct {
	cfg   Config
	shift time.Duration
	// series are the places of the batch's series.
	series map[measured][]int

	mu     sync.Mutex
	calls  []Call
	faults map[string]*Fault
	down   bool
	// watch are the states that Watch set.
	watch map[telemetry.ResourceID]watching
}

// New makes a server.
func New(cfg Config) *Server {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.PointsAPage == 0 {
		cfg.PointsAPage = 100_800 // GetMetricData, API reference
	}
	if cfg.ShardsAPage == 0 {
		cfg.ShardsAPage = 100 // DescribeStream, API reference
	}
	s := &Server{cfg: cfg, faults: map[string]*Fault{}, watch: map[telemetry.ResourceID]watching{}, series: map[measured][]int{}}
	for i, have := range cfg.Batch.Series {
		s.series[metricOf(have.ID)] = append(s.series[metricOf(have.ID)], i)
	}
	if !cfg.Begin.IsZero() {
		s.shift = cfg.Begin.Sub(cfg.Batch.Window.Start)
	}
	return s
}

// Calls are those so far, in the order in which they came.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Forget drops the list of calls, which otherwise only grows.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = nil
}

// Count is how often an action was asked for so far.
func (s *Server) Count(action string) int {
	n := 0
	for _, c := range s.Calls() {
		if c.Action == action {
			n++
		}
	}
	return n
}

// published reports whether a point of a period is told by now.
func (s *Server) published(t time.Time, period time.Duration) bool {
	return !t.Add(period).Add(s.cfg.Delay).After(s.cfg.Now())
}

// moved is a time of the batch as the server tells it.
func (s *Server) moved(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(s.shift)
}

// ServeHTTP answers one call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	if err != nil {
		http.Error(w, "unreadable request", http.StatusBadRequest)
		return
	}
	p, action, in, err := parse(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, Call{Action: action, At: s.cfg.Now(), Metrics: metricsIn(action, in)})
	s.mu.Unlock()
	w.Header().Set("Date", s.cfg.Now().UTC().Format(http.TimeFormat))
	if s.cfg.Latency > 0 && !wait(r, s.cfg.Latency) {
		return
	}
	fault := s.fault(action, in)
	if fault.inject(w, r, p) {
		return
	}
	out, err := s.answer(action, in)
	if err == nil {
		out = fault.bend(out)
		p.write(w, action, out)
		return
	}
	refused, ok := errors.AsType[*refusal](err)
	if !ok {
		refused = &refusal{code: "ValidationException", status: http.StatusBadRequest, message: err.Error()}
	}
	p.fail(w, refused)
}

func wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func metricsIn(action string, in document) int {
	switch action {
	case "GetMetricData":
		return len(in.list("MetricDataQueries"))
	case "GetInsightRuleReport", "ListMetrics":
		return 1
	}
	return 0
}

// answer finds the action.
func (s *Server) answer(action string, in document) (document, error) {
	answers := map[string]func(document) (document, error){
		"AssumeRole":                  s.assumeRole,
		"GetCallerIdentity":           s.callerIdentity,
		"ListTables":                  s.listTables,
		"DescribeTable":               s.describeTable,
		"DescribeLimits":              s.describeLimits,
		"DescribeContributorInsights": s.describeInsights,
		"DescribeStream":              s.describeStream,
		"DescribeScalableTargets":     s.describeTargets,
		"DescribeScalingPolicies":     s.describePolicies,
		"DescribeScalingActivities":   s.describeActivities,
		"DescribeAlarms":              s.describeAlarms,
		"DescribeAlarmHistory":        s.alarmHistory,
		"LookupEvents":                s.lookupEvents,
		"GetMetricData":               s.metricData,
		"ListMetrics":                 s.listMetrics,
		"GetInsightRuleReport":        s.ruleReport,
	}
	answer, ok := answers[action]
	if !ok {
		return nil, &refusal{code: "UnknownOperationException", status: http.StatusBadRequest, message: "no such action here: " + action}
	}
	return answer(in)
}

// refusal is an error in AWS's form.
type refusal struct {
	code, message string
	status        int
}

func (r *refusal) Error() string { return r.code + ": " + r.message }

func notFound(what string) error {
	return &refusal{code: "ResourceNotFoundException", status: http.StatusBadRequest, message: "Requested resource not found: " + what}
}

// Client reaches the server without a network.
func (s *Server) Client() *http.Client { return &http.Client{Transport: transport{s}} }

type transport struct{ server *Server }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.server.stopped() {
		return nil, fmt.Errorf("dial %s: connection refused", r.URL.Host)
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	rec := &recorder{header: http.Header{}}
	rec.serve(t.server, r)
	_ = r.Body.Close()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if rec.aborted {
		return nil, errors.New("connection reset by peer")
	}
	return &http.Response{
		Status: http.StatusText(rec.status), StatusCode: rec.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: rec.header, Body: io.NopCloser(&rec.body), ContentLength: int64(rec.body.Len()), Request: r,
	}, nil
}

// Stop makes Client's connections be refused, as if the server were gone, until
// Resume.
func (s *Server) Stop() { s.setDown(true) }

// Resume undoes Stop.
func (s *Server) Resume() { s.setDown(false) }

func (s *Server) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *Server) stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.down
}

// recorder keeps an answer.
type recorder struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	aborted bool
}

// serve runs a handler, which may end the connection instead of answering.
func (r *recorder) serve(h http.Handler, request *http.Request) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			r.aborted = true
		default:
			panic(cause)
		}
	}()
	h.ServeHTTP(r, request)
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}
