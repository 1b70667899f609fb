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

// saidOtherwise are the names that aren't said word by word.
var saidOtherwise = map[string]string{
	"gsi_pressure":       "GSI pressure",
	"gsi_back_pressure":  "GSI back-pressure",
	"max_on_demand":      "on-demand maximum",
	"on_demand_new_peak": "new on-demand peak",
}
