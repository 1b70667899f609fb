package telemetry

import "strings"

// Words writes a name of the schema, such as a cause's, a factor's or a limit's, as the
// field says it.
func Words[T ~string](name T) string {
	if said, ok := saidOtherwise[string(name)]; ok {
		return said
	}
	return strings.ReplaceAll(string(name), "_", " ")
}

// Fields are the words that blanks part, but for a percent sign, which stays with its number.
func Fields(s string) []string {
	fields := strings.Fields(s)
	out := fields[:0]
	for _, f := range fields {
		if last := len(out) - 1; last >= 0 && strings.HasPrefix(f, "%") && endsInDigit(out[last]) {
			out[last] += " " + f
			continue
		}
		out = append(out, f)
	}
	return out
}

func endsInDigit(s string) bool { c := s[len(s)-1]; return c >= '0' && c <= '9' }

// saidOtherwise are the names that aren't said word by word.
var saidOtherwise = map[string]string{
	"gsi_pressure":       "GSI pressure",
	"gsi_back_pressure":  "GSI back-pressure",
	"max_on_demand":      "on-demand maximum",
	"on_demand_new_peak": "new on-demand peak",
}
