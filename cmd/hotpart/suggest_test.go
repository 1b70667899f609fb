package main

import "testing"

func TestDistanceCountsTypingMistakes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"replay", "replay", 0},
		{"repaly", "replay", 1},
		{"reply", "replay", 1},
		{"replayy", "replay", 1},
		{"reprax", "replay", 2},
		{"", "cut", 3},
		{"größe", "grösse", 2},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q are %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestSuggestionsNameTheNearestOrNothing(t *testing.T) {
	names := []string{"hot-key-tenant", "table-capacity", "warm-neighbours"}
	for _, c := range []struct{ word, want string }{
		{"hot-key-tennant", "\nhint: did you mean hot-key-tenant?"},
		{"warm", "\nhint: did you mean warm-neighbours?"},
		{"TABLE-CAPACITY", "\nhint: did you mean table-capacity?"},
		{"zzz", "\nhint: look"},
		{"", "\nhint: look"},
	} {
		if got := didYouMean("", c.word, names, "look"); got != c.want {
			t.Errorf("for %q: %q, want %q", c.word, got, c.want)
		}
	}
}
