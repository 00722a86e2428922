package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/api/access"
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
		known = schemas{schemaOf[In](), schemaOf[Out]()}
		s.schemas[t.Name] = known
		s.reading[t.Name] = t.Annotations != nil && t.Annotations.ReadOnlyHint
	}
	t.InputSchema, t.OutputSchema = known.in, known.out
	// With a typed result the SDK would decode and check what was encoded of it, and encode that again: twice the cost of everything
	// else in a large answer. That results keep to their schemas is checked by the tests.
	sdk.AddTool(s.server, t, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		out, err := do(ctx, &call{req, s.Service, access.Of(ctx)}, &in)
		if err != nil {
			access.NoteProblem(ctx, problemOf(err).Code)
			return nil, nil, s.toolError(t.Name, err)
		}
		return &sdk.CallToolResult{StructuredContent: answer{out}}, nil, nil
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
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ask.ErrGone):
		return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The call was given up before it was done.", Hint: "Try again."}
	}
	return &protocol.Problem{Code: protocol.CodeInternal, Detail: "The daemon failed on this call.", Hint: "See the daemon's log."}
}

// modelError words a problem for a model: what was wrong, what to do, and the stable code.
type modelError struct{ p *protocol.Problem }

func (e *modelError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s (%s)", e.p.Detail, inTools.Replace(e.p.Hint), e.p.Code))
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
