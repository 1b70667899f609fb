package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unknownCommand is the error for a command that doesn't exist, or nil.
func unknownCommand(root *cobra.Command, args []string) error {
	// Cobra adds these two only when it executes, after this.
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	if _, _, err := root.Find(args); err == nil || fromShell(args) {
		return nil
	}
	var name string
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			name = arg
			break
		}
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usage("unknown command %q%s", name, didYouMean("hotpart ", name, names, "hotpart --help"))
}

// fromShell reports whether a shell's completion asks, in which case cobra adds the
// command.
func fromShell(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// valuesTaken says in words what a flag of a type takes.
var valuesTaken = map[string]string{
	"int": "a whole number", "uint64": "a whole number", "float64": "a number", "duration": "a duration, such as 90m or 3h", "bool": "true or false",
}

// flagError gives errors in flags a hint and the status for wrong usage.
func flagError(cmd *cobra.Command, err error) error {
	help := cmd.CommandPath() + " --help"
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if want := valuesTaken[bad.GetFlag().Value.Type()]; want != "" {
			return usage("--%s %q: want %s\nhint: %s", bad.GetFlag().Name, bad.GetValue(), want, help)
		}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usage("%w\nhint: %s", err, help)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return usage("%w%s", err, didYouMean("--", unknown.GetSpecifiedName(), names, help))
}

// needs checks the number of arguments, at least low and at most high.
func needs(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return usage("%s needs %s\nhint: %s", cmd.Name(), what, cmd.UseLine())
		case len(args) > high:
			return usage("%s: %q is one argument too many\nhint: %s", cmd.Name(), args[high], cmd.UseLine())
		}
		return nil
	}
}

// oneOf checks a flag's value against those it may have.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	all := strings.Join(allowed, ", ")
	return usage("--%s %q is not one of %s%s", flag, value, all, didYouMean("--"+flag+" ", value, allowed, ""))
}

// didYouMean is a hint line, with a line break before it, that names the
// candidate nearest to a word, or says where else to look; "" where there is
// neither.
func didYouMean(prefix, word string, candidates []string, otherwise string) string {
	best, least := "", len(word)/3+2
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if word != "" && strings.HasPrefix(c, word) {
			d = 0
		}
		if d < least {
			best, least = c, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("\nhint: did you mean %s%s?", prefix, best)
	case otherwise != "":
		return "\nhint: " + otherwise
	}
	return ""
}

// distance is the least number of letters to insert, delete or replace, or of
// neighbours to swap, that turns a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return len(x) + len(y)
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			replace := rows[i-1][j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
