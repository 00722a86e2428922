package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/follow"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// send is the command of that name.
type send struct {
	con                           *console.Console
	target                        *lifecycle.Target
	steer, followUp, wait, asJSON bool
	images                        []string
	key                           string
}

// Send makes the command.
func Send(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &send{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "send SESSION TEXT…|-",
		Short: "Send a prompt to a session",
		Long: `Send a prompt to a session. While a turn runs, a prompt waits for its end (--follow-up, the default) or goes into it
(--steer). The text - is read from standard input.`,
		Args: console.Args(1, -1),
		Example: `  ringmaster send @last "now write a test for it"
  ringmaster send 3f2a --steer "not that file"
  git diff | ringmaster send @last - --wait
  ringmaster send @last --image shot.png "what is wrong here?"`,
		ValidArgsFunction: completeSession(target),
		RunE:              s.run,
	}
	f := cmd.Flags()
	f.BoolVar(&s.steer, "steer", false, "into the running turn")
	f.BoolVar(&s.followUp, "follow-up", false, "after the running turn")
	f.StringArrayVar(&s.images, "image", nil, "picture to send along (PNG, JPEG, GIF or WebP); may be repeated")
	f.StringVar(&s.key, "key", "", "idempotency key: the same key never makes a second turn")
	f.BoolVar(&s.wait, "wait", false, "show the turn, and exit as run does")
	f.BoolVar(&s.asJSON, "json", false, "the daemon's answer, or the events, as they are")
	_ = cmd.MarkFlagFilename("image", "png", "jpg", "jpeg", "gif", "webp")
	return cmd
}

func (s *send) run(cmd *cobra.Command, args []string) error {
	prompt, err := readPrompt(s.con.Input(cmd.Context()), args[1:], s.images)
	if err != nil {
		return err
	}
	switch {
	case s.steer && s.followUp:
		return exit.Usagef("--steer and --follow-up exclude each other")
	case s.steer:
		prompt.StreamingBehavior = protocol.Steer
	case s.followUp:
		prompt.StreamingBehavior = protocol.FollowUp
	}
	ctx := cmd.Context()
	c, session, err := open(ctx, s.target, args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	if s.wait {
		s.con.Signals.Take() // they are for the turn, which may begin at once
	}
	var raw json.RawMessage
	r, err := session.Prompt(client.WithRaw(ctx, &raw), client.Prompt{
		Text: prompt.Text, Images: prompt.Images, StreamingBehavior: prompt.StreamingBehavior, Key: s.key,
	})
	if err != nil {
		return err
	}
	if s.wait {
		return s.follow(ctx, session, r)
	}
	if s.asJSON {
		return console.PrintJSON(s.con.Out, raw)
	}
	_, err = fmt.Fprintf(s.con.Out, "%s accepted%s; follow it with: ringmaster tail %s --since %s\n", r.PromptID, placeText(r), session.ID, r.Cursor)
	return err
}

// follow follows a session until the work of a prompt is over that was sent.
func (s *send) follow(ctx context.Context, session client.Session, r resource.PromptAccepted) error {
	since, err := protocol.ParseCursor(r.Cursor)
	if err != nil {
		return fmt.Errorf("the daemon's answer: %w", err)
	}
	o := follow.Outcome{PromptID: r.PromptID}
	if err := wait(ctx, s.con, session, since, &o, s.asJSON); err != nil {
		return err
	}
	return o.Result()
}

func placeText(r resource.PromptAccepted) string {
	switch {
	case r.Repeated:
		return " before, with the same key"
	case r.Position > 0:
		return fmt.Sprintf(", %d in the queue", r.Position)
	}
	return ""
}
