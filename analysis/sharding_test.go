package analysis

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

var toolchains = flag.Bool("toolchains", false, "also compile the advised code with javac, and parse commands with the AWS CLI")

// trickyKeys attack string literals and comments of four languages.
var trickyKeys = []string{
	"TENANT#123", `a"b\c`, "'; DROP", "line\nbreak\r\u2028\u2029", "${x}`y`", `\u000a\u0022`, "*/ int x; /*", "\x1b[31m\x00\x7f",
	"für 東京 😀", "\u202eright", "COUNT KEY CASES\n BY ATTRIBUTE", "\xff\xfe", "",
}

// shardings are all kinds of sharding, over all the tricky keys.
func shardings() map[string]Sharding {
	out := map[string]Sharding{}
	for _, random := range []bool{false, true} {
		for _, keys := range [][]string{nil, {"TENANT#123"}, trickyKeys} {
			name := fmt.Sprintf("random=%t keys=%d", random, len(keys))
			out[name] = Sharding{Table: "orders", Attribute: "pk*/\n", Sort: "sk", Keys: keys, Shards: 4, Random: random}
		}
	}
	return out
}

func code(s Sharding, language string) string {
	i := slices.IndexFunc(s.Code(), func(x Snippet) bool { return x.Language == language })
	return s.Code()[i].Text
}

func TestShardingCodeIsASCIIWithoutControls(t *testing.T) {
	for name, s := range shardings() {
		for _, x := range s.Code() {
			if at := strings.IndexFunc(x.Text, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r > '~') }); at >= 0 {
				t.Errorf("%s, %s: %q", name, x.Language, x.Text[at:])
			}
		}
	}
}

func TestShardingCodeInGoIsFormattedAndHoldsTheKeys(t *testing.T) {
	for name, s := range shardings() {
		text := code(s, "Go")
		f, err := parser.ParseFile(token.NewFileSet(), "keys.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if tidy, err := format.Source([]byte(text)); err != nil || string(tidy) != text {
			t.Errorf("%s: not formatted (%v)\n%s", name, err, text)
		}
		var keys []string
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				key, err := strconv.Unquote(c.List[0].(*ast.BasicLit).Value)
				keys = append(keys, key)
				return err == nil
			}
			return true
		})
		var want []string
		for _, key := range s.Keys {
			want = append(want, string([]rune(key)))
		}
		if diff := cmp.Diff(want, keys); diff != "" {
			t.Errorf("%s: keys (-want +got):\n%s", name, diff)
		}
	}
}

// asked are the inputs of the code that is run: key and attribute.
var asked = [][2]string{{"TENANT#123", "order-1"}, {"TENANT#123", "für 東京 😀"}, {"TENANT#9", "order-1"}, {trickyKeys[1], "x"}, {trickyKeys[3], ""}, {trickyKeys[8], "2026-03-02T23:31:00Z"}}

// wantKeys is what every language must make of what is asked.
func wantKeys(s Sharding) []string {
	var out []string
	for _, try := range asked {
		key := try[0]
		if len(s.Keys) == 0 || slices.Contains(s.Keys, key) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(try[1]))
			key += "#" + strconv.Itoa(int(h.Sum32()%uint32(s.Shards)))
		}
		out = append(out, key)
	}
	return out
}

// runShardings runs a program over a list of snippets, and compares the keys that it
// makes with those that Go makes.
func runShardings(t *testing.T, language, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s isn't installed", program)
	}
	var codes []string
	var want [][]string
	for _, name := range []string{"random=false keys=0", "random=false keys=1", "random=false keys=13", "random=true keys=0", "random=true keys=13"} {
		s := shardings()[name]
		codes = append(codes, code(s, language))
		if s.Random {
			want = append(want, nil)
		} else {
			want = append(want, wantKeys(s))
		}
	}
	input, err := json.Marshal(map[string]any{"codes": codes, "tries": asked})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	var got [][]string
	if err := json.Unmarshal(output, &got); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys in %s (-want +got):\n%s", language, diff)
	}
}

func TestShardingCodeInPythonMakesTheSameKeys(t *testing.T) {
	runShardings(t, "Python", "python3", "-c", `
import json, sys
x = json.load(sys.stdin)
out = []
for code in x["codes"]:
    m = {}
    exec(compile(code, "keys.py", "exec"), m)
    for key, by in x["tries"]:
        assert m["read_keys"](key)[-1] == key and len(m["read_keys"](key)) in (1, 5)
        if "write_key" in m:
            assert m["write_key"](key) in m["read_keys"](key)
    out.append([m["item_key"](*t) for t in x["tries"]] if "item_key" in m else None)
print(json.dumps(out))
`)
}

