package command

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// status is the command of that name.
type status struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

func newStatus(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &status{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether a daemon runs, where, and what it is doing",
		Long:  "Say whether a daemon runs, where, and what it is doing. The exit code is 5 where none does.",
		Args:  console.Args(0, 0),
		Example: `  ringmaster status
  ringmaster status --json | jq -r .http`,
		RunE: s.run,
	}
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "as JSON")
	return cmd
}

func (s *status) run(cmd *cobra.Command, _ []string) error {
	folder, err := s.target.Local("status")
	if err != nil {
		return err
	}
	c, err := s.target.Reach(cmd.Context())
	var away *client.Unreachable
	switch {
	case err == nil:
		defer c.Close()
		state, err := stateOf(cmd.Context(), folder, c)
		if err != nil {
			return err
		}
		if s.asJSON {
			return json.NewEncoder(s.con.Out).Encode(state)
		}
		return state.print(s.con)
	case !errors.As(err, &away):
		return err
	}
	if pid, held := folder.Holder(); held {
		silent := &client.Unreachable{Where: fmt.Sprintf("%s (process %d)", folder.Path, pid), Err: errors.New("it holds the data folder")}
		return exit.WithHint(silent, "ringmaster logs shows why; ringmaster down ends it")
	}
	if s.asJSON {
		err = json.NewEncoder(s.con.Out).Encode(daemonState{Data: folder.Path, Roots: folder.Remembered()})
	} else {
		_, err = fmt.Fprintf(s.con.Out, "no daemon runs for %s\n  next    ringmaster up, or any command that needs one\n", folder.Path)
	}
	if err != nil {
		return err
	}
	return &exit.Error{Code: exit.NoDaemon}
}
