package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rollout is Codex's own log of a thread, which is only imported: JSON lines with timestamp, ordinal, type and payload. It says each finished
// item in one line. Threads in the history mode "legacy", which 0.169 makes where a client asks for it and earlier versions always made, have the
// conversation in events, and the tools in the items that the model saw.
type rollout struct {
	items  bool // finished items are told
	legacy bool // they are not
	turns  int  // without an id
}

func isRollout(kind string) bool {
	switch kind {
	case "session_meta", "turn_context", "event_msg", "response_item", "compacted", "world_state", "token_usage_record",
		"retained_context", "inter_agent_communication_metadata":
		return true
	}
	return false
}

// line takes a line of the file.
func (f *rollout) line(kind string, line []byte, t *thread, out *adapters.Output) {
	payload := member(line, "payload")
	switch kind {
	case "session_meta":
		f.begin(payload, t, out)
	case "turn_context":
		t.settings.told(toldSettings{Model: text(payload, "model")}, out)
	case "event_msg":
		f.event(payload, line, t, out)
	case "response_item":
		if f.legacy && !f.items {
			f.modelItem(payload, t, out)
		}
	case "compacted":
		if !f.items {
			data := &protocol.CompactionData{}
			data.Summary, data.Cut = native.Cut(text(payload, "message"), t.entries.limit)
			t.entries.say(protocol.EntryCompaction, data, out)
		}
	}
}

// begin takes the head of the file. A forked thread's file repeats that of the thread it was made of.
func (f *rollout) begin(payload []byte, t *thread, out *adapters.Output) {
	if t.settings.said {
		return
	}
	if id := text(payload, "id"); id != "" {
		t.link.thread = id
	}
	t.settings.version = native.Head(text(payload, "cli_version"), maxTitle)
	t.entries.folder = first(t.spec.Cwd, native.Head(text(payload, "cwd"), maxNoticed))
	f.items = text(payload, "history_mode") == "paginated"
	t.joining = false
	t.ready(out)
}

func (f *rollout) event(payload, line []byte, t *thread, out *adapters.Output) {
	turn := text(payload, "turn_id")
	switch kind := text(payload, "type"); kind {
	case "task_started", "turn_started":
		if t.turn.on && !t.turn.is(turn) {
			t.end(protocol.TurnInterrupted, "the end of the turn is not in the file", "", out)
		}
		f.beginTurn(turn, t, out)
	case "task_complete", "turn_complete":
		if problem := text(payload, "error", "message"); problem != "" {
			t.end(protocol.TurnError, native.Head(problem, maxNoticed), "", out)
			return
		}
		t.end(protocol.TurnCompleted, "", "", out)
	case "turn_aborted":
		f.beginTurn(turn, t, out)
		reason := text(payload, "reason")
		if reason == "interrupted" {
			reason = ""
		}
		t.end(protocol.TurnInterrupted, native.Head(reason, maxNoticed), "", out)
	case "item_completed":
		f.items = true
		f.item(turn, member(payload, "item"), line, t, out)
	case "token_count":
		var p struct {
			Info struct {
				Total snakeTokens `json:"total_token_usage"`
				Last  snakeTokens `json:"last_token_usage"`
			} `json:"info"`
		}
		_ = native.Decode(payload, &p)
		if total := p.Info.Total.tokens(); !total.empty() {
			t.usage.told(total, p.Info.Last.tokens(), t.settings.model, out)
		}
	case "error", "stream_error", "warning":
		if message := text(payload, "message"); message != "" {
			out.Draft(adapters.Notice{Level: "warning", Kind: kind, Text: native.Head(message, maxNoticed)})
		}
	case "user_message", "agent_message", "agent_reasoning":
		if !f.items {
			f.said(kind, payload, t, out)
		}
	case "thread_settings_applied":
		t.settings.told(toldSettings{Model: text(payload, "thread_settings", "model")}, out)
	case "agent_reasoning_section_break", "context_compacted", "thread_rolled_back":
	default:
		native.Keep("event_msg."+kind, line, out)
	}
}

