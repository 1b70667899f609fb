package main

import (
	"cmp"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors/awsserver"
)

var (
	serveName   = flag.String("serve", "", "serve this incident as AWS would, by hand, until interrupted: a `name` or path")
	serveAgo    = flag.Duration("serve-ago", 30*time.Minute, "how long ago the served incident began")
	serveOn     = flag.String("serve-on", "127.0.0.1:4599", "the `address` to serve on")
	serveSpeed  = flag.Duration("serve-delay", 90*time.Second, "how late points are published")
	serveIn     = flag.String("serve-in", "", "the `Regions` to serve it in, as in a,b; none is its own")
	serveLinked = flag.Bool("serve-linked", false, "serve it as an account linked with the one that is asked, for --linked-accounts")
	serveTables = flag.Int("serve-tables", 0, "how many quiet tables with three indexes each there are beside it")
)

// TestServeByHand is for trying watch and record by hand:
//
//	go test ./cmd/hotpart -run TestServeByHand -timeout 0 -v -serve hot-key-tenant
//
// A request to /insights/STATUS/MODE, such as /insights/DISABLED/, turns Contributor
// Insights on or off. One to /fail/ACTION/KIND makes an action fail (in
// the first Region, of several), one to /fail/ACTION/ ends that.
func TestServeByHand(t *testing.T) {
	if *serveName == "" {
		t.Skip("no -serve")
	}
	b := amidQuiet(whole(t, *serveName), *serveTables, 3)
	regions := cmp.Or(*serveIn, b.Tables[0].ID.Region)
	servers := inRegions(b, regions, awsserver.Config{Begin: time.Now().Add(-*serveAgo).Truncate(time.Minute), Delay: *serveSpeed})
	if *serveLinked {
		for region, linked := range servers {
			servers[region] = monitoringAccount(b, region, linked)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", servers)
	mux.HandleFunc("/fail/{action}/{kind...}", func(_ http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(regions, ",")
		servers[first].Fail(r.PathValue("action"), awsserver.Fault{Kind: awsserver.FaultKind(r.PathValue("kind"))})
	})
	mux.HandleFunc("/insights/{status}/{mode...}", func(_ http.ResponseWriter, r *http.Request) {
		for _, server := range servers {
			for _, in := range b.Insights {
				in.Resource.Region = server.Region()
				server.Watch(in.Resource, r.PathValue("status"), r.PathValue("mode"))
			}
		}
	})
	listener, err := net.Listen("tcp", *serveOn)
	if err != nil {
		t.Fatal(err)
	}
	table := b.Tables[0].ID.Table
	if *serveTables > 0 {
		table = "# all of them"
	}
	fmt.Printf("AWS_ENDPOINT_URL=http://%s AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x hotpart watch --region %s %s\n",
		listener.Addr(), regions, table)
	t.Fatal(http.Serve(listener, mux))
}

// inRegions serves a batch in each of some Regions, as if it were that Region's own.
func inRegions(b telemetry.Batch, regions string, cfg awsserver.Config) awsserver.Places {
	out := awsserver.Places{}
	for region := range strings.SplitSeq(regions, ",") {
		cfg.Batch = b
		cfg.Batch.Tables = slices.Clone(b.Tables)
		for i := range cfg.Batch.Tables {
			cfg.Batch.Tables[i].ID.Region = region
		}
		cfg.Batch.Insights = slices.Clone(b.Insights)
		for i := range cfg.Batch.Insights {
			cfg.Batch.Insights[i].Resource.Region = region
		}
		out[region] = awsserver.New(cfg)
	}
	return out
}

// monitoringAccount is an account with a quiet table, with which another is linked.
func monitoringAccount(b telemetry.Batch, region string, linked *awsserver.Server) *awsserver.Server {
	own := telemetry.Batch{Window: b.Window, Tables: []telemetry.Table{{
		ID: telemetry.TableID{Account: "999900001111", Region: region, Table: "own"}, Status: "ACTIVE", Mode: telemetry.ModeOnDemand,
	}}}
	return awsserver.New(awsserver.Config{Batch: own, Linked: []*awsserver.Server{linked}})
}
