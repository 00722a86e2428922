package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
)

const (
	initialize   = "initialize"
	initialized  = "notifications/initialized"
	cancelled    = "notifications/cancelled"
	setLevel     = "logging/setLevel"
	subscribe    = "resources/subscribe"
	unsubscribe  = "resources/unsubscribe"
	callTool     = "tools/call"
	listTools    = "tools/list"
	listen       = "subscriptions/listen" // of the new era
	acknowledged = "notifications/subscriptions/acknowledged"
)

// message is what a bridge has to know of a message.
type message struct {
	line    []byte
	empty   bool
	call    bool   // wants an answer
	cancels string // the id of the call that it cancels

	repeated bool // said again by the bridge

	begun func() // of a stream of notifications of the new era: the daemon has begun it; may be called more than once; nil: of others

	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		TaskID    string          `json:"taskId"`
		RequestID json.RawMessage `json:"requestId"`
		Arguments arguments       `json:"arguments"`

		Notifications struct {
			Resources []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	} `json:"params"`
}

// arguments are those of a tool, of which a bridge has to know one.
type arguments struct{ Key string }

// UnmarshalJSON takes arguments of any form: what is wrong with them the daemon says.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var known struct {
		Key string `json:"idempotency_key"`
	}
	if json.Unmarshal(b, &known) == nil {
		a.Key = known.Key
	}
	return nil
}

func parse(line []byte) (*message, error) {
	m := &message{line: bytes.TrimSpace(line)}
	switch {
	case len(m.line) == 0:
		m.empty = true
		return m, nil
	case m.line[0] == '[': // several at once, as revision 2025-03-26 has it
		if !json.Valid(m.line) {
			return nil, errors.New("no JSON")
		}
		m.call = true
		return m, nil
	}
	if err := json.Unmarshal(m.line, m); err != nil {
		return nil, err
	}
	m.call = m.Method != "" && len(m.ID) > 0
	if m.Method == cancelled {
		m.cancels = string(m.Params.RequestID)
	}
	return m, nil
}

// modern says that a message is of the new era: each names its revision, and there is no MCP session.
func (m *message) modern() bool { return m.Params.Meta.Version != "" }

// name is what the header Mcp-Name has to repeat.
func (m *message) name() string {
	switch m.Method {
	case callTool, "prompts/get":
		return m.Params.Name
	case "resources/read":
		return m.Params.URI
	case "tasks/get", "tasks/update", "tasks/cancel":
		return m.Params.TaskID
	}
	return ""
}

// header is that of a request with a message; nil: none.
func (b *bridge) header(m *message) http.Header {
	h := http.Header{"Accept": {"application/json, text/event-stream"}}
	if m != nil {
		h.Set("Content-Type", "application/json")
	}
	if m != nil && m.modern() {
		h.Set("Mcp-Protocol-Version", m.Params.Meta.Version)
		h.Set("Mcp-Method", m.Method)
		if name := m.name(); name != "" {
			h.Set("Mcp-Name", headerText(name))
		}
		return h
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.session != "" {
		h.Set("Mcp-Session-Id", b.session)
	}
	if b.version != "" {
		h.Set("Mcp-Protocol-Version", b.version)
	}
	return h
}
