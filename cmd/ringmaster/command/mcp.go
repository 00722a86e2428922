package command

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/bridge"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// mcp is the command of that name.
type mcp struct {
	con    *console.Console
	target *lifecycle.Target
	roots  []string
	compat bool
	texts  settings.MaxText
}

func newMCP(con *console.Console, target *lifecycle.Target) *cobra.Command {
	m := &mcp{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP over standard input and output, for hosts that start their servers",
		Long: `Carries MCP between standard input and output and the daemon. Where none runs for the data folder, one is started with
the folders of --root; it stays when this command ends, as its sessions do. One that runs already gets these folders as well. When it is
killed, the next call starts it again.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster mcp --root ~/src
  claude mcp add ringmaster -- ringmaster mcp --root ~/src`,
		RunE: m.run,
	}
	cmd.Flags().StringArrayVar(&m.roots, "root", nil, "agents may work inside this folder; may be repeated")
	cmd.Flags().BoolVar(&m.compat, "mcp-compat", false, "also give the host the one tool session, with an action, that an earlier system had")
	m.texts.AddTo(cmd.Flags())
	_ = cmd.MarkFlagDirname("root")
	return cmd
}

func (m *mcp) run(cmd *cobra.Command, _ []string) error {
	if _, err := m.texts.Bytes(); err != nil {
		return err
	}
	k, err := newKeeper(m.con, m.target, m.roots)
	if err != nil {
		return err
	}
	defer k.close()
	k.flags = m.texts.Given(cmd)
	if _, err := k.reach(cmd.Context(), calling); err != nil {
		return err
	}
	return bridge.Run(cmd.Context(), asking(k.mcp, m.compat), m.con.In, m.con.Out, m.con.Err)
}

// compatHeader asks the daemon for the one tool of an earlier system.
const compatHeader = "Ringmaster-Mcp-Compat"

// asking is a daemon that is asked for the tool of an earlier system, where that is wanted.
func asking(daemon bridge.Daemon, compat bool) bridge.Daemon {
	if !compat {
		return daemon
	}
	return func(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
		header = header.Clone()
		header.Set(compatHeader, "true")
		return daemon(ctx, method, header, body)
	}
}
