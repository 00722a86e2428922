package mcp

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// sessionOutput is a session as tools show it.
type sessionOutput struct {
	SessionID       string            `json:"session_id"`
	Agent           string            `json:"agent"`
	Cwd             string            `json:"cwd"`
	Title           string            `json:"title,omitempty"`
	Model           string            `json:"model,omitempty"`
	Mode            string            `json:"mode,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	NativeSessionID string            `json:"native_session_id,omitempty"`
	ParentSessionID string            `json:"parent_session_id,omitempty"`
	CreatedAt       time.Time         `json:"created_at"`
	UpdatedAt       time.Time         `json:"updated_at"`
	Status          string            `json:"status" jsonschema:"running, idle, completed or failed"`
	State           string            `json:"state" jsonschema:"in detail, such as awaiting_approval"`
	ToolName        string            `json:"tool_name,omitempty"`
	Stalled         bool              `json:"stalled,omitempty" jsonschema:"the agent works and has said nothing for long"`
	Turns           int               `json:"turns"`
	LastIndex       int               `json:"last_index" jsonschema:"index of the newest event"`
	Epoch           uint64            `json:"epoch"`
	Owner           string            `json:"owner,omitempty" jsonschema:"whose token made it, or the session above it"`
	Spawned         bool              `json:"spawned,omitempty" jsonschema:"the agent of its parent session made it"`
	MCP             bool              `json:"mcp,omitempty" jsonschema:"its agent was given these tools, and can be offered others"`
	Error           string            `json:"error,omitempty" jsonschema:"why the session failed"`
	Hint            string            `json:"hint,omitempty"`
}

func sessionOf(s *session.Summary) sessionOutput {
	return sessionOutput{
		SessionID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, Model: s.Model, Mode: s.Mode, Labels: s.Labels,
		NativeSessionID: s.NativeSessionID, ParentSessionID: s.ParentSessionID, CreatedAt: s.Created.UTC(), UpdatedAt: s.Updated.UTC(),
		Status: s.Status.State.ItemStatus(), State: string(s.Status.State), ToolName: s.Status.ToolName, Stalled: s.Status.Stalled,
		Turns: s.Turns, LastIndex: int(s.Seq) - 1, Epoch: s.Epoch, Owner: s.Owner, Spawned: s.Spawned, MCP: s.MCP, Error: s.EndError, Hint: s.EndHint,
	}
}

// requestOutput is something that waits for an answer.
type requestOutput struct {
	RequestID string           `json:"request_id"`
	Kind      string           `json:"kind" jsonschema:"approval, question, elicitation or caller_tool"`
	SessionID string           `json:"session_id,omitempty" jsonschema:"of the sub-agent that asks, where it is not this session"`
	ToolName  string           `json:"tool_name,omitempty"`
	Title     string           `json:"title"`
	Text      string           `json:"text,omitempty"`
	Options   []optionOutput   `json:"options,omitempty" jsonschema:"of an approval: what can be answered"`
	Questions []questionOutput `json:"questions,omitempty" jsonschema:"one answer each, in order"`
	CallerID  string           `json:"caller_id,omitempty" jsonschema:"of a caller_tool: who offers the tool and answers with caller_tool_response"`
	Arguments string           `json:"arguments,omitempty" jsonschema:"of a caller_tool: JSON text"`
	Deadline  *time.Time       `json:"deadline,omitempty"`
}

type optionOutput struct {
	ID          string `json:"id"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
}

type questionOutput struct {
	Text     string         `json:"text"`
	Header   string         `json:"header,omitempty"`
	Options  []optionOutput `json:"options,omitempty"`
	Multiple bool           `json:"multiple,omitempty" jsonschema:"several options may be chosen"`
	FreeText bool           `json:"free_text,omitempty" jsonschema:"any text is an answer"`
}

func requestsOf(list []protocol.RequestOpened) []requestOutput {
	out := make([]requestOutput, 0, len(list))
	for i := range list {
		r := &list[i]
		o := requestOutput{
			RequestID: r.RequestID, Kind: string(r.Kind), SessionID: r.SessionID, ToolName: r.ToolName, Title: r.Title, Text: r.Text,
			Options: optionsOf(r.Options), CallerID: r.CallerID, Arguments: r.Arguments,
		}
		if r.Deadline > 0 {
			o.Deadline = new(time.UnixMilli(r.Deadline).UTC())
		}
		for _, q := range r.Questions {
			o.Questions = append(o.Questions, questionOutput{q.Text, q.Header, optionsOf(q.Options), q.Multiple, q.FreeText})
		}
		out = append(out, o)
	}
	return out
}

func optionsOf(list []protocol.Option) (out []optionOutput) {
	for _, o := range list {
		out = append(out, optionOutput{o.ID, o.Label, o.Description})
	}
	return out
}

// promptOutput is a prompt that waits.
type promptOutput struct {
	PromptID string    `json:"prompt_id"`
	Text     string    `json:"text"`
	Behavior string    `json:"streaming_behavior,omitempty"`
	ClientID string    `json:"client_id,omitempty"`
	QueuedAt time.Time `json:"queued_at"`
	Sent     bool      `json:"sent,omitempty" jsonschema:"the agent has it already"`
}

func promptsOf(queue []session.QueuedPrompt) []promptOutput {
	out := make([]promptOutput, 0, len(queue))
	for _, q := range queue {
		out = append(out, promptOutput{q.ID, q.Text, string(q.Behavior), q.ClientID, q.Queued.UTC(), q.Sent})
	}
	return out
}
