package codex

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
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

// ofItem are the parameters of item/started and item/completed.
type ofItem struct {
	TurnID string   `json:"turnId"`
	Item   wireItem `json:"item"`
}

// threadStart are the parameters of thread/start. Policy and sandbox are the operator's, unless a mode asks.
type threadStart struct {
	Cwd      string `json:"cwd,omitempty"`
	Model    string `json:"model,omitempty"`
	Sandbox  string `json:"sandbox,omitempty"`
	Approval string `json:"approvalPolicy,omitempty"`
}

// threadResume are those of thread/resume. It gives the newest turns with it, so that nothing is lost in between.
type threadResume struct {
	ThreadID     string       `json:"threadId"`
	ExcludeTurns bool         `json:"excludeTurns"`
	FirstPage    turnsRequest `json:"initialTurnsPage"`
}

// turnsRequest are the parameters of thread/turns/list, and of the first page in thread/resume.
type turnsRequest struct {
	ThreadID  string `json:"threadId,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
	Limit     int    `json:"limit"`
	View      string `json:"itemsView"`
	Direction string `json:"sortDirection"`
}

// inThread are the parameters of requests that need no more than a thread, and of those about a turn of it.
type inThread struct {
	ThreadID string `json:"threadId"`
	TurnID   string `json:"turnId,omitempty"`
}

// ofTerminal are the parameters of requests about a command that outlived its turn.
type ofTerminal struct {
	ThreadID  string `json:"threadId"`
	ProcessID string `json:"processId"`
}

// turnStart are the parameters of turn/start and, with ExpectedTurnID, of turn/steer.
type turnStart struct {
	ThreadID       string `json:"threadId"`
	ExpectedTurnID string `json:"expectedTurnId,omitempty"`
	Input          []any  `json:"input"`
	MessageID      string `json:"clientUserMessageId,omitempty"`
}

type textInput struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type imageInput struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// settingsUpdate are the parameters of thread/settings/update. It counts from the next turn on.
type settingsUpdate struct {
	ThreadID      string         `json:"threadId"`
	Model         string         `json:"model,omitempty"`
	Approval      string         `json:"approvalPolicy,omitempty"`
	Policy        *sandboxPolicy `json:"sandboxPolicy,omitempty"`
	Collaboration *collaboration `json:"collaborationMode,omitempty"`
}

type sandboxPolicy struct {
	Type string `json:"type"`
}

// collaboration is the planning mode, or "default". It repeats the model and the effort, or they would change.
type collaboration struct {
	Mode     string `json:"mode"`
	Settings struct {
		Model  string  `json:"model"`
		Effort *string `json:"reasoning_effort"`
	} `json:"settings"`
}

// modelList are the parameters of model/list.
type modelList struct {
	Cursor string `json:"cursor,omitempty"`
}

// modelPage is its result.
type modelPage struct {
	Data []struct {
		ID     string `json:"id"`
		Model  string `json:"model"`
		Name   string `json:"displayName"`
		Hidden bool   `json:"hidden"`
	} `json:"data"`
	Next string `json:"nextCursor"`
}

// threadResult is the result of thread/start, thread/resume and thread/fork.
type threadResult struct {
	Thread        json.RawMessage `json:"thread"`
	Model         string          `json:"model"`
	Effort        string          `json:"reasoningEffort"`
	Sandbox       sandboxPolicy   `json:"sandbox"`
	Collaboration json.RawMessage `json:"collaborationMode"`
}

// turnsPage is a page of turns, the newest first.
type turnsPage struct {
	Data []pastTurn `json:"data"`
	Next string     `json:"nextCursor"`
}

// pastTurn is a turn in the server's history of the thread, and in turn/completed.
type pastTurn struct {
	ID     string            `json:"id"`
	Status string            `json:"status"`
	Error  *turnError        `json:"error"`
	Items  []json.RawMessage `json:"items"`
}

// items are those of its items that have entries.
func (p *pastTurn) items() iter.Seq[*wireItem] {
	return func(yield func(*wireItem) bool) {
		for _, raw := range p.Items {
			var w wireItem
			if _ = native.Decode(raw, &w); w.ID != "" && w.entryType() != "" && !yield(&w) {
				return
			}
		}
	}
}

// users are the user's messages of a turn. The first one began it, the others were steered into it.
func (p *pastTurn) users() iter.Seq[*wireItem] {
	return func(yield func(*wireItem) bool) {
		for _, raw := range p.Items {
			var w wireItem
			if _ = native.Decode(raw, &w); w.Type == "userMessage" && !yield(&w) {
				return
			}
		}
	}
}

// has says that one of its items has this id.
func (p *pastTurn) has(ids []string) bool {
	return slices.ContainsFunc(p.Items, func(raw json.RawMessage) bool { return slices.Contains(ids, text(raw, "id")) })
}
