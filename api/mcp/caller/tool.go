package caller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	maxCallArguments = 256 << 10       // bytes
	cancelGrace      = 5 * time.Second // for word of a call's end to reach its session
)

// callerTool is the handler of a caller's tool: the call becomes a request of the session, and waits for its answer.
func (c *Callers) callerTool(key offerKey, tool string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args, err := callArguments(req.Params.Arguments)
		if err != nil {
			return call.Failed(c.cfg.Tell.Tool(req.Params.Name, err)), nil
		}
		defer call.Waiting(ctx, req, "waiting for "+key.callerID)()
		a, err := c.callCaller(ctx, key, session.CallTool{CallerID: key.callerID, Tool: tool, Arguments: args, Within: c.cfg.Within})
		if err != nil {
			return call.Failed(c.cfg.Tell.Tool(req.Params.Name, err)), nil
		}
		return c.answerOf(&a, key.callerID), nil
	}
}

// callArguments are a call's arguments as they go into the log.
func callArguments(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "{}", nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.Bytes()[0] != '{' {
		return "", problem.Invalid("The arguments are no object.", "Pass what the tool's inputSchema says.")
	}
	if b.Len() > maxCallArguments {
		return "", problem.TooLarge("What a caller's tool is called with", maxCallArguments)
	}
	return b.String(), nil
}

// callCaller asks the session for a call and waits for its answer. Where the agent gives up, or the caller goes, the session
// is told, and its word on how the call has ended counts.
func (c *Callers) callCaller(ctx context.Context, key offerKey, what session.CallTool) (session.ToolAnswer, error) {
	number, life, there := c.calling(key)
	if !there {
		return session.ToolAnswer{Outcome: protocol.OutcomeFailed, Message: callerGone}, nil
	}
	// An agent does not reach its own session: it is the daemon that asks for it.
	ctx = access.With(ctx, access.Daemon)
	wait, give := context.WithCancelCause(ctx)
	defer give(nil)
	defer context.AfterFunc(life, func() { give(context.Cause(life)) })()
	what.Key = number
	return c.cfg.Door.Call(wait, key.sessionID, what, func() string {
		if ctx.Err() != nil {
			return "" // the agent waits no more
		}
		return context.Cause(wait).Error()
	})
}

// answerOf is what the agent gets. A result that is one of MCP's own is passed on as it is, a string becomes text, and anything
// else JSON.
func (c *Callers) answerOf(a *session.ToolAnswer, callerID string) *sdk.CallToolResult {
	switch a.Outcome {
	case protocol.OutcomeAnswered:
		var given struct {
			Content []json.RawMessage `json:"content"`
		}
		var own sdk.CallToolResult
		if json.Unmarshal(a.Result, &given) == nil && given.Content != nil && json.Unmarshal(a.Result, &own) == nil {
			return &sdk.CallToolResult{Content: own.Content, StructuredContent: own.StructuredContent, IsError: own.IsError}
		}
		text := string(a.Result)
		var plain string
		if json.Unmarshal(a.Result, &plain) == nil && text != "null" {
			text = plain
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	case protocol.OutcomeFailed:
		return call.Failed(errors.New(a.Message))
	case protocol.OutcomeExpired:
		return call.Failed(fmt.Errorf("%s has not answered within %d s", callerID, c.cfg.Within/time.Second))
	default:
		return call.Failed(errors.New("the call was cancelled"))
	}
}
