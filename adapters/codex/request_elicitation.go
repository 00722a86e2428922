package codex

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// elicited is the answer to mcpServer/elicitation/request.
type elicited struct {
	Action  string          `json:"action"` // accept, decline, cancel
	Content json.RawMessage `json:"content"`
	Meta    json.RawMessage `json:"_meta"`
}

var null = json.RawMessage("null")

// askedElicitation are the parameters of mcpServer/elicitation/request: what an MCP server asks the user. Codex asks in the same way
// whether a tool of one may run.
type askedElicitation struct {
	TurnID  string `json:"turnId"`
	Server  string `json:"serverName"`
	Mode    string `json:"mode"`
	Message string `json:"message"`
	URL     string `json:"url"`
	Meta    struct {
		Kind        string          `json:"codex_approval_kind"`
		Persist     []string        `json:"persist"`
		Tool        string          `json:"tool_name"`
		Description string          `json:"tool_description"`
		Params      json.RawMessage `json:"tool_params"`
	} `json:"_meta"`
	Schema json.RawMessage `json:"requestedSchema"`
}

// tool is the tool that may run; empty: the server asks for itself.
func (p *askedElicitation) tool() string {
	if p.Meta.Kind == "" {
		return ""
	}
	return p.Meta.Tool
}

// ask is what is asked; ok is false for a mode that is not known. own is the daemon's server; nil: there is none.
func (p *askedElicitation) ask(own *adapters.MCPServer, limit int) (a ask, ok bool) {
	if p.Meta.Kind != "" {
		return p.approval(own, limit), true
	}
	q := protocol.RequestOpened{Kind: protocol.RequestElicitation, ToolName: native.Head(p.Server, maxTitle), Title: native.Head(p.Message, maxNoticed)}
	var f form
	switch p.Mode {
	case "form", "openai/form", "openaiForm":
		f = fields(p.Schema)
		for _, x := range f {
			q.Questions = append(q.Questions, x.question)
		}
		if len(f) == 0 {
			q.Questions = []protocol.Question{consent(p.Message)}
		}
	case "url":
		q.Questions = []protocol.Question{consent(paragraphs(p.Message, p.URL))}
	default:
		return a, false
	}
	return ask{shown: q, reply: f}, true
}

// approval is whether a tool may run.
func (p *askedElicitation) approval(own *adapters.MCPServer, limit int) ask {
	d := decisions{
		protocol.AllowOnce:    encode(elicited{"accept", []byte("{}"), null}),
		protocol.DenyContinue: encode(elicited{"decline", null, null}),
	} // "cancel" is taken as a refusal too: the turn goes on
	for _, scope := range []string{"session", "always"} {
		if d[protocol.AllowAlways] == nil && slices.Contains(p.Meta.Persist, scope) {
			d[protocol.AllowAlways] = encode(elicited{"accept", []byte("{}"), encode(map[string]string{"persist": scope})})
		}
	}
	q := protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolName: native.Head(p.Meta.Tool, maxTitle), ToolKind: protocol.ToolOther,
		Subject: native.Head(p.Server+"/"+p.Meta.Tool, maxNoticed), Title: native.Head(p.Message, maxNoticed), Options: d.options(),
	}
	if own.Named(p.Server) {
		if kind, about, is := own.Asked(p.Meta.Tool, p.Meta.Params); is {
			q.ToolKind = kind
			q.Subject, _ = native.Cut(about, limit)
		}
	}
	q.Text, _ = native.Cut(paragraphs(native.Compact(p.Meta.Params), p.Meta.Description), limit)
	return ask{shown: q, reply: d}
}

// declined is the answer to what is not understood.
func declined(id []byte) []byte {
	return encode(response{slices.Clone(id), elicited{"decline", null, null}})
}

// consent is a question that only wants a yes.
func consent(what string) protocol.Question {
	return protocol.Question{
		Text:    native.Head(what, maxNoticed),
		Options: []protocol.Option{{ID: "accept", Label: "Accept"}, {ID: "decline", Label: "Decline"}},
	}
}

// form are the fields of an elicitation; without any it wants a yes.
type form []field

type field struct {
	name     string
	typ      string // JSON Schema
	question protocol.Question
}

