package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// ID is how the log names what was done with this program.
const ID = "ringmaster"

// Send sends a prompt. A key that was used before in this session gives the earlier receipt and no second turn.
func (s Session) Send(ctx context.Context, p resource.NewPrompt, key string) (r resource.PromptAccepted, raw json.RawMessage, err error) {
	p.ClientID = ID
	raw, err = s.client.raw(ctx, call{method: http.MethodPost, path: s.path("prompts"), body: p, header: keyHeader(key)})
	if err != nil {
		return resource.PromptAccepted{}, nil, err
	}
	return r, raw, decode(raw, &r)
}

func keyHeader(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"Idempotency-Key": {key}}
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
	err = s.client.into(ctx, call{method: http.MethodPost, path: s.path("prompts", prompt, "move"), body: body}, &moved)
	return moved.Position, err
}

// Cancel takes a prompt out of the queue.
func (s Session) Cancel(ctx context.Context, prompt string) error {
	return s.client.into(ctx, call{method: http.MethodDelete, path: s.path("prompts", prompt)}, nil)
}

// Answer answers a request; the first answer wins.
func (s Session) Answer(ctx context.Context, request string, a resource.RequestAnswer) (done resource.RequestResolution, err error) {
	a.ClientID = ID
	err = s.client.into(ctx, call{method: http.MethodPost, path: s.path("requests", request), body: a}, &done)
	return done, err
}
