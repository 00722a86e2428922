package droid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// notification handles an event of the session.
func (t *Translator) notification(e *envelope, line []byte, out *adapters.Output) {
	var p struct {
		SessionID    string          `json:"sessionId"`
		Notification json.RawMessage `json:"notification"`
	}
	_ = native.Decode(e.Params, &p)
	var n struct {
		Type string `json:"type"`
	}
	_ = native.Decode(p.Notification, &n)
	if e.Method != methodNotification || n.Type == "" {
		native.Keep(e.Method, line, out)
		return
	}
	if t.children[p.SessionID] {
		return // a sub-agent's: its tool call tells what came of it
	}
	if !t.event(n.Type, p.Notification, out) {
		native.Keep(n.Type, line, out)
	}
}

// event handles an event by its type; false: there is no such type.
func (t *Translator) event(kind string, raw json.RawMessage, out *adapters.Output) bool {
	switch kind {
	case "droid_working_state_changed":
		t.stateChanged(raw, out)
	case "create_message":
		t.messageCreated(raw, out)
	case "assistant_text_delta":
		t.slowDelta(protocol.EntryAssistantMessage, raw, out)
	case "thinking_text_delta":
		t.slowDelta(protocol.EntryThinking, raw, out)
	case "assistant_message_retracted":
		t.retracted(raw, out)
	case "tool_call":
		t.toolCall(raw, out)
	case "tool_execution_phase_changed":
		t.toolPhase(raw, out)
	case "tool_progress_update":
		t.toolProgress(raw, out)
	case "tool_result":
		t.toolResult(raw, out)
	case "permission_resolved":
		t.permissionResolved(raw, out)
	case "session_token_usage_changed":
		t.usageChanged(raw, out)
	case "agent_turn_completed":
		t.turnCompleted(raw, out)
	case "llm_retry":
		t.retrying(raw, out)
	case "error":
		t.failed(raw, out)
	case "session_compacted":
		t.compacted(out)
	case "queued_messages_discarded":
		t.prompts.discard("the agent discarded it: its turn was interrupted", out)
	case "settings_updated":
		t.settingsUpdated(raw, out)
	case "session_title_updated":
		t.titleUpdated(raw, out)
	case "mcp_status_changed", "mcp_auth_required", "mcp_auth_completed", "child_session_available":
		t.aside(kind, raw, out)
	case "assistant_text_complete":
		t.textComplete(protocol.EntryAssistantMessage, raw, out)
	case "thinking_text_complete":
		t.textComplete(protocol.EntryThinking, raw, out)
	case "tool_execution_heartbeat":
		// It says nothing new.
	default:
		return false
	}
	return true
}

// aside handles news beside the conversation.
func (t *Translator) aside(kind string, raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Servers []struct {
			Name   string `json:"name"`
			Status string `json:"status"`
			Error  string `json:"error"`
		} `json:"servers"`
		ServerName     string `json:"serverName"`
		AuthURL        string `json:"authUrl"`
		Message        string `json:"message"`
		Outcome        string `json:"outcome"`
		ChildSessionID string `json:"childSessionId"`
		Description    string `json:"description"`
	}
	_ = native.Decode(raw, &n)
	note := adapters.Notice{Level: "info", Kind: kind}
	switch kind {
	case "mcp_status_changed":
		var failed []string
		for _, s := range n.Servers {
			if t.spec.MCP.Named(s.Name) { // the session's own is not told of: it is the user's, which goes before
				t.shadowed(out)
			}
			if s.Status == "failed" {
				failed = append(failed, strings.TrimSuffix(s.Name+": "+s.Error, ": "))
			}
		}
		if failed == nil {
			return
		}
		note.Level, note.Text = "warning", "MCP servers failed: "+strings.Join(failed, "; ")
	case "mcp_auth_required":
		note.Level, note.Text = "warning", fmt.Sprintf("MCP server %s wants a login at %s: %s", n.ServerName, n.AuthURL, n.Message)
	case "mcp_auth_completed":
		note.Text = fmt.Sprintf("Login to MCP server %s: %s. %s", n.ServerName, n.Outcome, n.Message)
	case "child_session_available":
		if n.ChildSessionID != "" {
			t.children[n.ChildSessionID] = true
		}
		note.Text = fmt.Sprintf("Sub-agent %s: %s", n.ChildSessionID, n.Description)
	}
	note.Text = native.Head(note.Text, maxNoticed)
	out.Draft(note)
}

// deltaMark stands near the beginning of the lines that a busy session is made of.
var deltaMark = []byte(`_text_delta"`)

// markWithin is how far into a line the mark may stand: behind the envelope and a session id.
const markWithin = 512

// delta is the short way for deltas of text and thinking: it walks through the line and decodes only the text. It says
// whether it has handled the line.
func (t *Translator) delta(line []byte, out *adapters.Output) bool {
	if !bytes.Contains(line[:min(len(line), markWithin)], deltaMark) || line[len(line)-1] != '}' {
		return false
	}
	m := native.Scan(line)
	known := 0
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		if string(key) == "params" && known == 2 {
			return t.deltaParams(m.Object(), out)
		}
		value, ok := m.Rest()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			if string(value) != `"notification"` {
				return false
			}
			known++
		case "method":
			if string(value) != `"droid.session_notification"` {
				return false
			}
			known++
		}
	}
}

func (t *Translator) deltaParams(m native.Members, out *adapters.Output) bool {
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		if string(key) == "notification" {
			return t.deltaFields(m.Object(), out)
		}
		value, ok := m.Rest()
		if !ok || string(key) == "sessionId" && len(t.children) > 0 && t.children[native.Text(value)] {
			return false
		}
	}
}

func (t *Translator) deltaFields(m native.Members, out *adapters.Output) bool {
	var kind, id, text []byte
	index := -1
	for {
		key, value, ok := m.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			kind = value
		case "messageId":
			id = value
		case "blockIndex":
			index = native.Number(value)
		case "textDelta":
			text = value
		default:
			continue
		}
		if kind == nil || id == nil || index < 0 || text == nil {
			continue
		}
		if len(id) < 3 || id[0] != '"' || bytes.IndexByte(id, '\\') >= 0 || text[0] != '"' {
			return false
		}
		id = id[1 : len(id)-1]
		switch string(kind) {
		case `"assistant_text_delta"`:
			t.textDelta(id, index, protocol.EntryAssistantMessage, native.Text(text), out)
		case `"thinking_text_delta"`:
			t.textDelta(id, index, protocol.EntryThinking, native.Text(text), out)
		default:
			return false
		}
		return true
	}
}

// slowDelta is for deltas in another form than the short way knows.
func (t *Translator) slowDelta(kind protocol.EntryType, raw json.RawMessage, out *adapters.Output) {
	var n struct {
		MessageID  string `json:"messageId"`
		BlockIndex int    `json:"blockIndex"`
		TextDelta  string `json:"textDelta"`
	}
	_ = native.Decode(raw, &n)
	t.textDelta([]byte(n.MessageID), n.BlockIndex, kind, n.TextDelta, out)
}
