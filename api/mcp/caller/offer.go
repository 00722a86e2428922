package caller

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Tool is a tool that a client offers to a session's agent.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty" jsonschema:"for the agent: what the tool does and when to use it"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty" jsonschema:"JSON Schema of the arguments, with type object; absent: any object"`
}

// Offer is what one client offers to one session's agent. It is changed by callers alone.
type Offer struct {
	key   offerKey
	by    *client.Client // nil: a client without an MCP session, which nobody sees go
	who   string         // id of the principal
	given []Tool
	tools []*sdk.Tool // given, as the agent sees them
	bytes int

	life context.Context // done when the offer is taken away, with the cause
	end  context.CancelCauseFunc
}

type offerKey struct{ sessionID, callerID string }

// Bounds of an offer.
const (
	maxCallerTools    = 64
	maxOfferBytes     = 256 << 10
	maxSchemaBytes    = 64 << 10
	maxDescription    = 4 << 10
	maxCallerToolName = 64 - len("mcp__ringmaster__") // of both names: models take 64 characters, and agents put their own words before it
)

var (
	callerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)
	toolForm   = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// OfferOf checks what a call of session_message offers; nil: nothing.
func (c *Callers) OfferOf(by *call.Call, callerID string, tools []Tool) (*Offer, error) {
	switch {
	case tools == nil:
		return nil, nil
	case by.Who.Scope == access.Agent:
		return nil, &protocol.Problem{
			Code: protocol.CodeForbidden, Detail: "An agent offers no tools.", Hint: "Leave caller_tools out; tell the session in the message what it needs.",
		}
	case !callerForm.MatchString(callerID):
		return nil, problem.Invalid("caller_tools needs a caller_id.", "1 to 32 letters, digits, _ and -: the agent sees each tool under it, as CALLER_TOOL.")
	case len(tools) > maxCallerTools:
		return nil, problem.Invalid(fmt.Sprintf("One caller offers %d tools at most.", maxCallerTools), "Offer those that this session needs.")
	}
	o := &Offer{key: offerKey{callerID: callerID}, given: tools, who: by.Who.ID}
	names := map[string]bool{}
	for i := range o.given {
		t, err := c.offered(callerID, &o.given[i])
		if err != nil {
			return nil, err
		}
		if names[t.Name] {
			return nil, problem.Invalid(fmt.Sprintf("The tool %.64q is offered twice.", o.given[i].Name), "Give each its own name.")
		}
		names[t.Name] = true
		o.tools = append(o.tools, t)
		o.bytes += len(o.given[i].Name) + len(o.given[i].Description) + len(o.given[i].InputSchema)
	}
	if o.bytes > maxOfferBytes {
		return nil, problem.TooLarge("The tools of a caller", maxOfferBytes)
	}
	o.life, o.end = context.WithCancelCause(context.Background())
	o.by = c.cfg.Client(by)
	return o, nil
}

// OfferTo makes an offer to a session's agent, which must have the daemon's MCP server.
func (c *Callers) OfferTo(ctx context.Context, id string, o *Offer) error {
	if o == nil {
		return nil
	}
	sum, err := c.cfg.Look(ctx, id)
	if err != nil {
		return err
	}
	if sum.Status.State.Ended() {
		return &protocol.Problem{Code: protocol.CodeSessionEnded, Detail: "The session has ended.", Hint: "Create another one."}
	}
	if !sum.MCP {
		return &protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The session's agent was not given this MCP server, so it cannot see the tools.",
			Hint: "Create a session with mcp: true, or with caller_tools in session_message; or leave caller_tools out.",
		}
	}
	o.key.sessionID = id
	return c.offer(o)
}

// offered is a caller's tool as the agent sees it.
func (c *Callers) offered(callerID string, given *Tool) (*sdk.Tool, error) {
	name := protocol.CallerToolName(callerID, given.Name)
	switch {
	case !toolForm.MatchString(given.Name) || len(name) > maxCallerToolName:
		return nil, problem.Invalid(fmt.Sprintf("%.64q is no name for a caller's tool.", given.Name),
			fmt.Sprintf("Letters, digits, _ and -; with the caller_id, %d characters at most.", maxCallerToolName-1))
	case c.cfg.Own(name):
		return nil, problem.Invalid(fmt.Sprintf("The agent has a tool %s already.", name), "Choose another caller_id.")
	case len(given.Description) > maxDescription:
		return nil, problem.TooLarge("The description of a tool", maxDescription)
	case len(given.InputSchema) > maxSchemaBytes:
		return nil, problem.TooLarge("The inputSchema of a tool", maxSchemaBytes)
	}
	t := &sdk.Tool{Name: name, Description: given.Description, InputSchema: given.InputSchema}
	if given.InputSchema == nil {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	if !servable(t) {
		return nil, problem.Invalid(fmt.Sprintf("The inputSchema of %s is none that a tool can have.", name), `It is a JSON Schema with "type": "object".`)
	}
	return t, nil
}

// servable says that a server takes a tool: the SDK panics where it does not.
func servable(t *sdk.Tool) (ok bool) {
	defer func() { ok = recover() == nil }()
	sdk.NewServer(&sdk.Implementation{Name: "scratch"}, nil).AddTool(t, nil)
	return true
}

// same says that an offer has the tools of another one.
func (o *Offer) same(other *Offer) bool {
	if len(o.given) != len(other.given) {
		return false
	}
	for i, t := range o.given {
		u := other.given[i]
		if t.Name != u.Name || t.Description != u.Description || !bytes.Equal(t.InputSchema, u.InputSchema) {
			return false
		}
	}
	return true
}
