package robust

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// agentClient is an MCP client of revision 2025-11-25: what it watches is pushed to it, and it polls as well.
type agentClient struct {
	pushes, polls *observer
}

// bearer adds the token.
type bearer struct {
	http.RoundTripper
	secret string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return b.RoundTripper.RoundTrip(r)
}

// connect opens an MCP session. pushed is called for every item, one after the other.
func connect(ctx context.Context, d *daemon, pushed func(protocol.SessionEvent)) (*sdk.ClientSession, error) {
	opts := &sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // the old era
			var it protocol.SessionEvent
			raw, err := json.Marshal(r.Params.Data)
			if err == nil && json.Unmarshal(raw, &it) == nil {
				pushed(it)
			}
		},
	}
	return sdk.NewClient(&sdk.Implementation{Name: "robust", Version: "1"}, opts).Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: d.address + "/mcp", HTTPClient: &http.Client{Transport: bearer{d.http.Transport, d.secret}}, MaxRetries: -1,
		DisableStandaloneSSE: pushed == nil,
	}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
}

// follow watches and polls until ctx is done or the daemon is dead.
func (c *agentClient) follow(ctx context.Context, d *daemon, sessions []string) error {
	cs, err := connect(ctx, d, func(it protocol.SessionEvent) {
		c.pushes.shown(it.SessionID, protocol.Cursor{Epoch: 1, Seq: it.Seq}, audit.HashOfItem(it))
	})
	if err != nil {
		return nil // the daemon is dead
	}
	defer cs.Close()
	if cs.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "info"}) != nil { //nolint:staticcheck // the old era
		return nil
	}
	for _, s := range sessions {
		at := c.pushes.open(s)
		if alive, err := call(ctx, cs, "session_watch", map[string]any{"session_id": s, "since_index": int(at.Seq) - 1}, new(struct{})); !alive || err != nil {
			return err
		}
	}
	for {
		for _, s := range sessions {
			at := c.polls.open(s)
			page, alive, err := events(ctx, cs, s, at)
			if !alive || err != nil {
				return err
			}
			if page.Reset {
				c.polls.note(audit.Reset, s, at, 0)
				c.polls.move(s, protocol.Cursor{})
				continue
			}
			for _, it := range page.Events {
				if it.Index != int(it.Seq)-1 {
					return fmt.Errorf("%w: an item of event %d has the index %d", audit.ErrAgreeing, it.Seq, it.Index)
				}
				c.polls.shown(s, protocol.Cursor{Epoch: page.Epoch, Seq: it.Seq}, audit.HashOfItem(it))
			}
		}
		if !pause(ctx, pollEvery) {
			return nil
		}
	}
}

// page is an answer of session_events.
type page struct {
	Events    []protocol.SessionEvent `json:"events"`
	LastIndex int                     `json:"last_index"`
	HasMore   bool                    `json:"has_more"`
	Epoch     uint64                  `json:"epoch"`
	Reset     bool                    `json:"reset"`
}

// events polls once.
func events(ctx context.Context, cs *sdk.ClientSession, session string, at protocol.Cursor) (p page, alive bool, err error) {
	alive, err = call(ctx, cs, "session_events", map[string]any{
		"session_id": session, "since_index": int(at.Seq) - 1, "epoch": at.Epoch, "max_events": 1000,
	}, &p)
	return p, alive, err
}

// call calls a tool. The error is what the tool said; a daemon that is dead, or being ended, says nothing.
func call(ctx context.Context, cs *sdk.ClientSession, tool string, in, out any) (alive bool, err error) {
	res, err := cs.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return false, nil
	}
	if res.IsError {
		said, err := json.Marshal(res.Content)
		if err == nil && !bytes.Contains(said, []byte(protocol.CodeUnavailable)) {
			err = fmt.Errorf("%s: %s", tool, said)
		}
		return err != nil, err
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	return true, err
}
