package claude

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// head are the members by which a line is told from others.
type head struct {
	kind, subtype string
	parent        string // parent_tool_use_id; empty: the main agent's
}

// readHead reads them; ok is false where the line is no JSON object.
func readHead(line []byte) (h head, ok bool) {
	m := native.Scan(line)
	for {
		key, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			h.kind = native.Text(value)
		case "subtype":
			h.subtype = native.Text(value)
		case "parent_tool_use_id":
			h.parent = native.Text(value)
		}
	}
	return h, !m.Bad && json.Valid(line)
}

// message is what `assistant` and `user` lines carry.
type message struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"` // a string or a list of blocks
}

// synthetic is the model of messages that Claude Code wrote itself.
const synthetic = "<synthetic>"

// contentWire is one block of a message.
type contentWire struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"` // of tool_use and server_tool_use
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"` // of tool_result and of the results of server-side tools
	Content   json.RawMessage `json:"content"`     // likewise
	IsError   bool            `json:"is_error"`
	Title     string          `json:"title"` // of a web_search_result
	URL       string          `json:"url"`
	ErrorCode string          `json:"error_code"`
	Source    *source         `json:"source"` // of an image
}

// source is the data of an image.
type source struct {
	Type      string `json:"type"` // "base64"
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

// isCall says that a block calls a tool, the client's or one of the provider's.
func (c *contentWire) isCall() bool {
	return c.Type == "tool_use" || strings.HasSuffix(c.Type, "_tool_use")
}

// isServerResult says that a block is the result of a server-side tool.
func (c *contentWire) isServerResult() bool {
	return c.Type != "tool_result" && strings.HasSuffix(c.Type, "_tool_result")
}

// blocks reads the content of a message or of a tool's result, which may also be one block.
func blocks(raw json.RawMessage) []contentWire {
	if len(raw) > 0 && raw[0] == '{' {
		var one contentWire
		if native.Decode(raw, &one) != nil {
			return nil
		}
		return []contentWire{one}
	}
	return native.Content(raw, textBlock)
}

func textBlock(s string) contentWire { return contentWire{Type: "text", Text: s} }

// plain joins what can be read as text.
func plain(list []contentWire) string {
	var parts []string
	for i := range list {
		switch c := &list[i]; {
		case c.Type == "text":
			parts = append(parts, c.Text)
		case c.Type == "image":
			parts = append(parts, "[image]")
		case c.URL != "":
			parts = append(parts, strings.TrimSpace(c.Title+"\n"+c.URL))
		case c.ErrorCode != "":
			parts = append(parts, c.ErrorCode)
		}
	}
	return strings.Join(parts, "\n")
}

// userLine is a message of the user's side: results of tools, what Claude Code told the model itself, and echoes.
type userLine struct {
	UUID        string          `json:"uuid"`
	Message     message         `json:"message"`
	Result      json.RawMessage `json:"tool_use_result"` // structured; a string for errors
	Meta        []resultMeta    `json:"tool_result_meta"`
	IsReplay    bool            `json:"isReplay"`
	IsSynthetic bool            `json:"isSynthetic"`
}

// resultMeta says how a result came about.
type resultMeta struct {
	ID  string `json:"id"`
	Why string `json:"non_execution_kind"` // why the tool did not run, or not to its end
}

// launched says that the result is only that of a start: what was started goes on.
func (u *userLine) launched() bool {
	var r struct {
		Status  string `json:"status"`
		IsAsync bool   `json:"isAsync"`
		Task    string `json:"backgroundTaskId"`
	}
	_ = native.Decode(u.Result, &r)
	return r.IsAsync || strings.HasSuffix(r.Status, "_launched") || r.Task != ""
}

// stopped says that somebody stopped the call.
func (u *userLine) stopped(id string) bool {
	return slices.ContainsFunc(u.Meta, func(m resultMeta) bool {
		return m.ID == id && (m.Why == "user-rejected" || m.Why == "interrupted")
	})
}

// interruptMark begins what Claude Code tells the model of an interruption.
const interruptMark = "[Request interrupted by user"

// commandOutput begins what a local command printed.
const commandOutput = "<local-command-std"

// task is a system line about a sub-agent or a background job, and the members by which the lines of sub-agents name theirs.
type task struct {
	TaskID          string `json:"task_id"`
	ToolUseID       string `json:"tool_use_id"`
	TaskType        string `json:"task_type"`
	SubagentType    string `json:"subagent_type"`
	Description     string `json:"description"`
	TaskDescription string `json:"task_description"`
	Prompt          string `json:"prompt"`
	Status          string `json:"status"` // completed, failed, stopped
	Summary         string `json:"summary"`
	AgentID         string `json:"agent_id"`
}

// isAgent says that the task is a sub-agent, of which the agent tells by the call that started it.
func (e *task) isAgent() bool {
	return e.ToolUseID != "" && (e.TaskType == "local_agent" || e.SubagentType != "")
}

// control is a control_request or control_response that goes to the agent.
type control struct {
	Type      string          `json:"type"`
	RequestID string          `json:"request_id,omitempty"` // of a request
	Request   json.RawMessage `json:"request,omitempty"`
	Response  *reply          `json:"response,omitempty"`
}

// reply is the response of a control_response, in either direction.
type reply struct {
	Subtype   string          `json:"subtype"` // success or error
	RequestID string          `json:"request_id"`
	Response  json.RawMessage `json:"response,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// encode writes v, whose raw members come from lines that were valid.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}

// send writes a line to the agent.
func send(out *adapters.Output, v any) {
	if line := encode(v); line != nil {
		out.Line(line)
	}
}

// answer writes a control_response that is a success.
func answer(out *adapters.Output, id string, response any) {
	send(out, control{Type: "control_response", Response: &reply{Subtype: "success", RequestID: id, Response: encode(response)}})
}

// refuse writes a control_response that is an error.
func refuse(out *adapters.Output, id, problem string) {
	send(out, control{Type: "control_response", Response: &reply{Subtype: "error", RequestID: id, Error: problem}})
}
