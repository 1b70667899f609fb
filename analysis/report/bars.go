package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

const barHeight = 40

// bars are measured figures over time, one for each minute, drawn above a heatmap.
type bars struct {
	class string
	value func(analysis.Minute) (float64, telemetry.State)
	// limit is drawn as a line across; nil for none, and 0 where there is none.
	limit func(analysis.Minute) float64
	// name and unit are what is said beside the bars.
	name, unit string
}

// measured are the charts above a load's heatmap.
func measured(l *analysis.Load, period float64) []bars {
	refused := bars{
		class: "t",
		value: func(m analysis.Minute) (float64, telemetry.State) { return m.Throttled, m.ThrottleState },
		name:  "refused", unit: every(period),
	}
	served := bars{
		class: "c1",
		value: func(m analysis.Minute) (float64, telemetry.State) { return float64(m.Consumed), m.State },
		limit: func(m analysis.Minute) float64 { return float64(m.Capacity) },
		name:  "used", unit: l.Direction.Unit() + "/s",
	}
	return []bars{refused, served}
}

// every is "a minute" or "in 300 s".
func every(period float64) string {
	if period == 0 || period == 60 {
		return "a minute"
	}
	return fmt.Sprintf("in %.0f s", period)
}

// label is such as "used, up to 2,377 WCU/s"; a most below zero is unknown.
func (c bars) label(most float64) string {
	if most < 0 {
		return c.name + ": unknown"
	}
	return c.name + ", up to " + thousands(most) + " " + c.unit
}

// chart draws bars as high as their share of the highest, or of the highest limit.
func (h *htmlWriter) chart(y int, c bars, l *analysis.Load, group, columns int) {
	most, top := math.Inf(-1), 1.0
	for _, m := range l.Minutes {
		if v, state := c.value(m); state == telemetry.Known {
			most = math.Max(most, v)
		}
		if c.limit != nil {
			top = math.Max(top, c.limit(m))
		}
	}
	top = math.Max(most, top)
	h.raw("<text x=\"0\" y=\"%s\">%s</text>\n", strconv.Itoa(y+barHeight/2+4), c.label(most))
	var line strings.Builder
	for column := range columns {
		x, end := heatX(column, columns), heatX(column+1, columns)
		v, limit, look := c.column(l.Minutes[column*group : min((column+1)*group, len(l.Minutes))])
		height := barHeight * v / top
		if look != c.class {
			height = barHeight
		}
		if height > 0 {
			h.raw("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", look, pixels(x), pixels(float64(y+barHeight)-height), pixels(end-x), pixels(height))
		}
		if limit > 0 {
			at := pixels(float64(y+barHeight) - barHeight*limit/top)
			_, _ = fmt.Fprintf(&line, "M%s %sH%s", pixels(x), at, pixels(end))
		}
	}
	if line.Len() > 0 {
		h.raw("<path class=\"l\" d=\"%s\"/>\n", line.String())
	}
}

// column is the highest value and limit of some minutes, and the class to draw it in: that
// of unknown or pending ones where no minute is known.
func (c bars) column(minutes []analysis.Minute) (value, limit float64, look string) {
	look = "u"
	for _, m := range minutes {
		v, state := c.value(m)
		switch {
		case state == telemetry.Known:
			value, look = math.Max(value, v), c.class
		case state == telemetry.Pending && look == "u":
			look = "p"
		}
		if c.limit != nil {
			limit = math.Max(limit, c.limit(m))
		}
	}
	return value, limit, look
}
