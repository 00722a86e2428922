package session

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// interrupt is the command of that name.
type interrupt struct {
	clear bool
}

// Interrupt makes the command.
func Interrupt(con *console.Console, target *lifecycle.Target) *cobra.Command {
	var i interrupt
	cmd := &cobra.Command{
		Use:   "interrupt SESSION",
		Short: "Stop the running turn of a session",
		Long: `Stop the running turn of a session. Prompts that wait come next, unless --clear takes them out of the queue first; what the agent
has taken already goes with the turn.`,
		Args: console.Args(1, 1),
		Example: `  ringmaster interrupt @last
  ringmaster interrupt 3f2a --clear`,
		ValidArgsFunction: completeSession(target),
		RunE: func(cmd *cobra.Command, args []string) error {
			return act(cmd.Context(), con, target, args[0], i.interrupt)
		},
	}
	cmd.Flags().BoolVar(&i.clear, "clear", false, "take the prompts that wait out of the queue as well")
	return cmd
}

func (i *interrupt) interrupt(ctx context.Context, session client.Session) (string, error) {
	var taken []string
	waiting, err := waitingPrompts(ctx, session)
	if err != nil {
		return "", err
	}
	if i.clear { // before the interrupt: none of them may begin a turn in between
		if taken, err = clearPrompts(ctx, session, waiting); err != nil {
			return "", err
		}
	}
	turn, err := session.Interrupt(ctx)
	text := "interrupting " + turn
	if turn == "" {
		text = "nothing was running"
	}
	switch {
	case len(taken) > 0:
		text += "; taken from the queue: " + strings.Join(taken, ", ")
	case !i.clear && len(waiting) > 0:
		text += "; " + nextText(session.ID, len(waiting))
	}
	return text, err
}

// waitingPrompts are the ids of the prompts in the queue that have not gone to the agent.
func waitingPrompts(ctx context.Context, session client.Session) ([]string, error) {
	d, err := session.Show(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, q := range d.Queue {
		if !q.Sent && q.Origin == "" {
			list = append(list, q.PromptID)
		}
	}
	return list, nil
}

// clearPrompts takes prompts out of the queue; taken are those that were still there.
func clearPrompts(ctx context.Context, session client.Session, list []string) (taken []string, err error) {
	for _, prompt := range list {
		err := session.Cancel(ctx, prompt)
		var problem *protocol.Problem
		if errors.As(err, &problem) && (problem.Code == protocol.CodePromptNotFound || problem.Code == protocol.CodeConflict) {
			continue // it has begun, or gone to the agent
		}
		if err != nil {
			return taken, err
		}
		taken = append(taken, prompt)
	}
	return taken, nil
}

// nextText says what becomes of prompts that wait behind an interrupted turn.
func nextText(id string, waiting int) string {
	what := "1 prompt waits and comes next"
	if waiting > 1 {
		what = strconv.Itoa(waiting) + " prompts wait and come next"
	}
	return what + ", unless you take them out: ringmaster interrupt " + console.ShortID(id) + " --clear"
}
