package capture

import (
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// notes gathers the same trouble of many series into one warning a table or
// index.
type notes struct {
	order  []noteKey
	series map[noteKey][]string
}

type noteKey struct {
	code, trouble string
	about         telemetry.ResourceID
}

func newNotes() *notes { return &notes{series: map[noteKey][]string{}} }

func (n *notes) add(code string, id telemetry.SeriesID, trouble string) {
	key := noteKey{code: code, trouble: trouble, about: id.Resource}
	if n.series[key] == nil {
		n.order = append(n.order, key)
	}
	name := string(id.Metric) + " " + string(id.Stat)
	if id.Operation != "" {
		name += " of " + id.Operation
	}
	n.series[key] = append(n.series[key], name)
}

func (n *notes) warn(r *reader) {
	const named = 3
	for _, key := range n.order {
		all := n.series[key]
		shown := strings.Join(all[:min(len(all), named)], ", ")
		if len(all) > named {
			r.warn(key.code, key.about, "%s: %s and %d more: %s", subject(key.about), shown, len(all)-named, key.trouble)
			continue
		}
		r.warn(key.code, key.about, "%s: %s: %s", subject(key.about), shown, key.trouble)
	}
}

// subject names what a warning is about.
func subject(id telemetry.ResourceID) string {
	if id.Table == "" {
		return "the account"
	}
	return id.String()
}
