package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

// The tool session is the one that clients of the original system know: what it does, its action says. A host asks its user tool by
// tool, and cannot do so for it: who allows session allows to delete. It is there where somebody has asked for it and nowhere else.

// CompatHeader asks for the tool session in a request, where the daemon does not have it for all (Config.Compat).
const CompatHeader = "Ringmaster-Mcp-Compat"

const compatTool = "session"

// compat is the tool session.
type compat struct {
	always bool // it is there for every client
	tell   *problem.Teller
}

// action is one of the tool session: the tool that it is, and what it calls by other names or says of itself.
type action struct {
	name, tool string
	names      map[string]string // of arguments, in the tool
	also       map[string]any    // arguments of the tool
}

var actions = []action{
	{name: "spawn", tool: "session_create", names: map[string]string{"message": "prompt"}},
	{name: "message", tool: "session_message"},
	{name: "get", tool: "session_get"},
	{name: "list", tool: "session_list"},
	{name: "end", tool: "session_end"},
	{name: "events", tool: "session_events"},
	{name: "text", tool: "session_text"},
	{name: "summary", tool: "session_summary"},
	{name: "cleanup", tool: "session_cleanup"},
	{name: "create", tool: "session_create"},
	{name: "watch", tool: "session_watch"},
	{name: "join", tool: "session_join"},
	{name: "interrupt", tool: "session_interrupt"},
	{name: "answer", tool: "session_answer"},
	{name: "change", tool: "session_change"},
	{name: "delete", tool: "session_delete"},
	{name: "prompts", tool: "session_prompts"},
	{name: "cancel_prompt", tool: "session_prompts", also: map[string]any{"action": "cancel"}},
	{name: "move_prompt", tool: "session_prompts", also: map[string]any{"action": "move"}},
}

func actionNames() string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.name
	}
	return strings.Join(names, ", ")
}

// add registers the tool, after those that it is.
func (s *compat) add(to call.Set) {
	to.Note(compatTool, false)
	to.Server.AddTool(&sdk.Tool{
		Name: compatTool, Title: "Sessions, by action", Annotations: &sdk.ToolAnnotations{DestructiveHint: new(true)},
		Description: "All session tools in one, for clients of an earlier system: action says what is done; the other arguments are those of the action. " +
			"It ends, deletes and cleans up as well as it reads.",
		InputSchema: actionSchema(to.Catalog),
	}, s.noAction)
}

// actionSchema has the arguments of all actions, each with the actions that take it: not every model's provider takes a schema with a
// choice in it.
func actionSchema(c *call.Catalog) *jsonschema.Schema {
	type use struct {
		schema  *jsonschema.Schema
		actions []string
	}
	uses := map[string][]*use{}
	names := make([]any, 0, len(actions))
	for _, a := range actions {
		names = append(names, a.name)
		for name, p := range c.Input(a.tool).Properties {
			for own, theirs := range a.names {
				if theirs == name {
					name = own
				}
			}
			if name == "action" {
				continue // it is in also
			}
			i := slices.IndexFunc(uses[name], func(u *use) bool { return reflect.DeepEqual(u.schema, p) })
			if i < 0 {
				i = len(uses[name])
				uses[name] = append(uses[name], &use{schema: p})
			}
			uses[name][i].actions = append(uses[name][i].actions, a.name)
		}
	}
	none := &jsonschema.Schema{Not: &jsonschema.Schema{}}
	out := &jsonschema.Schema{Type: "object", Required: []string{"action"}, AdditionalProperties: none, Properties: map[string]*jsonschema.Schema{
		"action": {Type: "string", Enum: names, Description: "what to do: each is the tool of that name, as session_list; spawn is session_create, and the prompts' actions are session_prompts"},
	}}
	for name, list := range uses {
		merged := *list[0].schema
		merged.Description = ""
		for i, u := range list {
			if i > 0 {
				merged.Description += ". "
				loosen(&merged, u.schema)
			}
			merged.Description += "of " + strings.Join(u.actions, ", ") + ": " + u.schema.Description
		}
		out.Properties[name] = &merged
	}
	return out
}

