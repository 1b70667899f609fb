package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

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

// versionText is one line: the version, the commit with its day, the Go release and
// the platform. What isn't known, as in a build without version control, is left out.
func versionText() string {
	version, commit := build()
	if commit != "" {
		version += " (" + commit + ")"
	}
	return fmt.Sprintf("hotpart %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// tool names this program in what it writes.
func tool() string {
	version, _ := build()
	return "hotpart " + version
}

// build is what the linker was told of the module and of version control.
func build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)", ""
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	if revision := vcs["vcs.revision"]; revision != "" {
		day, _, _ := strings.Cut(vcs["vcs.time"], "T")
		commit = strings.TrimSpace(revision[:min(12, len(revision))] + " " + day)
		if vcs["vcs.modified"] == "true" {
			commit += ", with local changes"
		}
	}
	return info.Main.Version, commit
}