func TestShardingCodeInJavaScriptMakesTheSameKeys(t *testing.T) {
	runShardings(t, "JavaScript", "node", "-e", `
const x = JSON.parse(require("fs").readFileSync(0));
console.log(JSON.stringify(x.codes.map((code) => {
  const m = new Function(code + "\nreturn { readKeys, make: typeof itemKey === 'function' ? itemKey : null, write: typeof writeKey === 'function' ? writeKey : null }")();
  for (const [key] of x.tries) {
    const all = m.readKeys(key);
    if (all.at(-1) !== key || ![1, 5].includes(all.length)) throw new Error("reads " + all);
    if (m.write && !all.includes(m.write(key))) throw new Error("writes " + m.write(key));
  }
  return m.make ? x.tries.map((t) => m.make(...t)) : null;
})));
`)
}

func TestShardingCodeInJavaMakesTheSameKeys(t *testing.T) {
	if !*toolchains {
		t.Skip("javac takes seconds: -toolchains runs it")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("javac isn't installed")
	}
	for name, s := range shardings() {
		dir := t.TempDir()
		calls := "Shards.readKeys(\"x\")"
		if !s.Random {
			var each []string
			for _, try := range asked {
				each = append(each, "Shards.itemKey("+javaSharding.quote(try[0])+", "+javaSharding.quote(try[1])+")")
			}
			calls = "List.of(" + strings.Join(each, ", ") + ")"
		}
		main := "import java.util.List;\nclass Main { public static void main(String[] a) throws Exception { for (String s : " + calls +
			") System.out.write((s + \"\\0\").getBytes(\"UTF-8\")); System.out.flush(); } }\n"
		for file, text := range map[string]string{"Shards.java": code(s, "Java"), "Main.java": main} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command("javac", "-Xlint:all", "-Werror", "-d", dir, filepath.Join(dir, "Shards.java"), filepath.Join(dir, "Main.java")).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		out, err := exec.Command("java", "-cp", dir, "Main").Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !s.Random {
			if diff := cmp.Diff(wantKeys(s), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestShardingFollowsTheAdvice(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Table, *Resource, *Event)
		action Action
		want   Sharding
		moves  string
	}{
		{"collection", nil, ShardKey, Sharding{Table: "orders", Attribute: "pk", Sort: "sk", Keys: []string{"TENANT#123"}}, "dual read: deploy readers"},
		{"one item", func(_ *Table, r *Resource, _ *Event) { r.SortKey = "" }, ShardKey, Sharding{Table: "orders", Attribute: "pk", Keys: []string{"TENANT#123"}, Random: true, OneItem: true}, "the old item stays"},
		{"rolling keys", func(_ *Table, _ *Resource, e *Event) {
			e.Cause, e.Contributing = HotPartition, []Factor{RollingKey}
		}, ShardKey, Sharding{Table: "orders", Attribute: "pk", Sort: "sk"}, "dual read: deploy readers"},
		{"number", func(tb *Table, _ *Resource, _ *Event) {
			tb.Description.Keys = []telemetry.KeyAttribute{{Name: "pk", Role: "HASH", Type: "N"}}
		}, ShardKey, Sharding{Table: "orders", Attribute: "pk", Sort: "sk", Type: "N", Keys: []string{"TENANT#123"}}, "takes no text suffix"},
		{"index", func(tb *Table, r *Resource, e *Event) {
			tb.Resources = []*Resource{{PartitionKey: "id", Read: &Load{}, Write: &Load{}}, r}
			e.Resource, e.Cause, r.PartitionKey = tb.ID.WithIndex("by-status"), GSIPressure, "status"
		}, ShardIndexKey, Sharding{Table: "orders", Index: "by-status", Attribute: "status", Sort: "id", Keys: []string{"TENANT#123"}}, "make a new index on status_shard"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, e := bound(func(tb *Table, r *Resource, e *Event) {
				if tt.change != nil {
					tt.change(tb, r, e)
				}
			})
			r := find(e, tt.action)
			if r == nil {
				t.Fatalf("no %s among %s", tt.action, actions(e))
			}
			got := d.Sharding(e, *r)
			if got == nil {
				t.Fatal("no sharding")
			}
			tt.want.Shards = r.Parameters["shards"].(int)
			tt.want.Random = tt.want.Random || r.Parameters["suffix"] == randomSuffix
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(strings.Join(got.Migration(), "\n"), tt.moves) {
				t.Errorf("%q is missing in %q", tt.moves, got.Migration())
			}
			if reads := strings.Join(got.Reading(), "\n"); !strings.Contains(reads, strconv.Itoa(got.Shards)) {
				t.Errorf("%q doesn't say how many shards are read", reads)
			}
		})
	}
	d, e := bound(nil)
	if s := d.Sharding(e, *find(e, RedesignKey)); s != nil {
		t.Errorf("sharding %+v of another recommendation", s)
	}
}
