package session

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// log is the command of that name.
type log struct {
	con     *console.Console
	since   cursorFlag
	settled bool
}

// Log makes the command.
func Log(con *console.Console, target *lifecycle.Target) *cobra.Command {
	l := &log{con: con}
	cmd := &cobra.Command{
		Use:   "log SESSION",
		Short: "Print a session's log as NDJSON",
		Long: `Print a session's log as NDJSON: whole, or as a patch that continues what was read up to a cursor. A patch appended to
what it continues is byte for byte the whole log.`,
		Args: console.Args(1, 1),
		Example: `  ringmaster log @last > log.ndjson
  ringmaster log 3f2a --since $(tail -1 log.ndjson | jq .seq) >> log.ndjson
  ringmaster log @last --settled | jq -r 'select(.type == "entry_end") | .data.text // empty'`,
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, l.run),
	}
	cmd.Flags().Var(&l.since, "since", "only what follows this cursor")
	cmd.Flags().BoolVar(&l.settled, "settled", false, "without the deltas of closed entries; the numbers stay")
	return cmd
}

func (l *log) run(ctx context.Context, session client.Session, _ []string) error {
	part, err := session.OpenLog(ctx, client.LogQuery{Since: l.since.Cursor, Settled: l.settled})
	if err != nil {
		return err
	}
	defer func() { _ = part.Close() }()
	if err := copyLog(l.con.Out, part); err != nil || part.Damage == "" {
		return err
	}
	return protocol.NewProblem(protocol.CodeDamaged, "The log ends early: "+part.Damage+".", "Its last line says so too, and is no event.")
}
