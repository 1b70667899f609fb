package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"regexp"

	"github.com/hotpart/hotpart/analysis"
)

// HTML writes a report as one page that loads nothing: style and heatmaps are inside
// it, there is no script, and it prints on white.
func HTML(w io.Writer, d *analysis.Diagnosis, o Options) error {
	b := newBuilder(d, o)
	h := &htmlWriter{out: bufio.NewWriter(w), builder: b}
	h.page(b.page())
	if err := h.out.Flush(); err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	return nil
}

const htmlStyle = `
body{font:15px/1.45 system-ui,sans-serif;color:#1b1b1f;background:#fff;max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #bbb}
h3{font-size:1rem;margin:1.2rem 0 .3rem}.lead{margin:.25rem 0}
table{border-collapse:collapse}th{text-align:left;font-weight:600;vertical-align:top;padding:.1rem 1rem .1rem 0}td{padding:.1rem 0}
.o{white-space:nowrap}details{margin:.3rem 0}summary{cursor:pointer;color:#555}
pre{background:#f3f3f5;padding:.5rem .7rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
li{margin:.25rem 0}dl{margin:.2rem 0;display:grid;grid-template-columns:max-content 1fr;gap:0 .8rem}dt{color:#555}dd{margin:0}
figure{margin:1rem 0}figcaption{font-size:.85rem;color:#444}svg{max-width:100%;height:auto}
svg rect{shape-rendering:crispEdges}svg text{font:11px system-ui,sans-serif;fill:#1b1b1f}
.c0{fill:#dfe7f1}.c1{fill:#8fb3d9}.c2{fill:#f4b266}.c3{fill:#d9601a}.t{fill:#7a0019}.u{fill:url(#unknown)}.p{fill:url(#pending)}.l{fill:none;stroke:#1b1b1f;stroke-width:1.5}
@media print{body{margin:0;max-width:none;font-size:10pt}details{display:none}li{break-inside:avoid-page}pre{background:none;border-left:2px solid #bbb}section{break-inside:auto}h2,h3{break-after:avoid}pre,figure{break-inside:avoid}svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

// htmlWriter writes HTML. Write errors stick to the buffer and come out of Flush.
type htmlWriter struct {
	out     *bufio.Writer
	builder *builder
}

// raw writes markup whose holes are filled with escaped text.
func (h *htmlWriter) raw(format string, texts ...string) {
	args := make([]any, len(texts))
	for i, s := range texts {
		args[i] = html.EscapeString(s)
	}
	_, _ = fmt.Fprintf(h.out, format, args...)
}

func (h *htmlWriter) page(p page) {
	_, _ = h.out.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	h.raw("<title>%s</title>\n", p.title)
	_, _ = h.out.WriteString("<style>" + htmlStyle + "</style>\n</head>\n<body>\n")
	_, _ = h.out.WriteString(heatPatterns)
	h.raw("<h1>%s</h1>\n", p.title)
	for _, s := range p.lead {
		h.raw("<p class=\"lead\">%s</p>\n", s)
	}
	h.facts(p.facts)
	for _, s := range p.sections {
		h.raw("<section>\n<h2>%s</h2>\n", s.heading)
		h.facts(s.facts)
		if s.load != nil {
			h.heatmap(s.load)
		}
		for _, g := range s.groups {
			h.group(g)
		}
		h.raw("</section>\n")
	}
	h.raw("</body>\n</html>\n")
}

func (h *htmlWriter) facts(facts []fact) {
	if len(facts) == 0 {
		return
	}
	h.raw("<table>\n")
	for _, f := range facts {
		h.raw("<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", f.label, f.value)
	}
	h.raw("</table>\n")
}

// option is an option's name in a command.
var option = regexp.MustCompile(`--[a-z][a-z0-9-]*`)

// command writes a command that breaks at no hyphen of an option.
func (h *htmlWriter) command(c string) {
	text := option.ReplaceAllString(html.EscapeString(c), `<span class="o">$0</span>`)
	_, _ = h.out.WriteString("<pre><code>" + text + "</code></pre>")
}

func (h *htmlWriter) group(g group) {
	tag := "ul"
	if g.numbered {
		tag = "ol"
	}
	h.raw("<h3>%s</h3>\n<"+tag+">\n", g.label)
	for _, x := range g.items {
		text := x.text
		switch x.mark {
		case "+":
			text = "for: " + text
		case "-":
			text = "against: " + text
		}
		h.raw("<li>%s", text)
		if len(x.facts) > 0 {
			h.raw("<dl>")
			for _, f := range x.facts {
				h.raw("<dt>%s</dt><dd>%s</dd>", f.label, f.value)
			}
			h.raw("</dl>")
		}
		for _, c := range x.commands {
			h.command(c)
		}
		if x.code.Text != "" {
			h.raw("<details><summary>show</summary><pre><code>%s</code></pre></details>", x.code.Text)
		}
		h.raw("</li>\n")
	}
	h.raw("</" + tag + ">\n")
}
