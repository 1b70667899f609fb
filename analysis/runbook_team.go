package analysis

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// TeamRunbooks are a team's own steps by cause, put after ours.
type TeamRunbooks map[Cause][]Step

// placeholder is such as {{table}}.
var placeholder = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)

// placeholders are what a placeholder may name, with what stands for it where there is no
// event, or the event doesn't know.
var placeholders = map[string]string{
	"account": "ACCOUNT", "region": "REGION", "table": "TABLE", "index": "INDEX", "key": "KEY", "sort_key": "SORT_KEY",
	"cause": "CAUSE", "limit": "LIMIT", "operation": "OPERATION", "start": "START", "end": "END",
}

// ParseTeamRunbook reads a team's steps from Markdown: a list item is a step, lines of a
// code block are its commands, a heading begins a phase, and other lines belong to the
// step above them or are steps. name is the file's, for errors: an unknown placeholder is
// an error with its line.
func ParseTeamRunbook(name, text string) ([]Step, error) {
	var steps []Step
	phase, fence, began := Phase("team"), "", false
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		for _, m := range placeholder.FindAllStringSubmatch(line, -1) {
			if _, known := placeholders[m[1]]; !known {
				return nil, fmt.Errorf("%s:%d: no placeholder is called %q\nhint: there are %s", name, i+1, m[1], strings.Join(slices.Sorted(maps.Keys(placeholders)), ", "))
			}
		}
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence):
			fence = ""
		case fence != "" && trimmed == "":
		case fence != "":
			if !began {
				steps, began = append(steps, Step{Phase: phase, Text: "run"}), true
			}
			last := &steps[len(steps)-1]
			last.Commands = append(last.Commands, trimmed)
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case trimmed == "":
		case strings.HasPrefix(trimmed, "#"):
			phase, began = Phase(strings.TrimSpace(strings.TrimLeft(trimmed, "#"))), false
		case began && !listItem.MatchString(trimmed):
			steps[len(steps)-1].Text += " " + trimmed
		default:
			steps, began = append(steps, Step{Phase: phase, Text: listItem.ReplaceAllString(trimmed, "")}), true
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("%s: the last code block has no end\nhint: close it with %s", name, fence)
	}
	return steps, nil
}

// listItem is what begins an item of a list, a task's box included.
var listItem = regexp.MustCompile(`^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?`)

// For are the steps for an event, with its names in place of the placeholders.
func (t TeamRunbooks) For(e *Event) []Step {
	values := map[string]string{
		"account": e.Resource.Account, "region": e.Resource.Region, "table": e.Resource.Table, "index": e.Resource.Index,
		"cause": string(e.Cause), "limit": string(e.Limit), "operation": string(e.Direction),
		"start": e.Start.UTC().Format(time.RFC3339), "end": e.End.UTC().Format(time.RFC3339),
	}
	if len(e.Keys) > 0 {
		values["key"], values["sort_key"] = e.Keys[0].Key.Partition, e.Keys[0].Key.Sort
	}
	return t.bound(e.Cause, values)
}

// Unbound are the steps for a cause, with words such as TABLE in place of the placeholders.
func (t TeamRunbooks) Unbound(c Cause) []Step { return t.bound(c, nil) }

func (t TeamRunbooks) bound(c Cause, values map[string]string) []Step {
	var out []Step
	for _, s := range t[c] {
		s.Text, _ = fill(s.Text, values, false, 0)
		s.Commands = slices.Clone(s.Commands)
		var open byte // a quote may be closed lines later
		for i := range s.Commands {
			s.Commands[i], open = fill(s.Commands[i], values, true, open)
		}
		out = append(out, s)
	}
	return out
}

// fill puts values in place of placeholders, in a command quoted for where they stand: in
// single quotes, in double quotes, or bare. open is the quote that is open before the
// text, left the one after it.
func fill(text string, values map[string]string, command bool, open byte) (filled string, left byte) {
	var out strings.Builder
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(text[at:m[0]])
		open = quoteState(open, text[at:m[0]])
		at = m[1]
		value := values[text[m[2]:m[3]]]
		if value == "" {
			value = placeholders[text[m[2]:m[3]]]
		}
		switch {
		case !command:
		case open == '\'':
			value = strings.ReplaceAll(value, "'", `'\''`)
		case open == '"':
			value = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(value)
		default:
			value = shellQuote(value)
		}
		out.WriteString(value)
	}
	return out.String() + text[at:], quoteState(open, text[at:])
}

// quoteState is the shell quote that is open after a text; 0 for none.
func quoteState(open byte, text string) byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && open != '\'':
			i++
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		case c == open:
			open = 0
		}
	}
	return open
}