// schema is what the value of a field may be.
type schema struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []string `json:"enum"`
	EnumNames   []string `json:"enumNames"`
	OneOf       []titled `json:"oneOf"`
	Items       struct {
		Enum  []string `json:"enum"`
		AnyOf []titled `json:"anyOf"`
	} `json:"items"`
	Default json.RawMessage `json:"default"`
}

type titled struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// fields reads a schema's properties, in their order.
func fields(raw []byte) (f form) {
	properties := member(raw, "properties")
	if len(properties) == 0 || properties[0] != '{' {
		return nil
	}
	walk := native.Scan(properties)
	for len(f) < maxAsked {
		key, value, ok := walk.Next()
		if !ok {
			return f
		}
		var s schema
		_ = native.Decode(value, &s)
		x := field{name: native.Text(append(append([]byte{'"'}, key...), '"')), typ: s.Type}
		x.question = protocol.Question{
			Text: native.Head(first(s.Description, s.Title, x.name), maxNoticed), Header: native.Head(s.Title, maxTitle),
			Options: s.options(), Multiple: s.Type == "array",
		}
		x.question.FreeText = len(x.question.Options) == 0
		if x.question.Prefill = native.Text(s.Default); x.question.Prefill == "" && len(s.Default) > 0 && s.Default[0] != '"' && s.Default[0] != '[' {
			x.question.Prefill = native.Compact(s.Default)
		}
		x.question.Prefill = native.Head(x.question.Prefill, maxNoticed)
		f = append(f, x)
	}
	return f
}

func (s *schema) options() (list []protocol.Option) {
	if s.Type == "boolean" {
		return []protocol.Option{{ID: "true", Label: "Yes"}, {ID: "false", Label: "No"}}
	}
	for i, id := range append(slices.Clip(s.Enum), s.Items.Enum...) {
		o := protocol.Option{ID: id, Label: id}
		if i < len(s.EnumNames) {
			o.Label = s.EnumNames[i]
		}
		list = append(list, o)
	}
	for _, c := range append(slices.Clip(s.OneOf), s.Items.AnyOf...) {
		list = append(list, protocol.Option{ID: c.Const, Label: first(c.Title, c.Const)})
	}
	return list
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func (f form) result(a adapters.Answer) any {
	switch {
	case a.Outcome != protocol.OutcomeAnswered:
		return elicited{"cancel", null, null}
	case len(f) == 0:
		if len(a.Answers) > 0 && slices.Contains(a.Answers[0], "decline") {
			return elicited{"decline", null, null}
		}
		return elicited{"accept", []byte("{}"), null}
	}
	content := map[string]json.RawMessage{}
	for i, x := range f {
		if i < len(a.Answers) && len(a.Answers[i]) > 0 {
			if v := x.value(a.Answers[i]); v != nil {
				content[x.name] = v
			}
		}
	}
	return elicited{"accept", encode(content), null}
}

// value is an answer as JSON; nil: the field is left out, as an empty answer to other than a text has it.
func (x *field) value(answers []string) json.RawMessage {
	one := strings.TrimSpace(answers[0])
	switch x.typ {
	case "array":
		return encode(answers)
	case "boolean", "number", "integer":
		if one == "" {
			return nil
		}
		if json.Valid([]byte(one)) {
			return json.RawMessage(one)
		}
	}
	return encode(answers[0])
}

func (f form) read(result []byte) (protocol.Outcome, string, [][]string) {
	var r elicited
	_ = native.Decode(result, &r)
	if r.Action != "accept" {
		return protocol.OutcomeCancelled, "", nil
	}
	if len(f) == 0 {
		return protocol.OutcomeAnswered, "", [][]string{{"accept"}}
	}
	answers := make([][]string, len(f))
	for i, x := range f {
		v := member(r.Content, x.name)
		switch {
		case x.typ == "array":
			_ = native.Decode(v, &answers[i])
		case len(v) > 0 && v[0] == '"':
			answers[i] = []string{native.Text(v)}
		case len(v) > 0:
			answers[i] = []string{string(v)}
		}
	}
	return protocol.OutcomeAnswered, "", answers
}
