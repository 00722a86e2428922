package client

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
)

// Listens notes that the client has opened its stream of notifications, in the place of an older one.
func (x *Client) Listens(out *stream.Writer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.out == nil {
		close(x.opened)
	}
	x.out = out
	x.Forms.Wake()
}

// Leaves notes that a stream of notifications is over.
func (x *Client) Leaves(out *stream.Writer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.out == out {
		x.out, x.opened = nil, make(chan struct{})
		x.Forms.Wake()
	}
}

// Stream gives the client's stream of notifications; nil: it is not open.
func (x *Client) Stream() *stream.Writer {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out
}

// Listening gives the client's stream of notifications when it is open; nil: ctx is done.
func (x *Client) Listening(ctx context.Context) *stream.Writer {
	for {
		x.mu.Lock()
		out, opened := x.out, x.opened
		x.mu.Unlock()
		if out != nil {
			return out
		}
		select {
		case <-opened:
		case <-ctx.Done():
			return nil
		}
	}
}
