package codex

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// wireItem is an item of a thread: the members of all types in one.
type wireItem struct {
	Type     string          `json:"type"`
	ID       string          `json:"id"`
	Status   string          `json:"status"`
	ClientID string          `json:"clientId"`
	Content  json.RawMessage `json:"content"` // input of userMessage, texts of reasoning
	Summary  []string        `json:"summary"`
	Text     string          `json:"text"`

	Phase     string          `json:"phase"` // of agentMessage
	Delivery  string          `json:"delivery"`
	Questions json.RawMessage `json:"questions"`

	Command          string  `json:"command"`
	Cwd              string  `json:"cwd"`
	Source           string  `json:"source"`
	ProcessID        string  `json:"processId"` // of commandExecution: the server's own name of it, not the system's
	AggregatedOutput *string `json:"aggregatedOutput"`
	ExitCode         *int    `json:"exitCode"`
	DurationMs       *int64  `json:"durationMs"`

	Changes []change `json:"changes"`

	Server       string          `json:"server"`
	Tool         string          `json:"tool"`
	Arguments    json.RawMessage `json:"arguments"`
	Result       json.RawMessage `json:"result"` // an object of mcpToolCall, a string of imageGeneration
	Error        *struct{ Message string }
	ContentItems []userInput `json:"contentItems"`
	Success      *bool       `json:"success"`

	Query         string          `json:"query"`
	Action        json.RawMessage `json:"action"`
	Path          string          `json:"path"`
	RevisedPrompt string          `json:"revisedPrompt"`

	Prompt      string   `json:"prompt"`
	Model       string   `json:"model"`
	Receivers   []string `json:"receiverThreadIds"`
	AgentStates map[string]struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	} `json:"agentsStates"`
	AgentThread string `json:"agentThreadId"`
	AgentPath   string `json:"agentPath"`
	Kind        string `json:"kind"`

	Review    string `json:"review"`
	Fragments []struct {
		Text string `json:"text"`
	} `json:"fragments"`
	Name   string          `json:"name"`
	Output json.RawMessage `json:"output"`
}

// change is one file of a patch. The diff of a new or deleted file is its content.
type change struct {
	Path string `json:"path"`
	Kind struct {
		Type     string `json:"type"` // add, delete, update
		MovePath string `json:"move_path"`
	} `json:"kind"`
	Diff   string `json:"diff"`
	untold bool   // the agent says that it was changed, and not how
}

// userInput is a part of what a user says, or a tool gives back.
type userInput struct {
	Type string `json:"type"`
	Text string `json:"text"`
	URL  string `json:"url,omitempty"`
	Path string `json:"path,omitempty"`
	Name string `json:"name,omitempty"`
}

// joinInput is the text of a user's message.
func joinInput(parts []userInput) string {
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text", "inputText", "input_text":
			texts = append(texts, p.Text)
		case "mention", "skill":
			texts = append(texts, "["+p.Name+"]("+p.Path+")")
		}
	}
	return strings.Join(texts, "\n")
}

// entryType is the type of the entry that an item gets; empty: none.
func (w *wireItem) entryType() protocol.EntryType { return itemEntryType(w.Type) }

func itemEntryType(typ string) protocol.EntryType {
	switch typ {
	case "userMessage":
		return protocol.EntryUserMessage
	case "agentMessage":
		return protocol.EntryAssistantMessage
	case "reasoning":
		return protocol.EntryThinking
	case "plan":
		return protocol.EntryPlan
	case "contextCompaction":
		return protocol.EntryCompaction
	case "commandExecution", "fileChange", "mcpToolCall", "dynamicToolCall", "webSearch", "imageView", "imageGeneration",
		"sleep", "collabAgentToolCall":
		return protocol.EntryToolCall
	case "subAgentActivity", "enteredReviewMode", "exitedReviewMode", "hookPrompt", "functionCallOutput":
		return protocol.EntrySystem
	}
	return ""
}

// isKnownItem says that an item of this type lacks nothing but its id where it has no entry.
func isKnownItem(typ string) bool { return itemEntryType(typ) != "" }
