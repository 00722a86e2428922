package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// call is one call of a tool.
type call struct {
	*sdk.CallToolRequest
	service *Service
	who     *access.Principal
}

// modern says that the client speaks 2026-07-28 or later: no MCP session, no pushes.
func (c *call) modern() bool { return c.ProtocolVersion() >= modernVersion }

// addTool registers a tool. Its errors become results that tell a model what to do instead.
func addTool[In, Out any](s toolset, t *sdk.Tool, do func(ctx context.Context, c *call, in *In) (Out, error)) {
	known, ok := s.schemas[t.Name]
	if !ok { // the server of clients, which comes first and has all tools
		known = schemasOf[In, Out](s.lists())
		s.schemas[t.Name] = known
		s.reading[t.Name] = t.Annotations != nil && t.Annotations.ReadOnlyHint
	}
	t.InputSchema, t.OutputSchema = known.in, known.out
	// With a typed tool the SDK would answer wrong arguments in its own words, and decode, check and encode again what was encoded of a
	// result: twice the cost of everything else in a large one. That results keep to their schemas is checked by the tests.
	s.server.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		var out Out
		err := known.read(req.Params.Arguments, &in)
		if err == nil {
			out, err = do(ctx, &call{req, s.Service, access.Of(ctx)}, &in)
		}
		if need, ok := errors.AsType[*inputRequiredError](err); ok {
			return &sdk.CallToolResult{InputRequests: need.requests, RequestState: need.state}, nil
		}
		if err != nil {
			access.NoteProblem(ctx, problemOf(err).Code)
			return failed(s.toolError(t.Name, err)), nil
		}
		a := answer{out: out}
		if w, ok := any(&out).(worded); ok { // also where out itself has no text, and its pointer has
			a.out = w
		}
		return &sdk.CallToolResult{StructuredContent: a}, nil
	})
}

// toolError is what a model is told.
func (s *Service) toolError(tool string, err error) error {
	p := problemOf(err)
	if p.Code == protocol.CodeInternal {
		s.log.Error("tool failed", zap.String("tool", tool), zap.Error(err))
	}
	return &modelError{p}
}

// problemOf is what a client may see of an error.
func problemOf(err error) *protocol.Problem {
	var p *protocol.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, control.ErrGone):
		return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The call was given up before it was done.", Hint: "Try again."}
	}
	return &protocol.Problem{Code: protocol.CodeInternal, Detail: "The daemon failed on this call.", Hint: "See the daemon's log."}
}

// modelError words a problem for a model: what was wrong, what to do, and the stable code.
type modelError struct{ p *protocol.Problem }

func (e *modelError) Error() string {
	return strings.TrimSpace(toolWords.Say(fmt.Sprintf("%s %s (%s)", e.p.Detail, e.p.Hint, e.p.Code)))
}

func invalid(detail, hint string) error {
	return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
}

// checkID refuses what is no session id before it comes near a file name.
func checkID(id string) error {
	if protocol.ValidSessionID(id) {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeSessionNotFound, Detail: "No session has this id.", Hint: "session_list lists the sessions.",
	}
}

// Annotations of tools: what a host may assume about a call.
var (
	reads    = &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
	changes  = &sdk.ToolAnnotations{DestructiveHint: new(false)}
	destroys = &sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true}
)
