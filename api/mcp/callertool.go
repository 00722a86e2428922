package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	maxCallArguments = 256 << 10        // bytes
	progressEvery    = 10 * time.Second // while an agent waits
	cancelGrace      = 5 * time.Second  // for word of a call's end to reach its session
)

// callerTool is the handler of a caller's tool: the call becomes a request of the session, and waits for its answer.
func (s *Service) callerTool(key offerKey, tool string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		args, err := callArguments(req.Params.Arguments)
		if err != nil {
			return failed(s.tell.Tool(req.Params.Name, err)), nil
		}
		defer waiting(ctx, req, "waiting for "+key.callerID)()
		a, err := s.callCaller(ctx, key, session.CallTool{CallerID: key.callerID, Tool: tool, Arguments: args, Within: s.cfg.CallTimeout})
		if err != nil {
			return failed(s.tell.Tool(req.Params.Name, err)), nil
		}
		return s.answerOf(&a, key.callerID), nil
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
func (s *Service) callCaller(ctx context.Context, key offerKey, c session.CallTool) (session.ToolAnswer, error) {
	number, life, there := s.callers.calling(key)
	if !there {
		return session.ToolAnswer{Outcome: protocol.OutcomeFailed, Message: callerGone}, nil
	}
	// An agent does not reach its own session: it is the daemon that asks for it.
	ctx = access.With(ctx, access.Daemon)
	wait, give := context.WithCancelCause(ctx)
	defer give(nil)
	defer context.AfterFunc(life, func() { give(context.Cause(life)) })()
	c.Key = number
	return s.door.Call(wait, key.sessionID, c, func() string {
		if ctx.Err() != nil {
			return "" // the agent waits no more
		}
		return context.Cause(wait).Error()
	})
}

// answerOf is what the agent gets. A result that is one of MCP's own is passed on as it is, a string becomes text, and anything
// else JSON.
func (s *Service) answerOf(a *session.ToolAnswer, callerID string) *sdk.CallToolResult {
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
		return failed(errors.New(a.Message))
	case protocol.OutcomeExpired:
		return failed(fmt.Errorf("%s has not answered within %d s", callerID, s.cfg.CallTimeout/time.Second))
	default:
		return failed(errors.New("the call was cancelled"))
	}
}

func failed(err error) *sdk.CallToolResult {
	var r sdk.CallToolResult
	r.SetError(err)
	return &r
}

// waiting tells a client now and then that its call is at work, where it gave a token for that: clients give up on calls that say
// nothing. The end must be called; it waits for the goroutine.
func waiting(ctx context.Context, req *sdk.CallToolRequest, what string) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-tick.C:
				_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: what})
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}
