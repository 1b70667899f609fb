package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/incidents"
)

// hostile are keys that try to draw, to move the cursor or to talk to the terminal, and
// keys that are hard to measure. All are one word, so that a frame can be searched.
var hostile = []string{
	"\x1b[2J\x1b[31mESC",
	"\x1b]8;;http://evil.example\x1b\\OSC8\x1b]8;;\x1b\\",
	"\x1b]52;c;ZXZpbA==\x07OSC52",
	"\x1bP+q544e\x1b\\DCS",
	"\u009b31mC1\u009c\u0085",
	"CR\r\nLF\ttab\bBS\x00NUL\x7f",
	"\u202ertl\u2066bidi\u2069",
	"zero\u200b\u200d\ufeffwidth",
	"a\u0301\u0308\u20ddcombining",
	"日本語のキー漢字",
	"⚠️👩‍👩‍👧🇩🇪emoji",
	strings.Repeat("long", 512),
	"bad\xff\xfe\xc3utf8",
	"ำกำ👍🏽🇩ൎ",
	"7",
	"key",
}

// batches are a built-in incident, read once.
var batches = struct {
	sync.Mutex
	of map[string][]telemetry.Batch
}{of: map[string][]telemetry.Batch{}}

func incident(t testing.TB, name string) []telemetry.Batch {
	t.Helper()
	batches.Lock()
	defer batches.Unlock()
	if b, ok := batches.of[name]; ok {
		return b
	}
	r, err := incidents.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []telemetry.Batch
	for {
		b, err := r.Next(context.Background())
		if errors.Is(err, io.EOF) {
			batches.of[name] = out
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
}

func diagnose(batches []telemetry.Batch) *analysis.Diagnosis {
	a := analysis.New()
	for _, b := range batches {
		a.Add(b)
	}
	return a.Diagnose()
}

// poisoned is an incident whose ranked keys are hostile ones, the loudest first.
func poisoned(in []telemetry.Batch, keys []string) []telemetry.Batch {
	names := map[string]string{}
	rename := func(s string) string {
		if s == "" {
			return ""
		}
		if names[s] == "" {
			n := len(names)
			names[s] = keys[n%len(keys)]
			if n >= len(keys) {
				names[s] += fmt.Sprint(n)
			}
		}
		return names[s]
	}
	var out []telemetry.Batch
	for _, b := range in {
		b.Rankings = slices.Clone(b.Rankings)
		for i := range b.Rankings {
			r := &b.Rankings[i]
			r.Contributors = slices.Clone(r.Contributors)
			for j := range r.Contributors {
				k := &r.Contributors[j].Key
				k.Partition, k.Sort = rename(k.Partition), rename(k.Sort)
			}
		}
		out = append(out, b)
	}
	return out
}

var shown = []string{"hot-key-tenant", "five-warm-tenants", "two-at-once", "scaling-too-late", "busy-not-hot"}

var fixturesOnce = sync.OnceValue(func() map[string]*analysis.Diagnosis { return map[string]*analysis.Diagnosis{} })

// fixtures are diagnoses of built-in incidents at their end, some with hostile keys,
// others the loudest in each, and an empty one. They are made once and never written.
func fixtures(t testing.TB) map[string]*analysis.Diagnosis {
	t.Helper()
	out := fixturesOnce()
	if len(out) > 0 {
		return out
	}
	for _, name := range shown {
		out[name] = diagnose(incident(t, name))
	}
	for i := 0; i < len(hostile); i += 4 { // the loudest keys are many, so all come to the top
		keys := append(slices.Clone(hostile[i:]), hostile[:i]...)
		out[fmt.Sprintf("hostile %d", i)] = diagnose(poisoned(incident(t, "five-warm-tenants"), keys))
	}
	out["nothing"] = analysis.New().Diagnose()
	return out
}
