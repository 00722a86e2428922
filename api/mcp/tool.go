package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
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
			access.NoteProblem(ctx, problem.Of(err).Code)
			return failed(s.tell.Tool(t.Name, err)), nil
		}
		a := answer{out: out}
		if w, ok := any(&out).(worded); ok { // also where out itself has no text, and its pointer has
			a.out = w
		}
		return &sdk.CallToolResult{StructuredContent: a}, nil
	})
}

// Annotations of tools: what a host may assume about a call.
var (
	reads    = &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
	changes  = &sdk.ToolAnnotations{DestructiveHint: new(false)}
	destroys = &sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true}
)

// askedBy is how a session is told on whose wish something is done: an agent reaches only sessions that work for its own.
func askedBy(p *access.Principal) string {
	if p != nil && p.Scope == access.Agent {
		return session.ByParent
	}
	return "client:mcp"
}
