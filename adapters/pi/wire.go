package pi

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// message is a message of the agent's conversation, in message_start, message_end and get_entries.
type message struct {
	Role          string          `json:"role"`
	Content       json.RawMessage `json:"content"` // a string or a list of blocks
	Timestamp     int64           `json:"timestamp"`
	Provider      string          `json:"provider"`
	Model         string          `json:"model"`
	Usage         *usage          `json:"usage"`
	StopReason    string          `json:"stopReason"`
	ErrorMessage  string          `json:"errorMessage"`
	ThinkingLevel string          `json:"thinkingLevel"`
	ToolCallID    string          `json:"toolCallId"`
	ToolName      string          `json:"toolName"`
	IsError       bool            `json:"isError"`
	DurationMs    *int64          `json:"durationMs"`
	Display       bool            `json:"display"` // role custom
	Command       string          `json:"command"` // role bashExecution, as are the two below
	Output        string          `json:"output"`
	ExitCode      *int            `json:"exitCode"`
}

// contentWire is one block of a message.
type contentWire struct {
	Type           string          `json:"type"`
	Text           string          `json:"text"`
	Thinking       string          `json:"thinking"`
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Arguments      json.RawMessage `json:"arguments"`
	ArgumentsError string          `json:"argumentsError"`
	Data           string          `json:"data"` // of an image, base64
	MimeType       string          `json:"mimeType"`
}

// blocks reads the content of a message or of a tool's result.
func blocks(raw json.RawMessage) []contentWire { return native.Content(raw, textBlock) }

func textBlock(s string) contentWire { return contentWire{Type: "text", Text: s} }

// plain joins the text blocks.
func plain(list []contentWire) string {
	var parts []string
	for _, c := range list {
		if c.Type == "text" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// result is what a tool gave: partial results have the same form.
type result struct {
	Content    json.RawMessage `json:"content"`
	Structured json.RawMessage `json:"structuredContent"` // an object for bash, a string for read
	Details    json.RawMessage `json:"details"`
}

// model is a configured model, as get_state, set_model and cycle_model give it.
type model struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
}

func (m model) name() string {
	if m.Provider == "" || m.ID == "" {
		return m.ID
	}
	return m.Provider + "/" + m.ID
}

// storedWire is an entry of the agent's session, in get_entries.
type storedWire struct {
	ID             string  `json:"id"`
	Parent         string  `json:"parentId"`
	Type           string  `json:"type"`
	FirstKeptEntry string  `json:"firstKeptEntryId"`
	Summary        string  `json:"summary"` // of a compaction
	Message        message `json:"message"`
}

// response is Pi's answer to a command. Answers overtake each other: only the id says whose it is, and where the command
// is unknown even that is missing.
type response struct {
	ID      string          `json:"id"`
	Command string          `json:"command"`
	Success bool            `json:"success"`
	Error   string          `json:"error"`
	Data    json.RawMessage `json:"data"`
}

func unknownCommand(problem string) bool { return strings.HasPrefix(problem, "Unknown command") }

// maxNoticed is how much of a line that could not be read is shown, in bytes.
const maxNoticed = 2 << 10
