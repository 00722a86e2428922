package control

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cancelGrace is how long Call waits for the session's word on a call that was given up.
const cancelGrace = 5 * time.Second

// Call has a client carry out a tool that it offers to the session's agent, and waits for the answer as long as the context lasts. When it ends, or
// the context's caller does, the session is told, and its word on how the call has ended counts. key tells calls apart; failure says why
// the caller gives no answer, and is empty where it is the agent that waits no more.
func (d *Door) Call(ctx context.Context, id string, c session.CallTool, failure func() string) (session.ToolAnswer, error) {
	var asked []ask.Reply[session.ToolAnswer]
	a, err := question(ctx, d, id, func(r ask.Reply[session.ToolAnswer]) session.Message {
		asked = append(asked, r)
		call := c
		return &session.Asked[session.ToolAnswer]{Reply: r, Question: &call}
	})
	if err == nil || ctx.Err() == nil {
		return a, err
	}
	end := &session.CancelCall{Key: c.Key, Failure: failure()}
	if len(asked) == 0 {
		return session.ToolAnswer{Outcome: protocol.OutcomeFailed, Message: end.Failure}, nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancel()
	if ref, err := d.sessions.Find(last, id); err == nil {
		ref.Send(session.Say(end))
	}
	return asked[len(asked)-1].Wait(last)
}
