package capture

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// found is one JSON document, with where it was found.
type found[T any] struct {
	file  file
	line  int
	value T
}

// collect reads all documents of one kind, in the files' natural order. A file
// may hold one document, several one after the other, or a list of them.
func collect[T any](r *reader, kind string) []found[T] {
	var all []found[T]
	for _, f := range r.files {
		if f.kind != kind {
			continue
		}
		if data := r.contents(f); data != nil {
			all = append(all, parse[T](r, f, data)...)
		}
	}
	return all
}

func parse[T any](r *reader, f file, data []byte) []found[T] {
	var all []found[T]
	scan := scanner{data: data, line: 1}
	for scan.next() {
		if len(all) == maxDocuments {
			r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: more than %d documents: the rest is not read", f.name, scan.line, maxDocuments)
			return all
		}
		item := found[T]{file: f, line: scan.line}
		body := data[scan.start:scan.end]
		lineAt := func(offset int) int { return scan.line + newlines(body, offset) }
		err := json.Unmarshal(body, &item.value)
		if offset, isSyntax := syntaxOffset(err); isSyntax {
			repaired, comma := withoutTrailingCommas(body)
			var again T
			if comma < 0 || isSyntaxError(json.Unmarshal(repaired, &again)) {
				r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: not valid JSON: %v",
					f.name, lineAt(offset), err)
				continue
			}
			r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: stray comma before a closing bracket, read nevertheless",
				f.name, lineAt(comma))
			item.value = again
		} else if typeErr := (*json.UnmarshalTypeError)(nil); errors.As(err, &typeErr) {
			r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: %s is a %s, which isn't what AWS sends; ignored",
				f.name, lineAt(int(typeErr.Offset)), fieldName(typeErr.Field), typeErr.Value)
		}
		all = append(all, item)
	}
	if scan.trouble != "" {
		r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: %s", f.name, scan.line, scan.trouble)
	}
	return all
}

func fieldName(field string) string {
	if field == "" {
		return "the document"
	}
	return field
}

func syntaxOffset(err error) (offset int, ok bool) {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 0, false
	}
	return int(syntax.Offset), true
}

func isSyntaxError(err error) bool {
	_, ok := syntaxOffset(err)
	return ok
}

// newlines counts the line breaks before an offset.
func newlines(data []byte, offset int) int {
	return bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// scanner cuts text into its outermost JSON objects: next moves start and end to
// the next one. Lists around objects and commas between them are stepped over, so
// that documents one after the other and a list of documents read the same.
type scanner struct {
	data       []byte
	start, end int
	line       int // of start, from 1
	lists      int
	trouble    string // what stopped the scan early, about the text at start; "" at a proper end
}

func (s *scanner) next() bool {
	s.line += newlines(s.data[s.start:], s.end-s.start)
	for s.start = s.end; s.start < len(s.data); s.start++ {
		switch s.data[s.start] {
		case '\n':
			s.line++
		case ' ', '\t', '\r', ',':
		case '[':
			s.lists++
		case ']':
			s.lists--
		case '{':
			s.end = objectEnd(s.data, s.start)
			if s.end < 0 {
				s.trouble, s.end = "the document that begins here is cut short", len(s.data)
				return false
			}
			return true
		default:
			s.trouble, s.end = "not JSON from here on", len(s.data)
			return false
		}
	}
	s.end = len(s.data)
	if s.lists > 0 {
		s.trouble = "the list of documents is cut short"
	}
	return false
}

// objectEnd is the offset behind the object that begins at start, -1 where it
// isn't closed.
func objectEnd(data []byte, start int) int {
	depth := 0
	for i := start; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// stringEnd is the offset of the quote that closes the string begun at start, or
// the end of data.
func stringEnd(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// withoutTrailingCommas blanks each comma that stands before a closing bracket,
// so that offsets stay what they were. first is the offset of the first such
// comma, -1 where there is none, and then body is returned as it is.
func withoutTrailingCommas(body []byte) (out []byte, first int) {
	out, first = body, -1
	comma, quoted := -1, false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case quoted && c == '\\':
			i++
			continue
		case c == '"':
			quoted = !quoted
		}
		switch {
		case quoted:
			comma = -1
		case c == ',':
			comma = i
		case (c == ']' || c == '}') && comma >= 0:
			if first < 0 {
				out, first = bytes.Clone(body), comma
			}
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out, first
}
