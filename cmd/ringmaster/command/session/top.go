package session

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/board"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/face"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/plain"
)

// top is the command of that name, and attach, which is top with one session alone.
type top struct {
	con    *console.Console
	target *lifecycle.Target
	quiet  bool
	plain  bool
}

// Top makes the command.
func Top(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &top{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Lead all sessions from this terminal: who needs you, why, and the answer in a key",
		Long: `Lead all sessions from this terminal. Those that need you come first, the longest waiting before all others: Space shows what is
asked, with its diff and why a person is asked, and y or n answers. Enter opens a session, p writes a prompt to it, s steers its
running turn, x interrupts it, and c makes a new one. w shows the prompts that wait, M, O and P choose the model, the mode and the
policy, i shows pictures, and / filters the list or searches a session. ? shows all keys. Esc leads back and never quits.

A bell and a notice of the desktop (OSC 9) tell of a session that needs you. ringmaster alone in a terminal is this command. With --plain nothing moves on the
screen: lines are written below each other, and numbers choose.`,
		Args:    console.Args(0, 0),
		Example: "  ringmaster top",
		RunE:    func(cmd *cobra.Command, _ []string) error { return t.run(cmd.Context(), "") },
	}
	t.flags(cmd)
	return cmd
}

// Attach makes the command.
func Attach(con *console.Console, target *lifecycle.Target) *cobra.Command {
	t := &top{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "attach SESSION",
		Short: "Lead one session from this terminal",
		Long: `Lead one session from this terminal: its log, live, with keys that answer what it asks (a), write prompts (p), steer (s) and
interrupt (x), search (/), and choose its queue's order (w), model (M), mode (O) and policy (P). ? shows all keys,
q quits. The session goes on without this command.`,
		Args:              console.Args(1, 1),
		Example:           "  ringmaster attach @last",
		ValidArgsFunction: completeSession(target),
		RunE:              func(cmd *cobra.Command, args []string) error { return t.run(cmd.Context(), args[0]) },
	}
	t.flags(cmd)
	return cmd
}

// Alone is what the program does without a command: top, in a terminal and where a daemon answers; else it shows its help.
func Alone(con *console.Console, target *lifecycle.Target) func(*cobra.Command, []string) error {
	t := &top{con: con, target: target}
	return func(cmd *cobra.Command, _ []string) error {
		if !face.Possible(con) {
			return cmd.Help()
		}
		c, err := target.Reach(cmd.Context())
		if err != nil {
			return cmd.Help()
		}
		c.Close()
		return t.run(cmd.Context(), "")
	}
}

func (t *top) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&t.quiet, "quiet", false, "no bell and no notice of the desktop")
	cmd.Flags().BoolVar(&t.plain, "plain", false, "by lines and numbers, for who has the screen read to them; also where TERM is dumb")
}

func (t *top) run(ctx context.Context, name string) error {
	cwd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("this folder: %w", err)
	}
	opt := board.Options{Quiet: t.quiet, Cwd: cwd}
	c, err := t.target.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if name != "" {
		if opt.Session, err = resolve(ctx, c, name); err != nil {
			return err
		}
	}
	if t.plain || os.Getenv("TERM") == "dumb" {
		return face.RunPlain(ctx, t.con, c, plain.Options{Session: opt.Session, Cwd: opt.Cwd, Quiet: t.quiet})
	}
	err = face.Run(ctx, t.con, c, opt)
	if errors.Is(err, exit.ErrDone) {
		return nil
	}
	return err
}
