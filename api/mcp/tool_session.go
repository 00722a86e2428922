package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// actions of the tool session, and the tools that they are.
var actions = []struct{ action, tool string }{
	{"message", "session_message"},
	{"events", "session_events"},
	{"watch", "session_watch"},
	{"create", "session_create"},
	{"list", "session_list"},
	{"get", "session_get"},
	{"end", "session_end"},
	{"interrupt", "session_interrupt"},
	{"answer", "session_answer"},
	{"prompts", "session_prompts"},
	{"state", "session_state"},
	{"join", "session_join"},
}

func actionNames() string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.action
	}
	return strings.Join(names, ", ")
}

// addSession registers the one tool with an action that clients of the original system know: its other arguments are those of
// the tool that the action names.
func (s toolset) addSession() {
	enum := make([]any, len(actions))
	for i, a := range actions {
		enum[i] = a.action
	}
	s.reading["session"] = false
	s.server.AddTool(&sdk.Tool{
		Name: "session", Title: "Sessions, by action", Annotations: changes,
		Description: "All session tools in one: action message is session_message, events is session_events, and so on; the other arguments are those of that tool.",
		InputSchema: &jsonschema.Schema{
			Type:       "object",
			Properties: map[string]*jsonschema.Schema{"action": {Type: "string", Enum: enum, Description: "what to do"}},
			Required:   []string{"action"},
		},
	}, s.noAction)
}

// noAction answers a call of session that named no tool.
func (s *Service) noAction(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var r sdk.CallToolResult
	_, _, err := byAction(req.Params.Arguments)
	r.SetError(s.toolError("session", err))
	return &r, nil
}

// aliased makes a call of session one of the tool that its action names.
func aliased(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, ok := req.(*sdk.CallToolRequest)
		if !ok || r.Params == nil || r.Params.Name != "session" {
			return next(ctx, method, req)
		}
		tool, args, err := byAction(r.Params.Arguments)
		if err != nil {
			return next(ctx, method, req)
		}
		inner, params := *r, *r.Params
		params.Name, params.Arguments = tool, args
		inner.Params = &params
		return next(ctx, method, &inner)
	}
}

// byAction takes arguments of session apart.
func byAction(raw json.RawMessage) (tool string, args json.RawMessage, err error) {
	var all map[string]json.RawMessage
	var action string
	if json.Unmarshal(raw, &all) != nil || json.Unmarshal(all["action"], &action) != nil {
		return "", nil, invalid("The action is missing.", "Actions are "+actionNames()+".")
	}
	for _, a := range actions {
		if a.action == action {
			delete(all, "action")
			args, err = json.Marshal(all)
			return a.tool, args, err
		}
	}
	return "", nil, invalid(fmt.Sprintf("There is no action %.40q.", action), "Actions are "+actionNames()+".")
}
