package client

import (
	"cmp"
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Prompt is a prompt that is wanted: text, images or both.
type Prompt struct {
	Text              string
	Images            []resource.PromptImage // for agents with the capability images
	StreamingBehavior protocol.Behavior      // while a turn runs. Steer: goes into it; FollowUp (also when empty): waits for its end
	ClientID          string                 // who asks, for the log; empty: as Named says
	Notify            string                 // "prompt": once this prompt is settled, the session that this one works for gets a prompt that says so
	Key               string                 // of idempotency, at most 128 bytes; empty: one of its own
}

// Prompt sends a prompt, and returns when the daemon has it. The prompt has a key, by which the daemon knows one that is sent twice: where the
// connection is lost before the answer, Prompt sends it again, for as long as Patience says, and no second turn comes of it. A prompt with the Key of an
// earlier one of this session gets that one's receipt, with Repeated, and with what Became of that one since. The problem uncertain says that the session's log
// is damaged and may have had the prompt.
//
// When Prompt gives up, the error is an *Unreachable whose Sent says that the prompt may have been taken: Prompt with the same Key finds out.
func (s Session) Prompt(ctx context.Context, p Prompt) (receipt resource.PromptAccepted, err error) {
	body := resource.NewPrompt{
		Text: p.Text, Images: p.Images, StreamingBehavior: p.StreamingBehavior, ClientID: cmp.Or(p.ClientID, s.client.name), Notify: p.Notify,
	}
	err = s.client.once(ctx, call{method: http.MethodPost, path: s.path("prompts"), body: body}, keyOf(ctx, p.Key), &receipt)
	return receipt, err
}

// Prompts lists the prompts that wait, in order.
func (s Session) Prompts(ctx context.Context) ([]resource.WaitingPrompt, error) {
	var list resource.PromptList
	err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("prompts")}, &list)
	return list.Prompts, err
}

// Spot is where a prompt of the queue is moved to: before another one or, where that is empty, to a position from 1.
type Spot struct {
	Before   string
	Position int // 0: the end
}

// Move gives a prompt that waits another place; position is the new one, from 1.
func (s Session) Move(ctx context.Context, prompt string, to Spot) (position int, err error) {
	body := map[string]any{"before": nil}
	switch {
	case to.Before != "":
		body["before"] = to.Before
	case to.Position > 0:
		body = map[string]any{"position": to.Position}
	}
	var moved resource.PromptMoved
	err = s.client.change(ctx, call{method: http.MethodPost, path: s.path("prompts", prompt, "move"), body: body}, &moved)
	return moved.Position, err
}

// Cancel takes a prompt out of the queue.
func (s Session) Cancel(ctx context.Context, prompt string) error {
	return s.client.change(ctx, call{method: http.MethodDelete, path: s.path("prompts", prompt)}, nil)
}
