package claude

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asks are the requests of the agent that wait for an answer.
type asks struct {
	open map[string]*ask // by the agent's id
	ids  map[adapters.RequestKey]string
}

// ask is one request.
type ask struct {
	key    adapters.RequestKey
	id     string
	entry  adapters.EntryKey
	kind   protocol.RequestKind
	input  json.RawMessage   // of the tool: an allowance gives it back
	always []json.RawMessage // the rules that make it the last request of its kind
	texts  []string          // of the questions
	form   *form             // of an elicitation
}

// controlRequest is a control_request of the agent.
type controlRequest struct {
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype     string            `json:"subtype"`
		ToolName    string            `json:"tool_name"`
		DisplayName string            `json:"display_name"`
		Input       json.RawMessage   `json:"input"`
		ToolUseID   string            `json:"tool_use_id"`
		Server      toolServer        `json:"mcp_server"` // of an MCP tool
		Suggestions []json.RawMessage `json:"permission_suggestions"`
		elicitation
	} `json:"request"`
}

// controlRequest takes a request of the agent. Whatever is not for a person is answered at once: nothing may hang.
func (t *Translator) controlRequest(line []byte, out *adapters.Output) {
	var c controlRequest
	_ = native.Decode(line, &c)
	if c.RequestID == "" || t.asks.open[c.RequestID] != nil {
		return
	}
	switch c.Request.Subtype {
	case "can_use_tool":
		t.canUseTool(&c, out)
	case "elicitation":
		t.elicit(&c, out)
	case "hook_callback":
		answer(out, c.RequestID, struct{}{})
	default:
		refuse(out, c.RequestID, "unsupported request: "+native.Head(c.Request.Subtype, maxTitle))
		native.Keep("control_request."+c.Request.Subtype, line, out)
	}
}

// open notes a request and reports it.
func (t *Translator) openAsk(a *ask, r protocol.RequestOpened, out *adapters.Output) {
	t.requests++
	a.key, a.kind = t.requests, r.Kind
	t.asks.open[a.id] = a
	t.asks.ids[a.key] = a.id
	out.Draft(adapters.RequestOpened{Key: a.key, Entry: a.entry, Request: r})
}

// canUseTool makes a request of a tool that wants to run: a question, a plan or an approval.
func (t *Translator) canUseTool(c *controlRequest, out *adapters.Output) {
	r := &c.Request
	a := &ask{id: c.RequestID, input: slices.Clone(r.Input)}
	input := readInput(r.Input)
	if call := t.tools[r.ToolUseID]; call != nil {
		if !call.closed {
			a.entry = call.key
		}
		if input.Plan == "" {
			input.Plan = readInput([]byte(call.final)).Plan // the request comes without it
		}
	}
	q := protocol.RequestOpened{Kind: protocol.RequestApproval, ToolName: r.ToolName, ToolKind: kindOf(r.ToolName)}
	switch r.ToolName {
	case "AskUserQuestion":
		if q.Questions, a.texts = t.questions(r.Input); len(q.Questions) > 0 {
			q.Kind, q.ToolKind, q.Title = protocol.RequestQuestion, "", q.Questions[0].Text
			t.openAsk(a, q, out)
			return
		}
		q.Title, q.Text = "Allow AskUserQuestion?", native.Compact(r.Input)
	case "ExitPlanMode":
		q.Title, q.Text = "Approve the plan?", input.Plan
	default:
		name := r.DisplayName
		if name == "" {
			name = r.ToolName
		}
		q.Title = "Allow " + native.Head(name, maxTitle) + "?"
		q.Subject = subject(r.ToolName, &input)
		if kind, about, own := t.ownTool(r.ToolName, &r.Server, r.Input); own {
			q.ToolKind, q.Subject = kind, about
		}
		q.Subject, _ = native.Cut(q.Subject, t.spec.TextLimit())
		q.Text = describe(r.ToolName, &input, r.Input, t.spec.Cwd)
	}
	q.Text, _ = native.Cut(q.Text, t.spec.TextLimit())
	q.Options = []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}}
	if rules, what := always(r.Suggestions); len(rules) > 0 {
		a.always = rules
		q.Options = append(q.Options, protocol.Option{ID: protocol.AllowAlways, Label: "Always allow", Description: what})
	}
	q.Options = append(q.Options,
		protocol.Option{ID: protocol.DenyContinue, Label: "Deny"}, protocol.Option{ID: protocol.DenyStop, Label: "Deny and stop"})
	t.openAsk(a, q, out)
}