// beginTurn opens a turn where none is open.
func (f *rollout) beginTurn(id string, t *thread, out *adapters.Output) {
	if t.turn.on {
		return
	}
	if id == "" {
		f.turns++
		id = "rollout-" + strconv.Itoa(f.turns)
	}
	t.begin(id, out)
}

// item takes a finished item. It may be of a command that outlived its turn.
func (f *rollout) item(turn string, raw, line []byte, t *thread, out *adapters.Output) {
	w, ok := coreItem(raw)
	if !ok {
		native.Keep("item."+w.Type, line, out)
		return
	}
	if !t.ended.has(turn) {
		f.beginTurn(turn, t, out)
	}
	if t.entries.find([]byte(turn), []byte(w.ID)) == nil {
		t.item(turn, &w, true, out)
	}
}

// said takes a part of the conversation in the legacy mode.
func (f *rollout) said(kind string, payload []byte, t *thread, out *adapters.Output) {
	f.legacy = true
	f.beginTurn("", t, out)
	switch said, cut := native.Cut(first(text(payload, "message"), text(payload, "text")), t.entries.limit); {
	case said == "":
	case kind == "user_message":
		t.entries.say(protocol.EntryUserMessage, &protocol.MessageData{Role: "user", Text: said, Cut: cut}, out)
	case kind == "agent_message":
		t.entries.say(protocol.EntryAssistantMessage, &protocol.MessageData{Role: "assistant", Text: said, Cut: cut}, out)
	default:
		t.entries.say(protocol.EntryThinking, &protocol.ThinkingData{Summary: []string{said}}, out)
	}
}

// modelItem takes a tool call, or what one gave, as the model saw it.
func (f *rollout) modelItem(payload []byte, t *thread, out *adapters.Output) {
	var p struct {
		Type      string          `json:"type"`
		CallID    string          `json:"call_id"`
		Name      string          `json:"name"`
		Arguments string          `json:"arguments"`
		Input     string          `json:"input"`
		Output    json.RawMessage `json:"output"`
		Action    json.RawMessage `json:"action"`
	}
	_ = native.Decode(payload, &p)
	switch p.Type {
	case "function_call", "custom_tool_call", "local_shell_call":
		if p.CallID == "" || t.entries.find(nil, []byte(p.CallID)) != nil {
			return
		}
		f.beginTurn("", t, out)
		d := &protocol.ToolCallData{ToolName: first(native.Head(p.Name, maxTitle), shellTool), CallID: p.CallID, Status: protocol.ToolRunning}
		d.Arguments = native.CutMember(first(p.Arguments, p.Input, native.Compact(p.Action)), "arguments", t.entries.limit, &d.Extra)
		it := t.entries.add(&item{typ: "dynamicToolCall", id: p.CallID, call: d})
		out.Draft(adapters.EntryOpened{Key: it.key, Type: protocol.EntryToolCall, Data: d, PersistentID: p.CallID})
	case "function_call_output", "custom_tool_call_output":
		it := t.entries.find(nil, []byte(p.CallID))
		if it == nil || it.closed || it.call == nil {
			return
		}
		it.closed = true
		d := *it.call
		d.Status = protocol.ToolCompleted
		d.Output, d.Cut = native.Cut(legacyOutput(p.Output), t.entries.limit)
		out.Draft(adapters.EntryClosed{Key: it.key, Data: &d})
	}
}

// legacyOutput reads a tool's output: a text, which may itself be JSON with one, or a list of parts.
func legacyOutput(raw json.RawMessage) string {
	said := outputText(raw)
	if strings.HasPrefix(said, `{"output":`) {
		if inner := text([]byte(said), "output"); inner != "" {
			return inner
		}
	}
	return said
}
