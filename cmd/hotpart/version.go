package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what it was built from",
		Args:  needs(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, versionText())
			return err
		},
	}
}

// versionText is one line: the version, the commit, the Go release and platform.
func versionText() string {
	version, revision, modified := build()
	text := "hotpart " + version
	if revision != "" {
		text += " (" + revision[:min(12, len(revision))]
		if modified {
			text += ", with local changes"
		}
		text += ")"
	}
	return fmt.Sprintf("%s %s %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// tool names this program in what it writes.
func tool() string {
	version, _, _ := build()
	return "hotpart " + version
}

func build() (version, revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)", "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return info.Main.Version, revision, modified
}
