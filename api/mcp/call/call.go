// Package call has what all tools share: typed arguments with their schemas, answers in the form that each host reads, and what is known of
// a call.
package call

import (
	"context"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

// Call is one call of a tool.
type Call struct {
	*sdk.CallToolRequest
	Who *access.Principal

	acted bool
}

// Acted says that something was done: an error from here on no longer means that the call may be made again with its key.
func (c *Call) Acted() { c.acted = true }

// Modern says that the client speaks 2026-07-28 or later: no MCP session, no pushes.
func (c *Call) Modern() bool { return c.ProtocolVersion() >= ModernVersion }

// ModernVersion is the first protocol revision without MCP sessions.
const ModernVersion = "2026-07-28"

// Catalog is what is known of the tools by their names. It is made once, with the server of clients: the servers of agents share it.
type Catalog struct {
	lists   map[string][]string // closed lists that tags of members name
	tell    *problem.Teller
	subs    *Submissions
	schemas map[string]*schemas
	reads   map[string]bool // those that change nothing
}

// NewCatalog knows no tool yet.
func NewCatalog(lists map[string][]string, tell *problem.Teller, s *Submissions) *Catalog {
	return &Catalog{lists: lists, tell: tell, subs: s, schemas: map[string]*schemas{}, reads: map[string]bool{}}
}

// Own says whether the daemon has a tool, and whether that changes nothing.
func (c *Catalog) Own(name string) (reads, own bool) {
	reads, own = c.reads[name]
	return reads, own
}

// Note notes a tool that is registered by itself.
func (c *Catalog) Note(name string, reads bool) { c.reads[name] = reads }

// Input is the schema of a tool's arguments.
func (c *Catalog) Input(name string) *jsonschema.Schema { return c.schemas[name].in }

// Set is a server that tools are registered with: that of clients, or that of an agent.
type Set struct {
	*Catalog
	Server *sdk.Server
}

// Add registers a tool. Its errors become results that tell a model what to do instead.
func Add[In, Out any](s Set, t *sdk.Tool, do func(ctx context.Context, c *Call, in *In) (Out, error)) {
	known, ok := s.schemas[t.Name]
	if !ok { // the server of clients, which comes first and has all tools
		known = schemasOf[In, Out](s.lists)
		s.schemas[t.Name] = known
		s.Note(t.Name, t.Annotations != nil && t.Annotations.ReadOnlyHint)
	}
	t.InputSchema, t.OutputSchema = known.in, known.out
	// With a typed tool the SDK would answer wrong arguments in its own words, and decode, check and encode again what was encoded of a
	// result: twice the cost of everything else in a large one. That results keep to their schemas is checked by the tests.
	s.Server.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		var out any
		c := &Call{CallToolRequest: req, Who: access.Of(ctx)}
		err := known.read(req.Params.Arguments, &in)
		if err == nil {
			out, err = s.subs.once(ctx, c, &in, func(ctx context.Context) (any, error) {
				out, err := do(ctx, c, &in)
				if w, ok := any(&out).(Worded); ok { // also where out itself has no text, and its pointer has
					return w, err
				}
				return out, err
			})
		}
		if need, ok := errors.AsType[*InputRequiredError](err); ok {
			return &sdk.CallToolResult{InputRequests: need.Requests, RequestState: need.State}, nil
		}
		if err != nil {
			access.NoteProblem(ctx, problem.Of(err).Code)
			return Failed(s.tell.Tool(t.Name, err)), nil
		}
		return &sdk.CallToolResult{StructuredContent: Answer{out: out}}, nil
	})
}

// Annotations of tools: what a host may assume about a call.
var (
	Reads    = &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
	Changes  = &sdk.ToolAnnotations{DestructiveHint: new(false)}
	Destroys = &sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true}
)

// AskedBy is how a session is told on whose wish something is done: an agent reaches only sessions that work for its own.
func AskedBy(p *access.Principal) string {
	if p != nil && p.Scope == access.Agent {
		return session.ByParent
	}
	return "client:mcp"
}

// Failed is the result of a call that has failed.
func Failed(err error) *sdk.CallToolResult {
	var r sdk.CallToolResult
	r.SetError(err)
	return &r
}

// InputRequiredError is what a tool answers instead of a result.
type InputRequiredError struct {
	Requests sdk.InputRequestMap
	State    string
}

func (*InputRequiredError) Error() string { return "input is required" }
