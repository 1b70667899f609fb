package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

var (
	serveName   = flag.String("serve", "", "serve this incident as AWS would, by hand, until interrupted: a `name` or path")
	serveAgo    = flag.Duration("serve-ago", 30*time.Minute, "how long ago the served incident began")
	serveOn     = flag.String("serve-on", "127.0.0.1:4599", "the `address` to serve on")
	serveSpeed  = flag.Duration("serve-delay", 90*time.Second, "how late points are published")
	serveTables = flag.Int("serve-tables", 0, "how many quiet tables with three indexes each there are beside it")
)

// TestServeByHand is for trying watch and record by hand:
//
//	go test ./cmd/hotpart -run TestServeByHand -timeout 0 -v -serve hot-key-tenant
//
// A request to /fail/ACTION/KIND makes an action fail, one to /fail/ACTION/ ends
// that.
func TestServeByHand(t *testing.T) {
	if *serveName == "" {
		t.Skip("no -serve")
	}
	b := amidQuiet(whole(t, *serveName), *serveTables, 3)
	server := awsserver.New(awsserver.Config{Batch: b, Begin: time.Now().Add(-*serveAgo).Truncate(time.Minute), Delay: *serveSpeed})
	mux := http.NewServeMux()
	mux.Handle("/", server)
	mux.HandleFunc("/fail/{action}/{kind...}", func(_ http.ResponseWriter, r *http.Request) {
		server.Fail(r.PathValue("action"), awsserver.Fault{Kind: awsserver.FaultKind(r.PathValue("kind"))})
	})
	listener, err := net.Listen("tcp", *serveOn)
	if err != nil {
		t.Fatal(err)
	}
	table := b.Tables[0].ID.Table
	if *serveTables > 0 {
		table = "# all of them"
	}
	fmt.Printf("AWS_ENDPOINT_URL=http://%s AWS_REGION=%s AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x hotpart watch %s\n",
		listener.Addr(), b.Tables[0].ID.Region, table)
	t.Fatal(http.Serve(listener, mux))
}
