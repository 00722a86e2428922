package client

import (
	"context"
	"iter"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Log reads a session's log; it is short for Session(id).Log.
func (c *Client) Log(ctx context.Context, id string, since protocol.Cursor) iter.Seq2[Line, error] {
	return c.Session(id).Log(ctx, since)
}

// Follow reads a session's log live; it is short for Session(id).Follow.
func (c *Client) Follow(ctx context.Context, id string, since protocol.Cursor) iter.Seq2[Update, error] {
	return c.Session(id).Follow(ctx, since)
}

// Prompt sends a prompt to a session; it is short for Session(id).Prompt.
func (c *Client) Prompt(ctx context.Context, id string, p Prompt) (resource.PromptAccepted, error) {
	return c.Session(id).Prompt(ctx, p)
}
