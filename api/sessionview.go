package api

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// SessionSummary is a session as lists show it. It is exported because huma drops embedded structs that are not.
type SessionSummary struct {
	ID              string            `json:"id"`
	Agent           string            `json:"agent"`
	Cwd             string            `json:"cwd"`
	Title           string            `json:"title,omitempty"`
	Model           string            `json:"model,omitempty"`
	Mode            string            `json:"mode,omitempty" doc:"The agent's own word for how it works"`
	Labels          map[string]string `json:"labels,omitempty"`
	NativeSessionID string            `json:"nativeSessionId,omitempty" doc:"The agent's own id of the session"`
	AgentVersion    string            `json:"agentVersion,omitempty"`
	ParentSessionID string            `json:"parentSessionId,omitempty"`
	SubAgent        bool              `json:"subAgent,omitempty" doc:"It is a sub-agent of its parent session, and lives on its connection"`
	Owner           string            `json:"owner,omitempty" doc:"Whose token made it, or the session above it; absent: an administrator's"`
	Spawned         bool              `json:"spawned,omitempty" doc:"The agent of its parent session made it; it ends with that session"`
	MCP             bool              `json:"mcp,omitempty" doc:"Its agent is given the daemon's MCP server"`
	Policy          *protocol.Policy  `json:"policy,omitempty" doc:"What answers approvals; absent: everything is asked"`
	PendingModel    string            `json:"pendingModel,omitempty" doc:"Chosen, and not in force yet"`
	PendingMode     string            `json:"pendingMode,omitempty" doc:"Likewise"`
	CreatedAt       time.Time         `json:"createdAt"`
	UpdatedAt       time.Time         `json:"updatedAt" doc:"Time of the newest event"`
	Epoch           uint64            `json:"epoch"`
	Seq             uint64            `json:"seq" doc:"The newest event"`
	Cursor          string            `json:"cursor" doc:"The position after the newest event"`
	Status          protocol.Status   `json:"status"`
	Turns           int               `json:"turns" doc:"How many there were"`
	EndError        string            `json:"endError,omitempty" doc:"Why the session failed"`
	EndHint         string            `json:"endHint,omitempty" doc:"What mends it"`
	ReadOnly        bool              `json:"readOnly,omitempty" doc:"The journal takes no events: it is damaged, or the disk refuses"`
}

// sessionPage is one page of a list.
type sessionPage struct {
	Sessions []SessionSummary `json:"sessions"`
	Next     string           `json:"next,omitempty" doc:"For after; absent: this was the last page"`
	Total    int              `json:"total" doc:"Of all that match"`
}

// SessionDetail is a session with what moves in it. It is exported for the same reason.
type SessionDetail struct {
	SessionSummary
	Queue    []waitingPrompt          `json:"queue" doc:"Prompts that wait"`
	Requests []protocol.RequestOpened `json:"requests" doc:"What waits for an answer"`
	Readers  []sessionReader          `json:"readers"`
	Usage    protocol.Usage           `json:"usage" doc:"Of all requests to models, added up"`
	Cost     float64                  `json:"cost" doc:"US dollars, as the agent says"`
}

// waitingPrompt is a prompt of the queue.
type waitingPrompt struct {
	PromptID          string            `json:"promptId"`
	Text              string            `json:"text"`
	Images            []string          `json:"images,omitempty"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty"`
	ClientID          string            `json:"clientId,omitempty"`
	QueuedAt          time.Time         `json:"queuedAt"`
	Sent              bool              `json:"sent,omitempty" doc:"It is with the agent, which will take it in its running turn"`
	Origin            string            `json:"origin,omitempty" doc:"agent: it waits in the agent's own queue"`
}

// sessionReader is one member of the subscriber set.
type sessionReader struct {
	Name   string    `json:"name"`
	Seq    uint64    `json:"seq" doc:"The last event sent"`
	Behind uint64    `json:"behind" doc:"Events not yet sent"`
	Since  time.Time `json:"since"`
}

func summaryOf(s *session.Summary) SessionSummary {
	return SessionSummary{
		ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, Model: s.Model, Mode: s.Mode, Labels: s.Labels,
		NativeSessionID: s.NativeSessionID, AgentVersion: s.AgentVersion, ParentSessionID: s.ParentSessionID,
		SubAgent: s.SubAgent, Owner: s.Owner, Spawned: s.Spawned, MCP: s.MCP, Policy: s.Policy, PendingModel: s.PendingModel, PendingMode: s.PendingMode,
		CreatedAt: s.Created.UTC(), UpdatedAt: s.Updated.UTC(), Epoch: s.Epoch, Seq: s.Seq,
		Cursor: protocol.Cursor{Epoch: s.Epoch, Seq: s.Seq}.String(), Status: s.Status, Turns: s.Turns,
		EndError: s.EndError, EndHint: s.EndHint, ReadOnly: s.ReadOnly,
	}
}

func detailOf(d *session.Description) SessionDetail {
	out := SessionDetail{
		SessionSummary: summaryOf(&d.Summary), Queue: waitingPrompts(d.Queue),
		Requests: append([]protocol.RequestOpened{}, d.Requests...), Readers: make([]sessionReader, len(d.Readers)),
		Usage: d.Usage, Cost: d.Cost,
	}
	for i, r := range d.Readers {
		out.Readers[i] = sessionReader{Name: r.Name, Seq: r.Seq, Behind: r.Behind, Since: r.Since.UTC()}
	}
	return out
}

func waitingPrompts(queue []session.QueuedPrompt) []waitingPrompt {
	out := make([]waitingPrompt, len(queue))
	for i, q := range queue {
		out[i] = waitingPrompt{
			PromptID: q.ID, Text: q.Text, Images: q.Images, StreamingBehavior: q.Behavior, ClientID: q.ClientID,
			QueuedAt: q.Queued.UTC(), Sent: q.Sent, Origin: q.Origin,
		}
	}
	return out
}

// optional is a query parameter that may be absent; huma takes no pointers there.
type optional[T any] struct {
	Value T
	IsSet bool
}

// Schema is that of the value.
func (o optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver is where huma puts the value.
func (o *optional[T]) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet notes that there was one.
func (o *optional[T]) OnParamSet(isSet bool, _ any) { o.IsSet = isSet }
