package session

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/follow"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// tail is the command of that name.
type tail struct {
	con                *console.Console
	target             *lifecycle.Target
	since              cursorFlag
	asJSON, human, raw bool
}

// Tail makes the command.
func Tail(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &tail{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "tail SESSION",
		Short: "Follow a session live",
		Long: `Follow a session live, from its beginning or from a cursor, until it ends. On a terminal the log is shown for people,
with a line per tool and what the agent is doing now, and keys answer what it asks; otherwise as JSON lines. Lost connections are
taken up again.

Control characters and escape sequences of agents and users are taken out, and what changes the direction of text is
shown escaped; --raw shows texts as the agent wrote them.`,
		Args: console.Args(1, 1),
		Example: `  ringmaster tail @last
  ringmaster tail 3f2a --since 120 --json | jq -r .type`,
		ValidArgsFunction: completeSession(target),
		RunE:              t.run,
	}
	f := cmd.Flags()
	f.Var(&t.since, "since", "only what follows this cursor")
	f.BoolVar(&t.asJSON, "json", false, "JSON lines, also on a terminal")
	f.BoolVar(&t.human, "human", false, "for people, also where there is no terminal")
	f.BoolVar(&t.raw, "raw", false, "for people, with texts as the agent wrote them")
	return cmd
}

func (t *tail) run(cmd *cobra.Command, args []string) error {
	if t.asJSON && (t.human || t.raw) {
		return exit.Usagef("--json excludes --human and --raw")
	}
	opt := follow.Options{Raw: t.raw}
	switch {
	case t.asJSON:
		opt.Form = follow.JSON
	case t.human || t.raw:
		opt.Form = follow.Human
	}
	c, session, err := open(cmd.Context(), t.target, args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	opt.Session = console.ShortID(session.ID) // what is copied from a hint must not mean another session later
	t.con.Signals.Take()
	shown := follow.Following{
		Session: session, Since: t.since.Cursor, Show: opt, Answers: true,
		Signalled: func(context.Context, int) error { return exit.ErrDone },
	}
	return shown.Run(cmd.Context(), t.con)
}
