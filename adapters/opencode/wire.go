package opencode

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// event is an event of the server, out of the frame of its stream.
type event struct {
	id         string // evt_…; 1.1 has none
	kind       string
	properties []byte
}

// readEvent reads the outer members of an event. /api/event says data instead of properties.
func readEvent(line []byte) (e event, ok bool) {
	m := native.Scan(line)
	for {
		key, value, more := m.Next()
		if !more {
			break
		}
		switch string(key) {
		case "id":
			e.id = native.Text(value)
		case "type":
			e.kind = native.Text(value)
		case "properties", "data":
			e.properties = value
		}
	}
	return e, !m.Bad && json.Valid(line)
}

// aside says that events of a type tell nothing of a session that its log should have. All versions so far have them.
func aside(kind string) bool {
	switch kind {
	case "server.connected", "server.instance.disposed", "global.disposed", "plugin.added", "catalog.updated", "integration.updated",
		"integration.connection.updated", "reference.updated", "project.updated", "project.directories.updated", "file.edited",
		"file.watcher.updated", "vcs.branch.updated", "lsp.updated", "lsp.client.diagnostics", "mcp.tools.changed", "mcp.browser.open.failed",
		"models-dev.refreshed", "installation.updated", "installation.update-available", "command.executed", "pty.created", "pty.updated",
		"pty.exited", "pty.deleted", "tui.prompt.append", "tui.command.execute", "tui.toast.show", "tui.session.select",
		"workspace.ready", "workspace.failed", "workspace.status", "worktree.ready", "worktree.failed", "session.diff", "todo.updated":
		return true
	}
	return false
}

// sessionInfo is a session, in session.created and the like and as the answer to POST /session.
type sessionInfo struct {
	ID       string `json:"id"`
	ParentID string `json:"parentID"`
	Title    string `json:"title"`
	Version  string `json:"version"`
	Agent    string `json:"agent"`
	Model    struct {
		ID         string `json:"id"`
		ProviderID string `json:"providerID"`
	} `json:"model"`
	Tokens *tokens `json:"tokens"` // running totals of this session
}

// messageInfo is a message without its parts.
type messageInfo struct {
	ID       string `json:"id"`
	Role     string `json:"role"`
	ParentID string `json:"parentID"` // of an assistant's: the user message
	Agent    string `json:"agent"`
	Mode     string `json:"mode"`
	// Summary is true for the message of a compaction; of a user message it is an object.
	Summary    json.RawMessage `json:"summary"`
	ModelID    string          `json:"modelID"`
	ProviderID string          `json:"providerID"`
	Finish     string          `json:"finish"`
	Error      *failure        `json:"error"`
	Time       struct {
		Created   float64 `json:"created"`   // Unix ms
		Completed float64 `json:"completed"` // 0: not yet
	} `json:"time"`
}

func (m *messageInfo) summary() bool { return string(m.Summary) == "true" }

func (m *messageInfo) model() string { return modelName(m.ProviderID, m.ModelID) }

func modelName(provider, id string) string {
	if provider == "" || id == "" {
		return ""
	}
	return provider + "/" + id
}

// failure is an error of the agent.
type failure struct {
	Name string `json:"name"`
	Data struct {
		Message string `json:"message"`
	} `json:"data"`
}

// aborted says that the error is an abort.
func (f *failure) aborted() bool { return f.Name == "MessageAbortedError" }

// text is what went wrong, without the stack that some errors have behind it.
func (f *failure) text() string {
	message, _, _ := strings.Cut(f.Data.Message, "\n    at ")
	switch {
	case message != "":
		return native.Head(message, maxNoticed)
	case f.Name != "":
		return native.Head(f.Name, maxNoticed)
	}
	return "the agent failed without saying why"
}

// maxNoticed is how much of an error or a notice is shown, in bytes.
const maxNoticed = 2 << 10

// partWire is a part of a message, of any type.
type partWire struct {
	ID        string `json:"id"`
	MessageID string `json:"messageID"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"`
	Time      struct {
		Start float64 `json:"start"`
		End   float64 `json:"end"`
	} `json:"time"`
	// tool
	Tool   string    `json:"tool"`
	CallID string    `json:"callID"`
	State  stateWire `json:"state"`
	// step-finish
	Tokens *tokens `json:"tokens"`
	Cost   float64 `json:"cost"`
	// compaction
	Auto     bool `json:"auto"`
	Overflow bool `json:"overflow"`
	// file
	Mime string `json:"mime"`
}

// stateWire is the state of a tool call.
type stateWire struct {
	Status   string          `json:"status"` // pending, running, completed, error
	Input    json.RawMessage `json:"input"`
	Raw      string          `json:"raw"`
	Title    string          `json:"title"`
	Output   string          `json:"output"`
	Error    string          `json:"error"`
	Metadata struct {
		Output *string         `json:"output"` // bash: all so far
		Exit   json.RawMessage `json:"exit"`   // bash: null when it was aborted
		Diff   string          `json:"diff"`   // edit
		File   struct {
			Patch string `json:"patch"`
		} `json:"filediff"` // edit, since 1.18
		SessionID string `json:"sessionId"` // task: the child
	} `json:"metadata"`
	Time struct {
		Start float64 `json:"start"`
		End   float64 `json:"end"`
	} `json:"time"`
}

// tokens are what was used. Input excludes the cache. Total is missing in totals of a session.
type tokens struct {
	Total     float64 `json:"total"`
	Input     float64 `json:"input"`
	Output    float64 `json:"output"`
	Reasoning float64 `json:"reasoning"`
	Cache     struct {
		Read  float64 `json:"read"`
		Write float64 `json:"write"`
	} `json:"cache"`
}

// stored is a message with its parts, as GET /session/{id}/message lists them.
type stored struct {
	Info  messageInfo `json:"info"`
	Parts []partWire  `json:"parts"`
}

// statusWire is the status of a session.
type statusWire struct {
	Type    string  `json:"type"` // busy, retry, idle
	Attempt int     `json:"attempt"`
	Message string  `json:"message"`
	Next    float64 `json:"next"` // Unix ms
}

// permissionWire is a request for permission, with the words of both surfaces.
type permissionWire struct {
	ID         string   `json:"id"`
	Permission string   `json:"permission"`
	Patterns   []string `json:"patterns"`
	Always     []string `json:"always"`
	Metadata   struct {
		Command  string     `json:"command"`
		FilePath string     `json:"filepath"`
		Files    []fileWire `json:"files"`
		URL      string     `json:"url"`
		Diff     string     `json:"diff"`
	} `json:"metadata"`
	Tool callWire `json:"tool"`
	// the newer surface
	Action    string   `json:"action"`
	Resources []string `json:"resources"`
	Save      []string `json:"save"`
	Source    callWire `json:"source"`
}

// callWire names a tool call.
type callWire struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

// fileWire is one file of a patch.
type fileWire struct {
	Path string `json:"filePath"`
	Type string `json:"type"`
	Move string `json:"movePath"`
}

// questionWire is a request for answers.
type questionWire struct {
	ID        string `json:"id"`
	Questions []struct {
		Question string `json:"question"`
		Header   string `json:"header"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
		Multiple bool  `json:"multiple"`
		Custom   *bool `json:"custom"` // any text is an answer, unless false
	} `json:"questions"`
	Tool   callWire `json:"tool"`
	Source callWire `json:"source"`
}
