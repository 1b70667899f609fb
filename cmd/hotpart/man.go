package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newManCommand is for those who package the program.
func newManCommand(app) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual's pages into a directory",
		Hidden: true,
		Args:   needs(1, 1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return pathError("make", args[0], err)
			}
			root := cmd.Root()
			for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
				if c != root && !c.IsAvailableCommand() {
					continue
				}
				path := filepath.Join(args[0], pageName(c)+".1")
				if err := os.WriteFile(path, []byte(page(c)), 0o644); err != nil {
					return pathError("write", path, err)
				}
			}
			return nil
		},
	}
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

const exitStatuses = `0   done, whatever was found
1   failed
2   wrong usage
3   events found, and --fail-on-event given
130 interrupted`

// page is the manual page of a command, in the language of man(7). It has no date, so
// that the same commands give the same page.
func page(c *cobra.Command) string {
	var b strings.Builder
	section := func(title, text string) { fmt.Fprintf(&b, ".SH %s\n%s\n", title, roff(text)) }
	verbatim := func(title, text string) { fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text)) }

	fmt.Fprintf(&b, ".TH %s 1 \"\" %q \"User Commands\"\n", strings.ToUpper(pageName(c)), "hotpart")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	root := c.Root()
	if c == root {
		section("SYNOPSIS", "hotpart COMMAND [ARGUMENT...]")
	} else {
		section("SYNOPSIS", c.UseLine()+" [FLAG...]")
	}
	if c.Long != "" {
		verbatim("DESCRIPTION", c.Long)
	}
	if c == root {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range root.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	if flags := c.NonInheritedFlags(); flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags.VisitAll(func(f *pflag.Flag) { b.WriteString(option(f)) })
	}
	if c.Example != "" {
		verbatim("EXAMPLES", c.Example)
	}
	if c == root {
		verbatim("EXIT STATUS", exitStatuses)
	} else {
		section("SEE ALSO", "hotpart(1)")
	}
	return b.String()
}

func option(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
		usage += " (default " + f.DefValue + ")"
	}
	return fmt.Sprintf(".TP\n.B %s\n%s\n", roff(name), roff(usage))
}

// roff escapes what would be an instruction.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
