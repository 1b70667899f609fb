package analysis

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag
)

// Properties are drawn from the same seed each time, so that a change alone decides what
// passes; -rapid.seed 0 draws others.
func init() { _ = flag.Set("rapid.seed", "1") }
