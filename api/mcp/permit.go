package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// permits say who may call what, and have written what was called.
type permits struct {
	catalog *call.Catalog
	audit   *access.Audit
	tell    *problem.Teller
}

// permitted keeps principals that only read from tools and methods that change something: they are not listed for them, and
// refused. Which sessions a principal reaches is the gate's affair.
func (s permits) permitted(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if access.Of(ctx).Writes() {
			return next(ctx, method, req)
		}
		if name, changes := s.verb(method, req); changes {
			s.audit.Refused(ctx, name)
			err := &protocol.Problem{
				Code: protocol.CodeForbidden, Detail: "This token may only read.", Hint: "tools/list has what may be called with it.",
			}
			if method != methodCall {
				return nil, s.tell.Method(method, err)
			}
			var r sdk.CallToolResult
			r.SetError(s.tell.Tool(name, err))
			return &r, nil
		}
		res, err := next(ctx, method, req)
		if list, ok := res.(*sdk.ListToolsResult); ok && err == nil {
			own := *list
			own.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *sdk.Tool) bool { return !s.reads(t.Name) })
			return &own, nil
		}
		return res, err
	}
}

const (
	methodCall  = "tools/call"
	foreignTool = "caller_tool" // or one that nobody has
)

// verb is what a request does, and whether that changes anything in a session: a tool that is not known to read may. Names of tools
// that are not the daemon's own are texts of others.
func (s permits) verb(method string, req sdk.Request) (name string, changes bool) {
	if method != methodCall {
		return method, slices.Contains(changing, method)
	}
	r, ok := req.(*sdk.CallToolRequest)
	if !ok || r.Params == nil {
		return method, true
	}
	reads, own := s.catalog.Own(r.Params.Name)
	if !own {
		return foreignTool, true
	}
	return r.Params.Name, !reads
}

// changing are the methods that change something besides tools/call.
var changing = []string{"tasks/cancel", "tasks/update"}

// audited has a line written of each call that changes something.
func (s permits) audited(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		name, changes := s.verb(method, req)
		ctx, verb := s.audit.Begin(ctx, name, changes)
		outcome := protocol.CodeInternal // of a panic
		defer func() { verb.End(outcome) }()
		res, err = next(ctx, method, req)
		called, _ := res.(*sdk.CallToolResult)
		switch {
		case err != nil:
			outcome = codeOf(err)
		case called != nil && called.IsError: // what no handler has noted: the SDK did not take the arguments
			outcome = protocol.CodeInvalidRequest
		default:
			outcome = ""
		}
		return res, err
	}
}

// codeOf is the code of a problem in an error of JSON-RPC.
func codeOf(err error) protocol.Code {
	var told *jsonrpc.Error
	var p protocol.Problem
	if errors.As(err, &told) && json.Unmarshal(told.Data, &p) == nil && p.Code != "" {
		return p.Code
	}
	return protocol.CodeInvalidRequest
}

// reads says that a tool is the daemon's own and changes nothing.
func (s permits) reads(tool string) bool {
	reads, _ := s.catalog.Own(tool)
	return reads
}
