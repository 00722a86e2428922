package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

func (p *Program) configuration() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The daemon's configuration: show it, read it again",
		Long: `The daemon's settings are the flags of ringmaster serve. What no flag says is taken from the environment ($RINGMASTER_LISTEN for --listen;
lists of folders as in $PATH, other lists with commas), then from the configuration file, ~/.config/ringmaster/config.toml:

  root = ["~/src", "/srv/work"]
  listen = "127.0.0.1:7433"
  stall-after = "10m"

What is no setting is refused.`,
		Args: args(0, 0),
		Example: `  ringmaster config print
  ringmaster config reload`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	sub := func(c *cobra.Command) {
		p.begin(c)
		cmd.AddCommand(c)
	}
	sub(p.configPrint())
	sub(p.configReload())
	return cmd
}

// printed is a setting as config print shows it.
type printed struct {
	Name   string `json:"name"`
	Value  string `json:"value"` // as it stands in the file
	From   string `json:"from"`
	Reload bool   `json:"reload"` // it can change while a daemon runs
}

func (p *Program) configPrint() *cobra.Command {
	var asJSON bool
	var flags serveFlags
	var set *pflag.FlagSet
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Print every setting as a daemon that is started now would have it, and where each is from",
		Long: `Print every setting as a daemon that is started now would have it, and where each is from, in the form of the configuration file. Takes
the flags of ringmaster serve.`,
		Args: args(0, 0),
		Example: `  ringmaster config print
  RINGMASTER_LOG_LEVEL=debug ringmaster config print --listen none`,
		RunE: func(*cobra.Command, []string) error {
			s, err := p.settingsOf(&flags, set)
			if err != nil {
				return err
			}
			flags.background = true // no root is needed to look
			if _, err := p.serveConfig(s); err != nil {
				return err
			}
			list := []printed{}
			s.set.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden {
					list = append(list, printed{f.Name, settings.Written(f), s.from[f.Name], slices.Contains(live, f.Name)})
				}
			})
			data, err := p.dataSetting(s)
			if err != nil {
				return err
			}
			list = append(list, data)
			slices.SortFunc(list, func(a, b printed) int { return strings.Compare(a.Name, b.Name) })
			if asJSON {
				return json.NewEncoder(p.Out).Encode(list)
			}
			return p.printSettings(s.file, list)
		},
	}
	set = flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// dataSetting is the data folder, which is no flag of the daemon alone.
func (p *Program) dataSetting(s *daemonSettings) (printed, error) {
	folder, err := p.folder()
	if err != nil {
		return printed{}, err
	}
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.String(settings.Data, folder.Path, "")
	from, err := s.fromData(p.data)
	return printed{settings.Data, settings.Written(f.Lookup(settings.Data)), from, false}, err
}

func (s *daemonSettings) fromData(flag string) (string, error) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.StringVar(&flag, settings.Data, flag, "")
	f.Lookup(settings.Data).Changed = flag != ""
	from, err := settings.Resolve(f, s.file.Only(settings.Data))
	return from[settings.Data], err
}

func (p *Program) printSettings(file settings.File, list []printed) error {
	there := "not there"
	if file.There {
		there = "read"
	}
	_, err := fmt.Fprintf(p.Out, "# %s (%s). Settings marked * change with ringmaster config reload, others with a restart.\n",
		terminal.Visible(file.Path), there)
	if err != nil {
		return err
	}
	var t table
	for _, s := range list {
		mark := " "
		if s.Reload {
			mark = "*"
		}
		t.wide(s.Name+" = "+s.Value, "# "+mark+" "+s.From)
	}
	return t.print(p.Out)
}

func (p *Program) configReload() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Have the running daemon read its configuration again",
		Long: `Have the running daemon read its configuration again, with the flags and the environment that it was started with, as SIGHUP does. The
log level, roots that are added, the TLS certificate and --idle-exit change at once; of others it says that they need a restart. A
configuration that is not right changes nothing.`,
		Args:    args(0, 0),
		Example: `  ringmaster config reload`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.reach(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			done, raw, err := c.Reload(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			if len(done.Applied)+len(done.Restart) == 0 {
				_, err = fmt.Fprintln(p.Out, "nothing has changed")
			}
			if len(done.Applied) > 0 {
				_, err = fmt.Fprintln(p.Out, "changed: "+strings.Join(done.Applied, ", "))
			}
			if len(done.Restart) > 0 && err == nil {
				_, err = fmt.Fprintln(p.Out, "need a restart: "+strings.Join(done.Restart, ", ")+" (ringmaster restart)")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}
