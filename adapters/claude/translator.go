package claude

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Translator is one session's or sub-agent's part of a connection to Claude Code.
type Translator struct {
	spec adapters.Spec
	work
}

func newTranslator(spec adapters.Spec) *Translator {
	limit, child := spec.TextLimit(), ""
	if spec.Child {
		child = spec.NativeSessionID
	}
	return &Translator{
		spec: spec,
		work: work{
			content: content{
				entries: entries{limit: limit},
				tools:   tools{limit: limit, cwd: spec.Cwd, calls: map[string]*tool{}},
				requests: requests{
					limit: limit, cwd: spec.Cwd, mcp: spec.MCP, open: map[string]*request{}, ids: map[adapters.RequestKey]string{},
				},
			},
			calls:    calls{child: child, open: map[string]sentControl{}},
			told:     told{version: spec.Version, resumed: spec.Resume},
			prompts:  prompts{session: spec.SessionID, known: map[string]*prompt{}},
			self:     self{native: child},
			children: children{},
		},
	}
}

// Start begins the handshake. A sub-agent has none: its lines have begun.
func (t *Translator) Start(out *adapters.Output) {
	if t.spec.Child {
		t.told.Session = t.spec.NativeSessionID
		t.told.tellReady(out)
		return
	}
	if t.spec.Resume {
		t.told.Session = t.spec.NativeSessionID
		past(t.spec.Past, &t.content, out)
		t.spec.Past = nil // it may be large
	}
	t.calls.ask(sentControl{kind: "initialize"}, initialize{Subtype: "initialize", ForwardSubagentText: true}, out)
}

// Line takes one native line.
func (t *Translator) Line(line []byte, out *adapters.Output) {
	if d, ok := readDelta(line, t.self.native); ok {
		t.add(&d, out)
		return
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	h, ok := readHead(line)
	if !ok {
		native.Unparsable(line, out)
		return
	}
	if !t.foreign(&h, line, out) {
		t.event(&h, line, out)
	}
}

// event handles a line that is an object, by its type.
func (t *Translator) event(h *head, line []byte, out *adapters.Output) {
	switch h.kind {
	case "stream_event":
		t.stream(line, out)
	case "assistant":
		t.assistant(line, out)
	case "user":
		t.user(line, out)
	case "result":
		t.result(line, out)
	case "system":
		t.system(h.subtype, line, out)
	case "command_lifecycle":
		t.lifecycle(line, out)
	case "control_request":
		t.asked(line, out)
	case "control_cancel_request":
		t.requests.cancelled(line, out)
	case "control_response":
		t.responded(line, out)
	case "conversation_reset":
		t.told.left(out)
	case "rate_limit_event":
		rateLimit(line, out)
	case "auth_status":
		authStatus(line, out)
	case "keep_alive", "tool_progress", "tool_use_summary", "prompt_suggestion", "transcript_mirror", "idle_notification":
		// Signs of life, and short forms of what is there already.
	default:
		native.Keep(h.kind, line, out)
	}
}

// system handles a system line, by its subtype.
func (t *Translator) system(subtype string, line []byte, out *adapters.Output) {
	switch subtype {
	case "init":
		t.turnInit(line, out)
	case "status":
		t.status(line, out)
	case "api_retry":
		t.retries(line, out)
	case "compact_boundary":
		t.compacted(line, out)
	case "task_notification":
		t.taskEnded(line, out)
	case "session_title_changed":
		t.told.title(line, out)
	default:
		aside(subtype, line, out)
	}
}

// responded takes the answer to a control request.
func (t *Translator) responded(line []byte, out *adapters.Output) {
	var e struct {
		Response struct {
			reply
			Pending []json.RawMessage `json:"pending_permission_requests"`
			Asked   []json.RawMessage `json:"pending_elicitation_requests"`
		} `json:"response"`
	}
	_ = native.Decode(line, &e)
	r := &e.Response
	c := t.calls.take(r.RequestID)
	switch c.kind {
	case "initialize":
		t.told.initialized(r.Response, out)
	case "set_model", "set_permission_mode":
		t.told.settingAnswered(c, &r.reply, out)
	}
	for _, pending := range append(r.Pending, r.Asked...) { // asked before somebody else took the session up
		t.asked(pending, out)
	}
	if r.Subtype == "error" && (c.theirs || c.kind == "initialize" || c.kind == "interrupt") {
		notice("warning", "command_failed", strings.TrimPrefix(c.kind+": "+r.Error, ": "), out)
	}
}

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	switch c := cmd.(type) {
	case adapters.Prompt:
		if t.self.isChild() {
			out.Draft(adapters.PromptAnswered{ID: c.ID, Result: adapters.PromptRefused, Error: "a sub-agent takes no prompts"})
			return
		}
		t.prompts.send(c, t.turn.on, out)
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		t.requests.answer(c, out)
	case adapters.SetModel:
		t.calls.set(c.ID, "set_model", setModel{Subtype: "set_model", Model: c.Model}, out)
	case adapters.SetMode:
		t.calls.set(c.ID, "set_permission_mode", setMode{Subtype: "set_permission_mode", Mode: c.Mode}, out)
	}
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var s struct {
		Type      string          `json:"type"`
		UUID      string          `json:"uuid"`
		Message   message         `json:"message"`
		RequestID string          `json:"request_id"`
		Request   json.RawMessage `json:"request"`
		Response  reply           `json:"response"`
	}
	if native.Decode(line, &s) != nil {
		return
	}
	switch s.Type {
	case "user":
		t.prompts.sent(s.UUID, blocks(s.Message.Content), t.turn.on)
	case "control_request":
		t.calls.sent(s.RequestID, s.Request)
	case "control_response":
		t.requests.answered(&s.Response, out)
	}
}

// Exit is told that the output has ended. What is open is closed by the session.
func (t *Translator) Exit(_ adapters.Exit, out *adapters.Output) { t.exit(out) }
