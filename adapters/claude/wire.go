package claude

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// message is what `assistant` and `user` lines carry.
type message struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"` // a string or a list of blocks
}

// content is one block of a message.
type content struct {
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
func (c *content) isCall() bool { return c.Type == "tool_use" || c.isServerCall() }

func (c *content) isServerCall() bool {
	return c.Type != "tool_use" && strings.HasSuffix(c.Type, "_tool_use")
}

// isServerResult says that a block is the result of a server-side tool.
func (c *content) isServerResult() bool {
	return c.Type != "tool_result" && strings.HasSuffix(c.Type, "_tool_result")
}

// blocks reads the content of a message or of a tool's result, which may also be one block.
func blocks(raw json.RawMessage) []content {
	if len(raw) > 0 && raw[0] == '{' {
		var one content
		if native.Decode(raw, &one) != nil {
			return nil
		}
		return []content{one}
	}
	return native.Content(raw, textBlock)
}

func textBlock(s string) content { return content{Type: "text", Text: s} }

// plain joins what can be read as text.
func plain(list []content) string {
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
