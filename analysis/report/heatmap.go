package report

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Sizes of a heatmap, in CSS pixels, and how many rows and columns it has at most;
// beyond that neighbours in time share a column that shows their maximum.
const (
	heatLabelWidth = 190
	heatWidth      = 900
	heatRowHeight  = 18
	heatTop        = 4
	heatAxis       = 18
	heatTimeWidth  = 34
	heatMostRows   = 24
	heatMostColumn = 240
)

// heatPatterns are the looks of unknown and pending minutes, shared by all heatmaps.
const heatPatterns = `<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>` +
	`<pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#fff"/><path d="M0 6L6 0" stroke="#999" stroke-width="1"/></pattern>` +
	`<pattern id="pending" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#fff"/><circle cx="3" cy="3" r="1" fill="#999"/></pattern>` +
	"</defs></svg>\n"

// heatmap draws what was refused and used over a load's minutes, and below that its
// partitions, as shares of a partition's ceiling.
func (h *htmlWriter) heatmap(l *analysis.Load) {
	if len(l.Minutes) == 0 {
		return
	}
	rows := l.Rows[:min(heatMostRows, len(l.Rows))]
	group := (len(l.Minutes) + heatMostColumn - 1) / heatMostColumn
	columns := (len(l.Minutes) + group - 1) / group
	charts := measured(l, h.builder.d.Window.Period.Seconds())
	top := heatTop + len(charts)*(barHeight+heatTop)
	height := top + len(rows)*heatRowHeight + heatAxis
	h.raw("<figure>\n<svg role=\"img\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\">\n",
		strconv.Itoa(heatWidth), strconv.Itoa(height), strconv.Itoa(heatWidth), strconv.Itoa(height))
	h.raw("<title>%s</title>\n", fmt.Sprintf("%ss over time: refused and used, measured, and the load of each partition, modelled", l.Direction))
	for i, c := range charts {
		h.chart(heatTop+i*(barHeight+heatTop), c, l, group, columns)
	}
	for i, row := range rows {
		h.heatRow(top+i*heatRowHeight, row, l, group, columns)
	}
	h.heatTimes(l, group, columns, top+len(rows)*heatRowHeight+13)
	h.raw("</svg>\n<figcaption>%s</figcaption>\n</figure>\n", heatCaption(l, len(rows), group))
}

func heatCaption(l *analysis.Load, shown, group int) string {
	text := "Refused and used as measured"
	if slices.ContainsFunc(l.Minutes, func(m analysis.Minute) bool { return m.Capacity > 0 }) {
		text += "; the line is the capacity in force"
	}
	text += ". Hatched: unknown; dotted: not yet published."
	if shown > 0 {
		text += fmt.Sprintf(" Below, the partitions as modelled, %ss, as a share of the ceiling of %s %s/s: pale below half, blue to 80 %%, "+
			"orange to 95 %%, red above; darkest with a bar below: refused.", l.Direction, thousands(float64(l.Ceiling)), l.Direction.Unit())
	}
	if group > 1 {
		text += fmt.Sprintf(" A column is the maximum of %d points.", group)
	}
	if more := len(l.Rows) - shown; more > 0 {
		text += " " + count(float64(more), "row", "rows") + " more not shown."
	}
	return text
}

func (h *htmlWriter) heatRow(y int, row *analysis.Row, l *analysis.Load, group, columns int) {
	h.raw("<text x=\"0\" y=\"%s\">%s</text>\n", strconv.Itoa(y+13), shorten(h.rowLabel(row), 30))
	for from := 0; from < columns; {
		look := heatLook(row, l, from*group, group)
		to := from + 1
		for to < columns && heatLook(row, l, to*group, group) == look {
			to++
		}
		x, end := heatX(from, columns), heatX(to, columns)
		h.raw("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n",
			look, pixels(x), strconv.Itoa(y), pixels(end-x), strconv.Itoa(heatRowHeight-2))
		if look == "t" {
			h.raw("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"3\"/>\n", pixels(x), strconv.Itoa(y+heatRowHeight-5), pixels(end-x))
		}
		from = to
	}
}

// rowLabel names a row's keys, or counts the ordinary partitions it stands for.
func (h *htmlWriter) rowLabel(row *analysis.Row) string {
	if len(row.Keys) == 0 {
		return count(float64(row.Count), "ordinary partition", "ordinary partitions")
	}
	text := h.builder.part(row.Keys[0].Partition)
	if more := len(row.Keys) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

func heatX(column, columns int) float64 {
	return heatLabelWidth + float64(heatWidth-heatLabelWidth)*float64(column)/float64(columns)
}

func pixels(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// heatLook is the class of one column: of the worst of its minutes.
func heatLook(row *analysis.Row, l *analysis.Load, from, group int) string {
	pending, known, refused := false, false, false
	var most telemetry.Rate
	for i := from; i < min(from+group, len(row.Cells)); i++ {
		c := row.Cells[i]
		pending = pending || c.State == telemetry.Pending
		if c.State != telemetry.Known {
			continue
		}
		known, refused, most = true, refused || c.Throttled >= 0.5, max(most, c.Likely)
	}
	switch share := float64(most) / float64(max(1, l.Ceiling)); {
	case !known && pending:
		return "p"
	case !known:
		return "u"
	case refused:
		return "t"
	case share < 0.5:
		return "c0"
	case share < 0.8:
		return "c1"
	case share < 0.95:
		return "c2"
	}
	return "c3"
}

// heatTimes writes about six times under the map.
func (h *htmlWriter) heatTimes(l *analysis.Load, group, columns, y int) {
	step := max(1, columns/6)
	for c := 0; c < columns; c += step {
		at := l.Minutes[c*group].Start
		if at == (time.Time{}) {
			continue
		}
		x := heatX(c, columns)
		if x+heatTimeWidth > heatWidth {
			continue
		}
		h.raw("<text x=\"%s\" y=\"%s\">%s</text>\n", pixels(x), strconv.Itoa(y), at.In(h.builder.zone).Format("15:04"))
	}
}
