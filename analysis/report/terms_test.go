package report

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hotpart/hotpart/analysis"
)

func TestEveryTermIsShortAndNamesItsSource(t *testing.T) {
	for _, name := range Terms() {
		text, ok := Explain(name)
		lines := strings.Split(text, "\n")
		if !ok || len(lines) < 3 || len(lines) > 6 {
			t.Errorf("%s has %d lines", name, len(lines))
		}
		if !strings.Contains(text, "\nSource") {
			t.Errorf("%s names no source", name)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

func TestTermsAreInOrderAndFoundOnce(t *testing.T) {
	if !slices.IsSortedFunc(Terms(), func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
		t.Errorf("not in order: %v", Terms())
	}
	seen := map[string]bool{}
	for _, x := range terms {
		for _, n := range x.names {
			if p := plainTerm(n); seen[p] {
				t.Errorf("%q is listed twice", n)
			} else {
				seen[p] = true
			}
		}
	}
}

func TestEveryCauseIsExplained(t *testing.T) {
	for _, c := range analysis.Causes {
		if _, ok := Explain(string(c)); !ok {
			t.Errorf("%s isn't explained", c)
		}
	}
}

func TestSpellingOfATermIsForgiven(t *testing.T) {
	for _, name := range []string{"Hot Key", "hot-key", "hot_key", "  wcu ", "GSI backpressure", "lsi"} {
		_, ok := Explain(name)
		if want := name != "GSI backpressure"; ok != want {
			t.Errorf("Explain(%q) is %v", name, ok)
		}
	}
	if _, ok := Explain("nonsense"); ok {
		t.Error("nonsense is explained")
	}
}
