package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

const teamText = "Ours, for {{table}}.\n\n## Who to call\n\n- [ ] page the owner of {{ table }}\n  in #orders, for {{key}}\n1. look\n\n```sh\naws x --key {{key}} --json '{\"pk\":\"{{key}}\"}' --say \"{{key}}\"\n\nsecond \\' {{index}}\necho '\n{{key}}'\n```\n"

func TestTeamStepsAreBoundToAnEvent(t *testing.T) {
	steps, err := ParseTeamRunbook("hot_key.md", teamText)
	if err != nil {
		t.Fatal(err)
	}
	e := tenantEvent()
	e.Keys[0].Key = telemetry.Key{Partition: "it's $(a) \"b\" `c`"}
	want := []Step{
		{Phase: "team", Text: "Ours, for orders."},
		{Phase: "Who to call", Text: "page the owner of orders in #orders, for it's $(a) \"b\" `c`"},
		{Phase: "Who to call", Text: "look", Commands: []string{
			`aws x --key 'it'\''s $(a) "b" ` + "`c`" + `' --json '{"pk":"it'\''s $(a) "b" ` + "`c`" + `"}' --say "it's \$(a) \"b\" \` + "`c\\`" + `"`,
			`second \' INDEX`,
			"echo '", `it'\''s $(a) "b" ` + "`c`'",
		}},
	}
	if diff := cmp.Diff(want, TeamRunbooks{HotKey: steps}.For(e)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (TeamRunbooks{HotKey: steps}).Unbound(HotKey)[0].Text; got != "Ours, for TABLE." {
		t.Errorf("unbound: %q", got)
	}
	if got := (TeamRunbooks{HotKey: steps}).Unbound(GSIPressure); got != nil {
		t.Errorf("steps of another cause: %v", got)
	}
}

func TestTeamRunbookErrorsNameTheLine(t *testing.T) {
	tests := map[string]string{
		"- a\n- see {{tabel}}\n": "hot_key.md:2: no placeholder is called \"tabel\"\nhint: there are account, cause,",
		"```sh\nls\n":            "hot_key.md: the last code block has no end",
	}
	for text, want := range tests {
		if _, err := ParseTeamRunbook("hot_key.md", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
