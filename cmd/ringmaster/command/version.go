package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// newVersion makes the command version.
func newVersion(con *console.Console, _ *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Args:    console.Args(0, 0),
		Example: `  ringmaster version`,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(con.Out, versionLine(con.Version))
			return err
		},
	}
}

func versionLine(version string) string {
	return fmt.Sprintf("ringmaster %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionFlag gives a command and all below it --version, as people try it anywhere.
func versionFlag(c *cobra.Command, version string) {
	c.Version = version
	c.InitDefaultVersionFlag() // now: else a word behind it is taken for its value where it stands before other flags
	c.SetVersionTemplate(versionLine(version) + "\n")
	for _, sub := range c.Commands() {
		versionFlag(sub, version)
	}
}

// released is the version of a build that has no commit, as in a container: -ldflags "-X …/command.released=v1.2.3".
var released string

// buildVersion is what the build was told, or the module's version, or the commit that was built.
func buildVersion() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if commit == "" {
		return "devel"
	}
	return "devel-" + commit[:min(12, len(commit))] + modified
}
