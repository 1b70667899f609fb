package main

import (
	"strings"
	"testing"

	"github.com/hotpart/hotpart/collectors/awsserver"
)

func TestTheAccountsTablesAreOffered(t *testing.T) {
	server, table := liveServer(t)
	for _, c := range []struct{ words, want string }{
		{"watch|" + table[:3], table + "\n:4\n"},
		{"diagnose|--last|1h|", table + "\n:4\n"},
		{"watch|" + table + "|", ":4\n"},
		{"watch|zzz", ":4\n"},
	} {
		status, out, _ := hotpart(t, append([]string{"__completeNoDesc"}, strings.Split(c.words, "|")...)...)
		if status != statusDone || out != c.want {
			t.Errorf("%s: status %d, %q, want %q", c.words, status, out, c.want)
		}
	}
	server.Fail("ListTables", awsserver.Fault{Kind: awsserver.Deny})
	if status, out, errs := hotpart(t, "__completeNoDesc", "watch", ""); status != statusDone || out != ":4\n" || strings.Contains(errs, "denied") {
		t.Errorf("denied: status %d, %q, %s", status, out, errs)
	}
}