// subject is what a tool does it to; empty: nothing that one word names. Only the member counts that the tool reads, since the model may
// send others beside it. A relative path counts from where the last command has gone to, which is not told.
func subject(name string, in *input) string {
	switch kindOf(name) {
	case protocol.ToolExecute:
		if name == "PowerShell" || in.Unboxed { // of another language; or who may allow the command need not be one who may let it out of the sandbox
			return ""
		}
		return in.Command
	case protocol.ToolRead, protocol.ToolEdit:
		file := in.FilePath
		switch name {
		case "NotebookRead", "NotebookEdit":
			file = in.Notebook
		case "LS":
			file = in.Path
		}
		return onePath(file)
	case protocol.ToolSearch:
		switch { // the pattern of Glob is a path, that of Grep is none
		case name != "Glob":
			return onePath(in.Path)
		case in.Path == "" || path.IsAbs(in.Pattern):
			return onePath(in.Pattern)
		}
		return onePath(path.Join(in.Path, in.Pattern))
	case protocol.ToolFetch:
		if name == "WebSearch" {
			return in.Query
		}
		return in.URL
	case protocol.ToolOther:
	}
	return ""
}

// onePath is a path that one line holds and that is the same from everywhere; empty: it is not.
func onePath(file string) string {
	if strings.ContainsFunc(file, unicode.IsControl) || !path.IsAbs(file) && !strings.HasPrefix(file, "~/") {
		return ""
	}
	return file
}

// describe shows a call to the person who decides: a command line, a change of a file as a diff, else the whole input.
func describe(name string, in *input, raw json.RawMessage, cwd string) string {
	switch {
	case kindOf(name) == protocol.ToolExecute && in.Command != "":
		return in.Command
	case name == "Write" && in.FilePath != "":
		return written(in.FilePath, in.Content, cwd)
	case name == "Edit" && in.FilePath != "":
		return changed(in.FilePath, []edit{{in.Old, in.New, in.ReplaceAll}}, cwd)
	case name == "MultiEdit" && in.FilePath != "":
		return changed(in.FilePath, in.Edits, cwd)
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

func (s *asks) forget(a *ask) {
	delete(s.ids, a.key)
	delete(s.open, a.id)
}

// sorted lists the open requests in the order of asking.
func (s *asks) sorted() []*ask {
	list := make([]*ask, 0, len(s.open))
	for _, key := range slices.Sorted(maps.Keys(s.ids)) {
		list = append(list, s.open[s.ids[key]])
	}
	return list
}

// controlCancelled takes the news that the agent no longer waits.
func (t *Translator) controlCancelled(line []byte, out *adapters.Output) {
	var e struct {
		RequestID string `json:"request_id"`
	}
	_ = native.Decode(line, &e)
	if a := t.asks.open[e.RequestID]; a != nil {
		t.asks.forget(a)
		out.Draft(adapters.RequestClosed{Key: a.key, Outcome: protocol.OutcomeCancelled})
	}
}

// dropAsks closes the requests about a call that has ended.
func (t *Translator) dropAsks(entry adapters.EntryKey, out *adapters.Output) {
	for _, a := range t.asks.sorted() {
		if a.entry == entry {
			t.asks.forget(a)
			out.Draft(adapters.RequestClosed{Key: a.key, Outcome: protocol.OutcomeCancelled})
		}
	}
}

// cancelAsks refuses, towards the agent, what is still open at the end of a turn. The session closes it by itself.
func (t *Translator) cancelAsks(out *adapters.Output) {
	for _, a := range t.asks.sorted() {
		t.asks.forget(a)
		a.deny("The turn has ended.", false, out)
	}
}
