package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotpart/hotpart/analysis/report"
	"github.com/hotpart/hotpart/collectors"
	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/replay/scenario"
	"github.com/hotpart/hotpart/tui"
)

// completionLimit is how long a shell may be kept waiting for the names of tables.
const completionLimit = time.Second

// complete tells the shells' completion what the arguments and flags of each
// command may be. Files are what they offer where nothing else is said.
func complete(root *cobra.Command) {
	flags := map[string]cobra.CompletionFunc{
		"from": completePath,
		"pane": cobra.FixedCompletions(tui.Panes, cobra.ShellCompDirectiveNoFileComp),
	}
	formats := map[string][]string{
		"diagnose": {"text", "json", "markdown", "html"},
		"frame":    frameFormats,
		"whatif":   {"text", "json"},
	}
	for _, c := range root.Commands() {
		switch c.Name() {
		case "capture", "diagnose", "doctor", "record", "watch":
			c.ValidArgsFunction = completeTables
		case "replay":
			c.ValidArgsFunction = firstArgument(completePath)
		case "simulate":
			c.ValidArgsFunction = firstArgument(completeScenario)
		case "import":
			c.ValidArgsFunction = firstArgument(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			})
		case "explain":
			c.ValidArgsFunction = firstArgument(completeTerm)
		case "frame", "version", "whatif":
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		for name, complete := range flags {
			if c.Flags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, complete)
			}
		}
		if names, ok := formats[c.Name()]; ok {
			_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}

// firstArgument offers nothing after the first argument.
func firstArgument(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, begun)
	}
}

// completeTables offers the account's tables. Without credentials, permission or an
// answer in time it offers nothing: a shell's prompt is no place for an error.
func completeTables(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	flag := func(name string) string {
		value, _ := cmd.Flags().GetString(name)
		first, _, _ := strings.Cut(value, ",") // of several places
		return first
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionLimit)
	defer cancel()
	live, err := collectors.Open(ctx, collectors.Config{Profile: flag("profile"), Region: flag("region"), EndpointURL: flag("endpoint-url")})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := begin(live.TableNames(ctx), begun)
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) }), cobra.ShellCompDirectiveNoFileComp
}

// completePath offers what a PATH may be: built-in incidents, files and directories.
func completePath(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, i := range incidents.All {
		names = append(names, cobra.CompletionWithDesc(i.Name, i.Title))
	}
	names = append(begin(names, begun), files(begun, "")...)
	if len(names) == 0 {
		// Scenarios are many, and of interest to those alone who begin to name one.
		names = begin(scenario.Names(), begun)
	}
	return withoutSpace(names)
}

// completeTerm offers terms as one word each, for some shells get lost in others.
func completeTerm(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, term := range report.Terms() {
		names = append(names, strings.ReplaceAll(strings.ToLower(term), " ", "-"))
	}
	return begin(names, strings.ToLower(begun)), cobra.ShellCompDirectiveNoFileComp
}

func completeScenario(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	return withoutSpace(append(begin(scenario.Names(), begun), files(begun, ".scenario")...))
}

// begin keeps the names that begin so.
func begin(names []string, begun string) []string {
	var out []string
	for _, name := range names {
		if strings.HasPrefix(name, begun) {
			out = append(out, name)
		}
	}
	return out
}

// files are the directories, and the files of an extension or of any where it is "",
// whose paths begin so.
func files(begun, extension string) []string {
	dir, name := filepath.Split(begun)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	var out []string
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".")
		switch {
		case hidden || !strings.HasPrefix(e.Name(), name):
		case e.IsDir():
			out = append(out, dir+e.Name()+string(filepath.Separator))
		case extension == "" || filepath.Ext(e.Name()) == extension:
			out = append(out, dir+e.Name())
		}
	}
	return out
}

// withoutSpace lets the one directory that is offered be followed by a name in it.
func withoutSpace(names []string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if len(names) == 1 && strings.HasSuffix(names[0], string(filepath.Separator)) {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return names, directive
}
