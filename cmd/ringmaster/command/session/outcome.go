package session

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/follow"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// wait shows a session until the work of a prompt is over, which o tells. The first signal interrupts the turn, the second one ends the command.
func wait(ctx context.Context, con *console.Console, session client.Session, since protocol.Cursor, o *follow.Outcome, asJSON bool) error {
	shown := follow.Following{
		Session: session, Since: since, Until: o.Line, Signalled: interrupting(con, session), Answers: true,
		Show: follow.Options{Form: follow.FormOf(asJSON), Session: console.ShortID(session.ID)},
	}
	return shown.Run(ctx, con)
}

// interrupting is the reaction to signals of a command that waits for a turn: the first one interrupts the turn, the
// second one ends the command.
func interrupting(con *console.Console, session client.Session) func(context.Context, int) error {
	return func(ctx context.Context, n int) error {
		if n > 1 {
			return exit.ErrStopped
		}
		text := "interrupting the turn; once more to quit"
		if waiting, err := waitingPrompts(ctx, session); err == nil && len(waiting) > 0 {
			text += "; " + nextText(session.ID, len(waiting))
		}
		con.Say(text)
		_, err := session.Interrupt(ctx)
		return err
	}
}
