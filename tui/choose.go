package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Choice is one of a list to choose from.
type Choice struct {
	// Name is what may be typed, Title says what it is, Description more of it.
	Name, Title, Description string
}

// Choose asks at the prompt for one of a list: by the arrow keys, its number or its name.
// It returns "" where the user quits, and ErrInterrupted after Ctrl-C.
func Choose(ctx context.Context, from []Choice, ascii bool) (string, error) {
	c := &chooser{from: from, styles: newStyles(colorprofile.ANSI256, true, ascii), ascii: ascii}
	_, err := tea.NewProgram(c, tea.WithContext(ctx)).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return "", ErrInterrupted
	case err != nil:
		return "", fmt.Errorf("ask which one: %w", err)
	}
	return c.chosen, nil
}

// chooser is a list at the prompt.
type chooser struct {
	from         []Choice
	cursor       int
	typed        string
	chosen       string
	wrong, ended bool
	width        int
	styles       styles
	ascii        bool
}

func (c *chooser) Init() tea.Cmd { return nil }

func (c *chooser) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width = msg.Width
	case tea.ColorProfileMsg:
		c.styles = newStyles(msg.Profile, true, c.ascii)
	case tea.KeyPressMsg:
		return c, c.press(msg)
	}
	return c, nil
}

func (c *chooser) press(msg tea.KeyPressMsg) tea.Cmd {
	c.wrong = false
	switch key := msg.String(); key {
	case "ctrl+c":
		c.ended = true
		return tea.Interrupt
	case "esc":
		return c.end("")
	case "up", "down", "ctrl+p", "ctrl+n":
		step := map[string]int{"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1}[key]
		c.cursor, c.typed = max(0, min(c.cursor+step, len(c.from)-1)), ""
	case "backspace":
		if r := []rune(c.typed); len(r) > 0 {
			c.typed = string(r[:len(r)-1])
		}
	case "enter", "ctrl+j":
		return c.answer()
	case "q":
		if c.typed == "" {
			return c.end("")
		}
		fallthrough
	default:
		c.typed += telemetry.Clean(msg.Text)
		if i := c.find(); i >= 0 {
			c.cursor = i
		}
	}
	return nil
}

// find is the place of the one whose number or name is typed; -1 where none is.
func (c *chooser) find() int {
	typed := strings.TrimSpace(c.typed)
	if n, err := strconv.Atoi(typed); err == nil && n >= 1 && n <= len(c.from) {
		return n - 1
	}
	for i, x := range c.from {
		if x.Name == typed {
			return i
		}
	}
	return -1
}

func (c *chooser) answer() tea.Cmd {
	at := c.cursor
	if strings.TrimSpace(c.typed) != "" {
		at = c.find()
	}
	if at < 0 {
		c.wrong, c.typed = true, ""
		return nil
	}
	return c.end(c.from[at].Name)
}

func (c *chooser) end(chosen string) tea.Cmd {
	c.chosen, c.ended = chosen, true
	return tea.Quit
}

// View shows the list, what the selected one is, and the question.
func (c *chooser) View() tea.View {
	w := c.width
	if w < 1 {
		w = 80
	}
	longest := 0
	for _, x := range c.from {
		longest = max(longest, width(x.Name))
	}
	var lines []string
	for i, x := range c.from {
		text := c.styles.cut(fmt.Sprintf("%2d  %s %s", i+1, fit(x.Name, longest), x.Title), w-1)
		if i == c.cursor && !c.ended {
			text = c.styles.selected.Render(text)
		}
		lines = append(lines, text)
	}
	if c.ended {
		return tea.NewView(strings.Join(lines, "\n") + "\n")
	}
	const most = 4
	lines = append(lines, "")
	about := c.styles.wrap(c.from[c.cursor].Description, max(1, min(w-5, 90)), most)
	for i := range most {
		text := ""
		if i < len(about) {
			text = "    " + c.styles.dim.Render(about[i])
		}
		lines = append(lines, text)
	}
	note := ""
	if c.wrong {
		note = fmt.Sprintf("A number from 1 to %d, or a name.", len(c.from))
	}
	lines = append(lines, note, fmt.Sprintf("Which one? [%d, q to quit] %s", c.cursor+1, c.typed))
	v := tea.NewView(strings.Join(lines, "\n"))
	v.Cursor = tea.NewCursor(min(width(lines[len(lines)-1]), w-1), len(lines)-1)
	return v
}
