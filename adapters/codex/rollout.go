package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rollout is Codex's own log of a thread, which is only imported: JSON lines with timestamp, ordinal, type and payload. Of
// two generations, the newer says each finished item in one line; in the older one the conversation stands in events, and
// the tools in the items that the model saw.
type rollout struct {
	newer bool // finished items are told
	older bool
	turns int // without an id
}

func isRollout(kind string) bool {
	switch kind {
	case "session_meta", "turn_context", "event_msg", "response_item", "compacted", "world_state", "token_usage_record",
		"retained_context", "inter_agent_communication_metadata":
		return true
	}
	return false
}

func (t *Translator) rolloutLine(kind string, line []byte, out *adapters.Output) {
	payload := member(line, "payload")
	switch kind {
	case "session_meta":
		t.rolloutBegins(payload, out)
	case "turn_context":
		t.set(settings{Model: text(payload, "model")}, out)
	case "event_msg":
		t.rolloutEvent(payload, line, out)
	case "response_item":
		if !t.rollout.newer {
			t.modelItem(payload, out)
		}
	case "compacted":
		if !t.rollout.newer {
			data := &protocol.CompactionData{}
			data.Summary, data.Cut = native.Cut(text(payload, "message"), t.limit)
			key := t.entry()
			out.Draft(adapters.EntryOpened{Key: key, Type: protocol.EntryCompaction, Data: data})
			out.Draft(adapters.EntryClosed{Key: key, Data: data})
		}
	}
}

// rolloutBegins takes the head of the file. A forked thread's file repeats that of the thread it was made of.
func (t *Translator) rolloutBegins(payload []byte, out *adapters.Output) {
	if t.told.ready {
		return
	}
	if id := text(payload, "id"); id != "" {
		t.thread = id
	}
	t.told.version = native.Head(text(payload, "cli_version"), maxTitle)
	t.told.folder = native.Head(text(payload, "cwd"), maxNoticed)
	t.rollout.newer = text(payload, "history_mode") == "paginated"
	t.history = history{}
	t.ready(out)
}

func (t *Translator) rolloutEvent(payload, line []byte, out *adapters.Output) {
	turn := text(payload, "turn_id")
	switch kind := text(payload, "type"); kind {
	case "task_started", "turn_started":
		if t.turn.on && !t.turn.is(turn) {
			t.end(protocol.TurnInterrupted, "the end of the turn is not in the file", "", out)
		}
		t.rolloutTurn(turn, out)
	case "task_complete", "turn_complete":
		if problem := text(payload, "error", "message"); problem != "" {
			t.end(protocol.TurnError, native.Head(problem, maxNoticed), "", out)
			return
		}
		t.end(protocol.TurnCompleted, "", "", out)
	case "turn_aborted":
		t.rolloutTurn(turn, out)
		reason := text(payload, "reason")
		if reason == "interrupted" {
			reason = ""
		}
		t.end(protocol.TurnInterrupted, native.Head(reason, maxNoticed), "", out)
	case "item_completed":
		t.rollout.newer = true
		t.rolloutItem(turn, member(payload, "item"), line, out)
	case "token_count":
		var p struct {
			Info struct {
				Total snakeTokens `json:"total_token_usage"`
				Last  snakeTokens `json:"last_token_usage"`
			} `json:"info"`
		}
		_ = native.Decode(payload, &p)
		if total := p.Info.Total.tokens(); !total.empty() {
			t.used(total, p.Info.Last.tokens(), out)
		}
	case "error", "stream_error", "warning":
		if message := text(payload, "message"); message != "" {
			out.Draft(adapters.Notice{Level: "warning", Kind: kind, Text: native.Head(message, maxNoticed)})
		}
	case "user_message", "agent_message", "agent_reasoning":
		t.olderEvent(kind, payload, out)
	case "thread_settings_applied":
		t.set(settings{Model: text(payload, "thread_settings", "model")}, out)
	case "thread_name_updated":
		t.named(text(payload, "thread_name"), out)
	case "agent_reasoning_section_break", "context_compacted", "thread_rolled_back":
	default:
		native.Keep("event_msg."+kind, line, out)
	}
}

// rolloutTurn opens a turn where none is open.
func (t *Translator) rolloutTurn(id string, out *adapters.Output) {
	if t.turn.on {
		return
	}
	if id == "" {
		t.rollout.turns++
		id = "rollout-" + strconv.Itoa(t.rollout.turns)
	}
	t.begin(id, out)
}

// rolloutItem takes a finished item. It may be of a command that outlived its turn.
func (t *Translator) rolloutItem(turn string, raw, line []byte, out *adapters.Output) {
	w, ok := coreItem(raw)
	if !ok {
		native.Keep("item."+w.Type, line, out)
		return
	}
	if !t.ended.has(turn) {
		t.rolloutTurn(turn, out)
	}
	if it := t.find([]byte(turn), []byte(w.ID)); it == nil {
		t.closeItem(t.openItem(turn, &w, nil, out), &w, out)
	}
}

// olderEvent takes a part of the conversation in the older generation.
func (t *Translator) olderEvent(kind string, payload []byte, out *adapters.Output) {
	if t.rollout.newer {
		return
	}
	t.rollout.older = true
	t.rolloutTurn("", out)
	var data protocol.EntryData
	typ := protocol.EntryAssistantMessage
	switch said, cut := native.Cut(first(text(payload, "message"), text(payload, "text")), t.limit); {
	case said == "":
		return
	case kind == "user_message":
		typ, data = protocol.EntryUserMessage, &protocol.MessageData{Role: "user", Text: said, Cut: cut}
	case kind == "agent_message":
		data = &protocol.MessageData{Role: "assistant", Text: said, Cut: cut}
	default:
		typ, data = protocol.EntryThinking, &protocol.ThinkingData{Summary: []string{said}}
	}
	key := t.entry()
	out.Draft(adapters.EntryOpened{Key: key, Type: typ, Data: data})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

// modelItem takes a tool call, or what one gave, as the model saw it.
func (t *Translator) modelItem(payload []byte, out *adapters.Output) {
	if !t.rollout.older {
		return
	}
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
		if p.CallID == "" || t.find(nil, []byte(p.CallID)) != nil {
			return
		}
		t.rolloutTurn("", out)
		d := &protocol.ToolCallData{ToolName: first(native.Head(p.Name, maxTitle), shellTool), CallID: p.CallID, Status: protocol.ToolRunning}
		d.Arguments = native.CutMember(first(p.Arguments, p.Input, native.Compact(p.Action)), "arguments", t.limit, &d.Extra)
		it := &item{typ: "dynamicToolCall", id: p.CallID, key: t.entry(), call: d, older: t.items[p.CallID]}
		t.items[p.CallID] = it
		out.Draft(adapters.EntryOpened{Key: it.key, Type: protocol.EntryToolCall, Data: d, PersistentID: p.CallID})
	case "function_call_output", "custom_tool_call_output":
		it := t.find(nil, []byte(p.CallID))
		if it == nil || it.closed || it.call == nil {
			return
		}
		it.closed = true
		d := *it.call
		d.Status = protocol.ToolCompleted
		d.Output, d.Cut = native.Cut(olderOutput(p.Output), t.limit)
		out.Draft(adapters.EntryClosed{Key: it.key, Data: &d})
	}
}

// olderOutput reads a tool's output: a text, which may itself be JSON with one, or a list of parts.
func olderOutput(raw json.RawMessage) string {
	said := outputText(raw)
	if strings.HasPrefix(said, `{"output":`) {
		if inner := text([]byte(said), "output"); inner != "" {
			return inner
		}
	}
	return said
}
