package client

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Stream is one connection that tells of many sessions (spec §7.13). A Mirror reads it and keeps what it tells; a program that reads it by itself gets
// frames whose id is SESSION/CURSOR and whose data is the log's line, and signals without an id. It is not safe for concurrent use.
type Stream struct {
	frames *protocol.SSEReader
	resp   *http.Response
	client *Client
	ctx    context.Context //nolint:containedctx // of the request, which the stream belongs to
}

// Stream opens a connection that tells of many sessions. It is not taken up again when it is lost.
func (c *Client) Stream(ctx context.Context, want resource.StreamRequest) (*Stream, error) {
	resp, err := c.do(ctx, streamCall(want)) //nolint:bodyclose // Close does
	if err != nil {
		return nil, err
	}
	return &Stream{protocol.NewSSEReader(resp.Body, 0), resp, c, ctx}, nil
}

func streamCall(want resource.StreamRequest) call {
	return call{method: http.MethodPost, path: "/stream", body: want, header: http.Header{"Accept": {"text/event-stream"}}}
}

// Next reads the next frame, which is good until the next call. The error is *Unreachable when the connection is lost, or the cause of the context.
func (s *Stream) Next() (protocol.SSEFrame, error) {
	frame, err := s.frames.Next()
	if err != nil {
		return protocol.SSEFrame{}, s.client.broken(s.ctx, err)
	}
	return frame, nil
}

// Close ends the connection.
func (s *Stream) Close() error { return s.resp.Body.Close() }
