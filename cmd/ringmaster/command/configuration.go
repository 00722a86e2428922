package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// newConfiguration makes the command config, and what is below it.
func newConfiguration(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The daemon's configuration: show it, read it again",
		Long: `The daemon's settings are the flags of ringmaster serve. What no flag says is taken from the environment ($RINGMASTER_LISTEN for --listen;
lists of folders as in $PATH, other lists with commas), then from the configuration file, ~/.config/ringmaster/config.toml:

  root = ["~/src", "/srv/work"]
  listen = "127.0.0.1:7433"
  stall-after = "10m"

What is no setting is refused.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster config print
  ringmaster config reload`,
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newConfigPrint(con, target), newConfigReload(con, target))
	return cmd
}

// configPrint is the command config print.
type configPrint struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
	flags  *settings.Flags
}

func newConfigPrint(con *console.Console, target *lifecycle.Target) *cobra.Command {
	c := &configPrint{con: con, target: target, flags: settings.NewFlags()}
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Print every setting as a daemon that is started now would have it, and where each is from",
		Long: `Print every setting as a daemon that is started now would have it, and where each is from, in the form of the configuration file. Takes
the flags of ringmaster serve.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster config print
  RINGMASTER_LOG_LEVEL=debug ringmaster config print --listen none`,
		RunE: c.run,
	}
	c.flags.AddTo(cmd)
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "as JSON")
	return cmd
}

func (c *configPrint) run(*cobra.Command, []string) error {
	s, err := c.target.Settings(c.flags)
	if err != nil {
		return err
	}
	c.flags.InBackground() // no root is needed to look
	cfg, err := c.target.DaemonConfig(s)
	if err != nil {
		return err
	}
	data, err := s.DataFolder(cfg.Folder.Path, c.target.Data)
	if err != nil {
		return err
	}
	list := append(s.List(), data)
	slices.SortFunc(list, func(a, b settings.Setting) int { return strings.Compare(a.Name, b.Name) })
	if c.asJSON {
		return json.NewEncoder(c.con.Out).Encode(list)
	}
	return c.print(s.File(), list)
}

func (c *configPrint) print(file settings.File, list []settings.Setting) error {
	there := "not there"
	if file.There {
		there = "read"
	}
	_, err := fmt.Fprintf(c.con.Out, "# %s (%s). Settings marked * change with ringmaster config reload, others with a restart.\n",
		terminal.Visible(file.Path), there)
	if err != nil {
		return err
	}
	var t console.Table
	for _, s := range list {
		mark := " "
		if s.Reload {
			mark = "*"
		}
		t.Wide(s.Name+" = "+s.Value, "# "+mark+" "+s.From)
	}
	return t.Print(c.con.Out)
}

// configReload is the command config reload.
type configReload struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

func newConfigReload(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &configReload{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Have the running daemon read its configuration again",
		Long: `Have the running daemon read its configuration again, with the flags and the environment that it was started with, as SIGHUP does. The
log level, roots that are added, the TLS certificate and --idle-exit change at once; of others it says that they need a restart. A
configuration that is not right changes nothing.`,
		Args:    console.Args(0, 0),
		Example: `  ringmaster config reload`,
		RunE:    r.run,
	}
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (r *configReload) run(cmd *cobra.Command, _ []string) error {
	c, err := r.target.Reach(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	done, err := c.Reload(client.WithRaw(cmd.Context(), &raw))
	if err != nil {
		return err
	}
	if r.asJSON {
		return console.PrintJSON(r.con.Out, raw)
	}
	if len(done.Applied)+len(done.Restart) == 0 {
		_, err = fmt.Fprintln(r.con.Out, "nothing has changed")
	}
	if len(done.Applied) > 0 {
		_, err = fmt.Fprintln(r.con.Out, "changed: "+strings.Join(done.Applied, ", "))
	}
	if len(done.Restart) > 0 && err == nil {
		_, err = fmt.Fprintln(r.con.Out, "need a restart: "+strings.Join(done.Restart, ", ")+" (ringmaster restart)")
	}
	return err
}
