package main

import (
	"os"

	"golang.org/x/term"
)

// terminal reports whether the result goes to a terminal that can show a
// dashboard, and if not why.
func (a app) terminal() (ok bool, why string) {
	file, isFile := a.out.(*os.File)
	switch {
	case !isFile || !term.IsTerminal(int(file.Fd())):
		return false, "stdout is not a terminal"
	case a.env("TERM") == "dumb":
		return false, "the terminal is dumb (TERM=dumb)"
	}
	return true, ""
}
