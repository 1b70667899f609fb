package tui

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawn is what a picture of one line has, a string for each shape or text.
func drawn(t *testing.T, svg string) []string {
	t.Helper()
	var out []string
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out[min(1, len(out)):] // the first is the page
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local != "rect" && x.Name.Local != "text" {
				continue
			}
			words := []string{x.Name.Local}
			for _, a := range x.Attr {
				if a.Name.Local != "y" && a.Name.Local != "space" {
					words = append(words, a.Value)
				}
			}
			out = append(out, strings.Join(words, " "))
		case xml.CharData:
			if s := strings.TrimSpace(string(x)); s != "" && len(out) > 0 {
				out[len(out)-1] += " " + s
			}
		}
	}
}

func TestSVGDrawsRunsOfCells(t *testing.T) {
	for name, c := range map[string]struct {
		frame string
		want  []string
	}{
		"plain text":                 {"a <&> b", []string{"text 0 56 #d7dce2 a <&> b"}},
		"blanks are nothing":         {"   ", []string{}},
		"24-bit colours":             {"\x1b[38;2;1;2;3;48;2;255;0;16mx\x1b[m", []string{"rect 0 8 17 #ff0010", "text 0 8 #010203 x"}},
		"colours of the palette":     {"\x1b[38;5;196mx", []string{"text 0 8 #ff0000 x"}},
		"bold until reset":           {"\x1b[1mx\x1b[my", []string{"text 0 8 #d7dce2 bold x", "text 8 8 #d7dce2 y"}},
		"reversed":                   {"\x1b[7mx", []string{"rect 0 8 17 #d7dce2", "text 0 8 #0f1117 x"}},
		"equal blocks are one shape": {"▒▒▒", []string{"rect 0 24 17 #d7dce2 0.50"}},
		"bars stand on the ground":   {"x▄", []string{"text 0 8 #d7dce2 x", "rect 8 8 9 #d7dce2"}},
		"wide letters":               {"日本x", []string{"text 0 40 #d7dce2 日本x"}},
		"broken codes":               {"\x1b[38;2;1mx\x1b[38;9my\x1b[48;5;999mz", []string{"text 0 8 #d7dce2 x", "text 8 8 #d7dce2 y", "text 16 8 #d7dce2 z"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, drawn(t, SVG(c.frame, 10, 1, false))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSVGLeavesOutWhatIsBeyondItsSize(t *testing.T) {
	got := drawn(t, SVG("abcdef\nsecond\nthird", 3, 2, true))
	want := []string{"text 0 24 #1f2328 abc", "text 0 24 #1f2328 sec"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSVGOfAFrameIsWellFormedAndSelfContained(t *testing.T) {
	for name, d := range fixtures(t) {
		for _, light := range []bool{false, true} {
			frame := Frame(d, FrameOptions{Width: 120, Height: 32, Color: true, Light: light})
			svg := SVG(frame, 120, 32, light)
			if drawn(t, svg) == nil {
				t.Errorf("%s: nothing is drawn", name)
			}
			for _, s := range []string{"href", "url(", "<script", "\x1b"} {
				if strings.Contains(svg, s) {
					t.Errorf("%s: has %q", name, s)
				}
			}
		}
	}
}
