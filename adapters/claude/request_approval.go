package claude

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asksTool are the members of a can_use_tool.
type asksTool struct {
	ToolName    string            `json:"tool_name"`
	DisplayName string            `json:"display_name"`
	Input       json.RawMessage   `json:"input"`
	ToolUseID   string            `json:"tool_use_id"`
	Server      toolServer        `json:"mcp_server"` // of an MCP tool
	Suggestions []json.RawMessage `json:"permission_suggestions"`
}

// permission is the answer to can_use_tool.
type permission struct {
	Behavior    string            `json:"behavior"` // allow or deny
	Input       json.RawMessage   `json:"updatedInput,omitempty"`
	Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	Message     string            `json:"message,omitempty"`
	Interrupt   bool              `json:"interrupt,omitempty"`
}

// approval asks a person for a call, and gives the rules that make it the last request of its kind. planned is the plan as the call has it: the
// request comes without it.
func (a *asksTool) approval(planned, cwd string, own *adapters.MCPServer, limit int) (q protocol.RequestOpened, rules []json.RawMessage) {
	in := readInput(a.Input)
	q = protocol.RequestOpened{Kind: protocol.RequestApproval, ToolName: a.ToolName, ToolKind: kindOf(a.ToolName)}
	switch a.ToolName {
	case questionTool: // without a question
		q.Title, q.Text = "Allow "+questionTool+"?", native.Compact(a.Input)
	case "ExitPlanMode":
		q.Title, q.Text = "Approve the plan?", cmp.Or(in.Plan, planned)
	default:
		q.Title = "Allow " + native.Head(cmp.Or(a.DisplayName, a.ToolName), maxTitle) + "?"
		q.Subject = subject(a.ToolName, &in)
		if kind, about, ours := ownTool(own, a.ToolName, &a.Server, a.Input); ours {
			q.ToolKind, q.Subject = kind, about
		}
		q.Subject, _ = native.Cut(q.Subject, limit)
		change := in.diff(a.ToolName, cwd)
		q.Text = cmp.Or(change, describe(a.ToolName, &in, a.Input))
		if onePath(in.FilePath) != "" { // of another the agent's folder, which is not told, says which file it is
			diff.Ask(&q, change, limit)
		}
	}
	q.Text, _ = native.Cut(q.Text, limit)
	q.Options = []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}}
	rules, what := always(a.Suggestions)
	if len(rules) > 0 {
		q.Options = append(q.Options, protocol.Option{ID: protocol.AllowAlways, Label: "Always allow", Description: what})
	}
	q.Options = append(q.Options,
		protocol.Option{ID: protocol.DenyContinue, Label: "Deny"}, protocol.Option{ID: protocol.DenyStop, Label: "Deny and stop"})
	return q, rules
}

// describe shows a call to the person who decides, where it has no diff: a command line, else the whole input.
func describe(name string, in *input, raw json.RawMessage) string {
	if kindOf(name) == protocol.ToolExecute && in.Command != "" {
		return in.Command
	}
	return native.Compact(raw)
}

// always picks the rules that an "always" adds, of those that the agent suggests: the narrowest kind, since what it
// suggests beside a rule for the tool is much wider, such as the mode that accepts all edits.
func always(suggestions []json.RawMessage) (rules []json.RawMessage, what string) {
	type suggestion struct {
		Type     string `json:"type"`
		Behavior string `json:"behavior"`
		Rules    []struct {
			ToolName string `json:"toolName"`
			Content  string `json:"ruleContent"`
		} `json:"rules"`
		Directories []string `json:"directories"`
		Mode        string   `json:"mode"`
		Destination string   `json:"destination"`
	}
	for _, kind := range []string{"addRules", "addDirectories", "setMode"} {
		var words []string
		for _, raw := range suggestions {
			var s suggestion
			_ = native.Decode(raw, &s)
			if s.Type != kind || kind == "addRules" && s.Behavior != "allow" || kind == "setMode" && s.Mode == bypass {
				continue
			}
			rules = append(rules, slices.Clone(raw))
			for _, r := range s.Rules {
				word := r.ToolName
				if r.Content != "" {
					word += "(" + r.Content + ")"
				}
				words = append(words, word)
			}
			for _, d := range s.Directories {
				words = append(words, "folder "+d)
			}
			if s.Mode != "" {
				words = append(words, "mode "+s.Mode)
			}
			if s.Destination != "" && len(words) > 0 {
				words[len(words)-1] += " in " + s.Destination
			}
		}
		if len(rules) > 0 {
			return rules, native.Head(strings.Join(words, ", "), maxNotice)
		}
	}
	return nil, ""
}

// answered is what somebody else has decided.
func (p *permission) answered() (outcome protocol.Outcome, option string) {
	switch {
	case p.Behavior == "allow" && len(p.Permissions) > 0:
		return protocol.OutcomeAllowed, protocol.AllowAlways
	case p.Behavior == "allow":
		return protocol.OutcomeAllowed, protocol.AllowOnce
	case p.Behavior == "deny" && p.Interrupt:
		return protocol.OutcomeDenied, protocol.DenyStop
	case p.Behavior == "deny":
		return protocol.OutcomeDenied, protocol.DenyContinue
	}
	return protocol.OutcomeCancelled, ""
}
