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

// content is one block of a message.
type content struct {
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
func blocks(raw json.RawMessage) []content { return native.Content(raw, textBlock) }

func textBlock(s string) content { return content{Type: "text", Text: s} }

// plain joins the text blocks.
func plain(list []content) string {
	var parts []string
	for _, c := range list {
		if c.Type == "text" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// usage is what one model request used. Input excludes both caches, output includes reasoning.
type usage struct {
	Input       int64 `json:"input"`
	Output      int64 `json:"output"`
	CacheRead   int64 `json:"cacheRead"`
	CacheWrite  int64 `json:"cacheWrite"`
	Reasoning   int64 `json:"reasoning"`
	TotalTokens int64 `json:"totalTokens"`
	Cost        struct {
		Input     float64 `json:"input"`
		Output    float64 `json:"output"`
		CacheRead float64 `json:"cacheRead"`
		Total     float64 `json:"total"`
	} `json:"cost"`
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