// loosen makes a schema one of what another one takes as well.
func loosen(s, other *jsonschema.Schema) {
	if s.Type != other.Type {
		s.Types, s.Type = append(slices.Clone(s.Types), s.Type, other.Type), ""
		s.Properties, s.Items = nil, nil
	}
	if s.Enum == nil || other.Enum == nil {
		s.Enum = nil
	} else {
		s.Enum = slices.Clone(s.Enum)
		for _, v := range other.Enum {
			if !slices.Contains(s.Enum, v) {
				s.Enum = append(s.Enum, v)
			}
		}
	}
	wider(&s.Minimum, other.Minimum, func(a, b float64) bool { return b < a })
	wider(&s.Maximum, other.Maximum, func(a, b float64) bool { return b > a })
	wider(&s.MaxLength, other.MaxLength, func(a, b int) bool { return b > a })
	wider(&s.MaxItems, other.MaxItems, func(a, b int) bool { return b > a })
}

func wider[T any](have **T, other *T, is func(have, other T) bool) {
	if *have == nil || other == nil {
		*have = nil
	} else if is(**have, *other) {
		*have = other
	}
}

// noAction answers a call of session that named no tool.
func (s *compat) noAction(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	_, _, err := byAction(req.Params.Arguments)
	return call.Failed(s.tell.Tool(compatTool, err)), nil
}

// has says that whoever asks has the tool session.
func (s *compat) has(req sdk.Request) bool {
	x := req.GetExtra()
	return s.always || x != nil && x.Header.Get(CompatHeader) != ""
}

// compatible keeps the tool session from those who have not asked for it: it is not listed for them, and none when it is called.
func (s *compat) compatible(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, calls := req.(*sdk.CallToolRequest)
		if s.has(req) {
			return next(ctx, method, req)
		}
		if calls && r.Params != nil && r.Params.Name == compatTool {
			return call.Failed(s.tell.Tool(compatTool, problem.Invalid("There is no such tool here.",
				"Call session_message, session_list and so on by their own names, or start the daemon, or ringmaster mcp, with --mcp-compat."))), nil
		}
		res, err := next(ctx, method, req)
		if list, ok := res.(*sdk.ListToolsResult); ok && err == nil {
			own := *list
			own.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *sdk.Tool) bool { return t.Name == compatTool })
			return &own, nil
		}
		return res, err
	}
}

// Aliased makes a call of session one of the tool that its action names. Its result is text, the JSON of what the tool has answered:
// clients of the original system read that.
func Aliased(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, ok := req.(*sdk.CallToolRequest)
		if !ok || r.Params == nil || r.Params.Name != compatTool {
			return next(ctx, method, req)
		}
		tool, args, err := byAction(r.Params.Arguments)
		if err != nil {
			return next(ctx, method, req)
		}
		inner, params := *r, *r.Params
		params.Name, params.Arguments = tool, args
		inner.Params = &params
		res, err := next(ctx, method, &inner)
		called, _ := res.(*sdk.CallToolResult)
		if err != nil || called == nil {
			return res, err
		}
		if a, ok := called.StructuredContent.(call.Answer); ok {
			a.Plain = true
			called.StructuredContent = a
		}
		return called, nil
	}
}

// byAction takes arguments of session apart.
func byAction(raw json.RawMessage) (tool string, args json.RawMessage, err error) {
	var all map[string]json.RawMessage
	var name string
	if json.Unmarshal(raw, &all) != nil || json.Unmarshal(all["action"], &name) != nil {
		return "", nil, problem.Invalid("The action is missing.", "Actions are "+actionNames()+".")
	}
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		return "", nil, problem.Invalid(fmt.Sprintf("The tool session has no action %.40q.", name), "Actions are "+actionNames()+".")
	}
	a := actions[i]
	delete(all, "action")
	for own, theirs := range a.names {
		if v, given := all[own]; given {
			delete(all, own)
			all[theirs] = v
		}
	}
	for k, v := range a.also {
		if all[k], err = json.Marshal(v); err != nil {
			return "", nil, err
		}
	}
	args, err = json.Marshal(all)
	return a.tool, args, err
}
