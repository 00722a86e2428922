package droid

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
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

// ownPrefix begins the ids of the translator's own requests.
const ownPrefix = "rm-"

// send sends a request and gives its id.
func (t *Translator) send(out *adapters.Output, method string, params any) string {
	t.ids++
	id := ownPrefix + strconv.Itoa(t.ids)
	write(out, &envelope{Type: typeRequest, ID: id, Method: method, Params: encode(params)})
	return id
}

// reply answers a request of the agent.
func reply(out *adapters.Output, id string, result any) {
	write(out, &envelope{Type: typeResponse, ID: id, Result: encode(result)})
}

// refuse answers a request that cannot be answered otherwise: the agent would wait for ever.
func refuse(out *adapters.Output, id, problem string) {
	write(out, &envelope{Type: typeResponse, ID: id, Error: &rpcError{methodNotFound, problem}})
}

func write(out *adapters.Output, e *envelope) {
	e.RPC, e.API = rpcVersion, apiVersion
	out.Line(encode(e))
}

// encode writes what cannot fail: strings, numbers, booleans and lists of them.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return b
}

// content is one block of a message or of a tool's result.
type content struct {
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

// message is a message of the conversation, in create_message and in a loaded session.
type message struct {
	ID         string          `json:"id"`
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Visibility string          `json:"visibility"` // "", both, llm_only, user_only
	ModelID    string          `json:"modelId"`
}

// tokens is what was used. Input excludes what was read from or written to the cache.
type tokens struct {
	Input      int64 `json:"inputTokens"`
	Output     int64 `json:"outputTokens"`
	CacheWrite int64 `json:"cacheCreationTokens"`
	CacheRead  int64 `json:"cacheReadTokens"`
	Thinking   int64 `json:"thinkingTokens"`
}
