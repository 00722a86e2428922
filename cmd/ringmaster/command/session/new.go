package session

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/limit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// newSession is the command new.
type newSession struct {
	con    *console.Console
	target *lifecycle.Target
	flags  newFlags
	prompt string
	asJSON bool
}

// New makes the command.
func New(con *console.Console, target *lifecycle.Target) *cobra.Command {
	n := &newSession{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "new --agent AGENT",
		Short: "Make a session and print its id",
		Args:  console.Args(0, 0),
		Example: `  ringmaster new --agent pi --cwd ~/src/project --title "tidy up"
  ringmaster new --agent claude --native 3ca2d9c7-fe8c-42ac-86bc-3adcd9de131c
  ringmaster new --agent opencode --endpoint http://127.0.0.1:4096
  id=$(ringmaster new -a scripted); ringmaster send $id hello; ringmaster tail $id`,
		RunE: n.run,
	}
	n.flags.add(cmd)
	cmd.Flags().StringVar(&n.prompt, "prompt", "", "the first prompt")
	cmd.Flags().BoolVar(&n.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (n *newSession) run(cmd *cobra.Command, _ []string) error {
	wanted, err := n.flags.session()
	if err != nil {
		return err
	}
	if n.prompt != "" {
		wanted.Prompt = &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: n.prompt}}
	}
	c, err := n.target.ConnectAt(cmd.Context(), wanted.Cwd, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	keepNativeTitle(cmd.Context(), c, &wanted)
	var raw json.RawMessage
	d, err := c.Create(client.WithRaw(cmd.Context(), &raw), wanted)
	if err != nil {
		return err
	}
	if n.asJSON {
		return console.PrintJSON(n.con.Out, raw)
	}
	limit.Warn(n.con.Err, d.Warnings)
	_, err = fmt.Fprintln(n.con.Out, d.ID)
	return err
}
