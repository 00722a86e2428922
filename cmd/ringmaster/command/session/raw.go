package session

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// raw is the command of that name.
type raw struct {
	con   *console.Console
	query client.RawQuery
}

// Raw makes the command.
func Raw(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &raw{con: con}
	cmd := &cobra.Command{
		Use:   "raw SESSION",
		Short: "Print the native lines of a session's agent, both ways",
		Long: `Print what went over the connections to a session's agent, as it was, one JSON object per line: what the agent said (dir
out), what it was told (in), its last words on standard error (err), and where connections begin and end (meta). from and to are the events
that a line's batch became. It is a recording: ringmaster import makes a log of it.`,
		Args: console.Args(1, 1),
		Example: `  ringmaster raw @last | jq -c .data
  ringmaster raw 3f2a --from 40 --to 44
  ringmaster raw @last | ringmaster import --agent pi -`,
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, r.run),
	}
	f := cmd.Flags()
	f.Uint64Var(&r.query.From, "from", 0, "only lines that became this event or later ones")
	f.Uint64Var(&r.query.To, "to", 0, "only lines that became this event or earlier ones")
	f.StringVar(&r.query.Dir, "dir", "", "only out, in, err, meta or note")
	console.CompleteWords(cmd, "dir", "out", "in", "err", "meta", "note")
	return cmd
}

func (r *raw) run(ctx context.Context, session client.Session, _ []string) error {
	lines, err := session.Raw(ctx, r.query)
	if err != nil {
		return err
	}
	defer func() { _ = lines.Close() }()
	if lines.First > 1 && r.query.From == 0 {
		_, _ = fmt.Fprintf(r.con.Err, "ringmaster: the archive begins with line %d: it is bounded\n", lines.First)
	}
	return copyLog(r.con.Out, lines)
}
