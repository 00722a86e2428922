package droid

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// The parts of the envelope that never change.
const (
	rpcVersion = "2.0"
	apiVersion = "1.0.0"

	typeRequest      = "request"
	typeResponse     = "response"
	typeNotification = "notification"

	methodNotification = "droid.session_notification"
	methodPermission   = "droid.request_permission"
	methodAsk          = "droid.ask_user"
	methodInitialize   = "droid.initialize_session"
	methodLoad         = "droid.load_session"
	methodMessage      = "droid.add_user_message"
	methodInterrupt    = "droid.interrupt_session"
	methodSettings     = "droid.update_session_settings"
	methodCompact      = "droid.compact_session"
	methodFork         = "droid.fork_session"
	methodClose        = "droid.close_session"
)

// envelope is any line of the protocol, in both directions.
type envelope struct {
	RPC    string          `json:"jsonrpc"`
	API    string          `json:"factoryApiVersion"`
	Type   string          `json:"type"`
	ID     string          `json:"id"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

const methodNotFound = -32601

// message is a message of the conversation, in create_message and in a loaded session.
type message struct {
	ID         string          `json:"id"`
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Visibility string          `json:"visibility"` // "", both, llm_only, user_only
}

// contentWire is one block of a message or of a tool's result.
type contentWire struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"toolUseId"`
	Content   json.RawMessage `json:"content"` // of a tool_result
	IsError   bool            `json:"isError"`
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

// openedWire is the answer to initialize_session and load_session.
type openedWire struct {
	SessionID string       `json:"sessionId"` // not of load_session
	Settings  settingsWire `json:"settings"`
	Models    []struct {
		ID          string `json:"id"`
		DisplayName string `json:"displayName"`
	} `json:"availableModels"`
	Session struct {
		Title    string    `json:"title"`
		Messages []message `json:"messages"`
	} `json:"session"`
	Usage tokens `json:"inclusiveTokenUsage"` // of load_session
}

// settingsWire are what a session is set to.
type settingsWire struct {
	ModelID         string   `json:"modelId"`
	InteractionMode string   `json:"interactionMode"`
	AutonomyLevel   string   `json:"autonomyLevel"`
	Levels          []string `json:"availableAutonomyLevels"` // not of settings_updated
}

// tokens is what was used. Input excludes what was read from or written to the cache.
type tokens struct {
	Input      int64 `json:"inputTokens"`
	Output     int64 `json:"outputTokens"`
	CacheWrite int64 `json:"cacheCreationTokens"`
	CacheRead  int64 `json:"cacheReadTokens"`
	Thinking   int64 `json:"thinkingTokens"`
}
