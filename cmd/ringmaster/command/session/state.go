package session

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// state is the command of that name.
type state struct {
	con *console.Console
	at  cursorFlag
}

// State makes the command.
func State(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &state{con: con}
	cmd := &cobra.Command{
		Use:   "state SESSION",
		Short: "Print what a session's log says, folded up to now or to a cursor",
		Args:  console.Args(1, 1),
		Example: `  ringmaster state @last | jq .turns
  ringmaster state 3f2a --at 120`,
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, s.run),
	}
	cmd.Flags().Var(&s.at, "at", "the state after this event")
	return cmd
}

func (s *state) run(ctx context.Context, session client.Session, _ []string) error {
	var raw json.RawMessage
	if _, err := session.State(client.WithRaw(ctx, &raw), s.at.Cursor); err != nil {
		return err
	}
	return console.PrintJSON(s.con.Out, raw)
}
