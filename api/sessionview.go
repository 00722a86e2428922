package api

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// SessionSummary is a session as lists show it.
//
// It is exported because huma drops embedded structs that are not.
type SessionSummary struct {
	ID              string            `json:"id" doc:"A UUID"`
	Agent           string            `json:"agent" doc:"The agent's name"`
	Cwd             string            `json:"cwd" doc:"The working directory, absolute"`
	Title           string            `json:"title,omitempty" doc:"For people"`
	FirstPrompt     string            `json:"firstPrompt,omitempty" doc:"The beginning of the first prompt, in one line of at most 120 bytes: what a session without a title is called by"`
	Model           string            `json:"model,omitempty" doc:"In force, in the agent's own words"`
	Mode            string            `json:"mode,omitempty" doc:"The agent's own word for how it works"`
	Labels          map[string]string `json:"labels,omitempty" doc:"For programs: free keys and values"`
	NativeSessionID string            `json:"nativeSessionId,omitempty" doc:"The agent's own id of the session"`
	AgentVersion    string            `json:"agentVersion,omitempty" doc:"What the agent's program says its version is"`
	ParentSessionID string            `json:"parentSessionId,omitempty" doc:"The session that this one works for"`
	SubAgent        bool              `json:"subAgent,omitempty" doc:"It is a sub-agent of its parent session, and lives on its connection"`
	Owner           string            `json:"owner,omitempty" doc:"Whose token made it, or the session above it; absent: an administrator's"`
	Via             string            `json:"via,omitempty" doc:"mcp: an MCP host made it; absent: another client"`
	Spawned         bool              `json:"spawned,omitempty" doc:"The agent of its parent session made it; it ends with that session"`
	MCP             bool              `json:"mcp,omitempty" doc:"Its agent is given the daemon's MCP server"`
	Policy          *protocol.Policy  `json:"policy,omitempty" doc:"What answers approvals; absent: everything is asked"`
	PendingModel    string            `json:"pendingModel,omitempty" doc:"Chosen, and not in force yet"`
	PendingMode     string            `json:"pendingMode,omitempty" doc:"Chosen, and not in force yet"`
	CreatedAt       time.Time         `json:"createdAt" doc:"Time of the first event"`
	UpdatedAt       time.Time         `json:"updatedAt" doc:"Time of the newest event"`
	Epoch           uint64            `json:"epoch" doc:"A life of the log: it grows when events were lost"`
	Seq             uint64            `json:"seq" doc:"The newest event"`
	Cursor          string            `json:"cursor" doc:"The position after the newest event"`
	Status          protocol.Status   `json:"status" doc:"What the session does"`
	Turns           int               `json:"turns" doc:"How many there were"`
	EndError        string            `json:"endError,omitempty" doc:"Why the session failed"`
	EndHint         string            `json:"endHint,omitempty" doc:"What mends it"`
	ReadOnly        bool              `json:"readOnly,omitempty" doc:"The journal takes no events: it is damaged, or the disk refuses"`
	Damage          *protocol.Damage  `json:"damage,omitempty" doc:"What of its files is not as it was written: it is read-only for good, and its log ends there"`
}

// sessionPage is one page of a list.
type sessionPage struct {
	Sessions []SessionSummary `json:"sessions" doc:"The newest first"`
	Next     string           `json:"next,omitempty" doc:"For after; absent: this was the last page"`
	Total    int              `json:"total" doc:"Of all that match"`
}

// SessionDetail is a session with what moves in it.
//
// It is exported for the same reason.
type SessionDetail struct {
	SessionSummary
	Queue    []waitingPrompt          `json:"queue" doc:"Prompts that wait"`
	Requests []protocol.RequestOpened `json:"requests" doc:"What waits for an answer"`
	Readers  []sessionReader          `json:"readers" doc:"Who reads the log now"`
	Usage    protocol.Usage           `json:"usage" doc:"Of all requests to models, added up"`
	Cost     float64                  `json:"cost" doc:"US dollars, as the agent says"`
}

// waitingPrompt is a prompt of the queue.
type waitingPrompt struct {
	PromptID          string            `json:"promptId" doc:"What names it to move it or to take it out"`
	Text              string            `json:"text" doc:"What the user wrote"`
	Images            []string          `json:"images,omitempty" doc:"References of the form sha256:DIGEST;MEDIATYPE, for getSessionImage"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" doc:"What it does while a turn runs. steer: goes into it; followUp (also when absent): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" doc:"Who sent it, as the client says"`
	QueuedAt          time.Time         `json:"queuedAt" doc:"When it was accepted"`
	Sent              bool              `json:"sent,omitempty" doc:"It is with the agent, which will take it in its running turn"`
	Origin            string            `json:"origin,omitempty" doc:"agent: it waits in the agent's own queue"`
	Notify            string            `json:"notifySessionId,omitempty" doc:"The session that gets a prompt once this one is settled"`
}

// sessionReader is one reader of a log.
type sessionReader struct {
	Name   string    `json:"name" doc:"What it reads for, such as stream"`
	Seq    uint64    `json:"seq" doc:"The last event sent"`
	Behind uint64    `json:"behind" doc:"Events not yet sent"`
	Since  time.Time `json:"since" doc:"When it began to read"`
}

func summaryOf(s *session.Summary) SessionSummary {
	return SessionSummary{
		ID: s.ID, Agent: s.Agent, Cwd: s.Cwd, Title: s.Title, FirstPrompt: s.FirstPrompt, Model: s.Model, Mode: s.Mode, Labels: s.Labels,
		NativeSessionID: s.NativeSessionID, AgentVersion: s.AgentVersion, ParentSessionID: s.ParentSessionID,
		SubAgent: s.SubAgent, Owner: s.Owner, Via: s.Via, Spawned: s.Spawned, MCP: s.MCP, Policy: s.Policy,
		PendingModel: s.PendingModel, PendingMode: s.PendingMode,
		CreatedAt: s.Created.UTC(), UpdatedAt: s.Updated.UTC(), Epoch: s.Epoch, Seq: s.Seq,
		Cursor: s.Cursor().String(), Status: s.Status, Turns: s.Turns,
		EndError: s.EndError, EndHint: s.EndHint, ReadOnly: s.ReadOnly, Damage: s.Damage,
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
			QueuedAt: q.Queued.UTC(), Sent: q.Sent, Origin: q.Origin, Notify: q.Notify,
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
